import { Link, useSearch } from '@tanstack/react-router';
import type { Balances } from '../api/money.js';
import { type Asked, DataTable } from '../frame/data-table.js';
import { money, number } from '../words/formats.js';
import { accountText, meaningOf } from './account-text.js';
import { saidAmount } from './balance-points.js';
import { moneyWords } from './money-words.js';

const words = moneyWords.balances;
/** There may be thousands of sellers. The ledger's route has all of them. */
const MOST_ROWS = 30;

type Props = Readonly<{ query: Asked; accounts: Balances }>;

/** The accounts with their balances now, largest first. Each leads to its entries. */
export function AccountTable({ query, accounts }: Props) {
  const search = useSearch({ from: '/frame/money' });
  const sorted = accounts.toSorted((one, other) => Math.abs(other.balance) - Math.abs(one.balance));
  const { column } = words;
  return (
    <>
      <DataTable
        label={words.accounts}
        rows={sorted.slice(0, MOST_ROWS)}
        keyOf={({ account, currency }) => `${account} ${currency}`}
        empty={words.empty}
        query={query}
        columns={[
          {
            id: 'account',
            name: column.account,
            cell: ({ account }) => (
              <Link to="/money" search={{ ...search, account }} resetScroll={false}>
                {accountText(account)}
              </Link>
            ),
          },
          { id: 'meaning', name: column.meaning, cell: ({ account }) => meaningOf(account) },
          {
            id: 'balance',
            name: column.balance,
            end: true,
            cell: ({ account, balance, currency }) => money(saidAmount(account, balance), currency),
          },
        ]}
      />
      {accounts.length > MOST_ROWS && (
        <p className="soft small">{words.most(number(MOST_ROWS), number(accounts.length))}</p>
      )}
    </>
  );
}
