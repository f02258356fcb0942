import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { fieldErrors } from '../api/field-errors.js';
import { balancesQuery, paySeller } from '../api/money.js';
import { DialogForm } from '../frame/dialog-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { amountIn } from '../words/amount-in.js';
import { money } from '../words/formats.js';
import { dayOf } from '../words/time-zone.js';
import { saidAmount } from './balance-points.js';
import { moneyWords } from './money-words.js';

const words = moneyWords.payment;
const FIELDS = ['seller', 'amount', 'paid_on', 'reference'] as const;
type Field = (typeof FIELDS)[number];

type Props = Readonly<{ onClose: () => void; onDone: (news: string) => void }>;

/** Records that a seller was paid. */
export function SellerPaymentDialog({ onClose, onDone }: Props) {
  const client = useQueryClient();
  const { data: accounts = [] } = useQuery(balancesQuery());
  const [typed, setTyped] = useState(() => ({ seller: '', amount: '', paid_on: dayOf(new Date()), reference: '' }));
  const [wasSent, setSent] = useState(false);
  const sellers = accounts.filter(({ account }) => account.startsWith(SELLER));
  const owed = sellers.find(({ account }) => account === SELLER + typed.seller.trim());
  const amount = amountIn(typed.amount);
  const send = useMutationOnce({
    mutationFn: (paid: number) =>
      paySeller({ ...typed, seller: typed.seller.trim(), reference: typed.reference.trim(), amount: paid }),
    onSuccess: (paid) => {
      onDone(words.done(money(paid.amount, paid.currency), paid.seller));
      return Promise.all(
        [
          ['balances', 'now'],
          ['list', 'GET ledger/entries'],
        ].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  });
  const missing = {
    seller: typed.seller.trim() === '' && words.missing,
    amount: amount === undefined && words.amountWrong,
    paid_on: typed.paid_on === '' && words.missing,
    reference: typed.reference.trim() === '' && words.missing,
  };
  const refused = fieldErrors(send.error, FIELDS);
  const field = (name: Field) => ({
    value: typed[name],
    error: (wasSent && missing[name]) || refused[name],
    autoComplete: 'off',
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => setTyped({ ...typed, [name]: value }),
  });
  const submit = () => {
    setSent(true);
    if (amount !== undefined && FIELDS.every((name) => missing[name] === false)) send.mutate(amount);
  };
  return (
    <DialogForm
      title={words.title}
      submit={words.submit}
      cancel={moneyWords.cancel}
      typed={typed}
      error={Object.keys(refused).length === 0 ? send.error : null}
      isPending={send.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="soft small">{words.hint}</p>
      <TextInput
        label={words.seller}
        description={words.sellerHint}
        list="sellers-of-ledger"
        {...field('seller')}
        data-autofocus
      />
      <datalist id="sellers-of-ledger">
        {sellers.map(({ account }) => (
          <option key={account} value={account.slice(SELLER.length)} />
        ))}
      </datalist>
      <TextInput
        label={words.amount(owed?.currency ?? accounts[0]?.currency ?? 'USD')}
        description={owed && words.owed(money(saidAmount(owed.account, owed.balance), owed.currency))}
        inputMode="decimal"
        {...field('amount')}
      />
      <TextInput label={words.paidOn} type="date" {...field('paid_on')} />
      <TextInput label={words.reference} description={words.referenceHint} {...field('reference')} />
    </DialogForm>
  );
}

const SELLER = 'seller:';
