import '../charts/charts.css';
import './money.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { may, sessionQuery } from '../api/session.js';
import { PageHead } from '../frame/page-head.js';
import { AccountEntries } from './account-entries.js';
import { Balances } from './balances.js';
import { BankEntries } from './bank-entries.js';
import { MoneyTasks } from './money-tasks.js';
import { moneyWords as words } from './money-words.js';
import { ReconciliationDetail } from './reconciliation-detail.js';
import { Reconciliations } from './reconciliations.js';
import { SellerPaymentDialog } from './seller-payment-dialog.js';
import { ShownPart } from './shown-part.js';

/** What waits, what is where now and before, what came to the bank, and whether the lists of others agree. The address says what is shown. */
export function MoneyPage() {
  const { data: session } = useQuery(sessionQuery);
  const search = useSearch({ from: '/frame/money' });
  const { account, reconciliation } = search;
  const [isPaying, setPaying] = useState(false);
  const [news, setNews] = useState('');
  const mayAct = may(session, 'money:act');
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        {mayAct && (
          <Button variant="default" onClick={() => setPaying(true)}>
            {words.payment.open}
          </Button>
        )}
      </PageHead>
      <p role="status" className={news === '' ? 'visually-hidden' : 'news'}>
        {news}
      </p>
      <MoneyTasks mayAct={mayAct} />
      <Reconciliations mayAct={mayAct} />
      {reconciliation !== undefined && (
        <ShownPart key={reconciliation}>
          <ReconciliationDetail id={reconciliation} />
        </ShownPart>
      )}
      <Balances />
      {account !== undefined && (
        <ShownPart key={account}>
          <AccountEntries account={account} />
        </ShownPart>
      )}
      <BankEntries />
      {isPaying && (
        <SellerPaymentDialog
          onClose={() => setPaying(false)}
          onDone={(said) => {
            setPaying(false);
            setNews(said);
          }}
        />
      )}
    </div>
  );
}
