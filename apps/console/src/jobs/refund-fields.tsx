import { NativeSelect, TextInput } from '@mantine/core';
import type { Refund } from '#money/refund.contract';
import { isKeyOf, keysOf } from '../api/keys-of.js';
import { RefundReasonField } from '../order/refund-reason-field.js';
import { refundWords } from '../order/refund-words.js';
import { amountIn } from '../words/amount-in.js';
import { bulkWords } from './job-words.js';

const words = bulkWords.refund;

export type TypedRefund = Readonly<{
  kind: keyof typeof refundWords.dialog.kinds;
  /** As they are typed. */
  amount: string;
  tickets: string;
  reason: Refund['reason'];
}>;

export const NEW_REFUND: TypedRefund = { kind: 'tickets', amount: '', tickets: '1', reason: 'customer_request' };

/** What a job is to refund of each order. Undefined while the number is none. */
export function refundOf({ kind, amount: typed, tickets, reason }: TypedRefund) {
  if (kind === 'tickets') {
    const quantity = /^[1-9]\d*$/.test(tickets.trim()) ? Number(tickets) : undefined;
    return quantity === undefined ? undefined : { quantity, reason };
  }
  const amount = amountIn(typed);
  return amount === undefined ? undefined : { amount, reason };
}

type Props = Readonly<{ refund: TypedRefund; onChange: (refund: TypedRefund) => void }>;

/** What goes back of each order, and why. */
export function RefundFields({ refund, onChange }: Props) {
  const { kinds, what } = refundWords.dialog;
  const isWrong = refundOf(refund) === undefined;
  return (
    <>
      <NativeSelect
        label={what}
        value={refund.kind}
        data={keysOf(kinds).map((value) => ({ value, label: kinds[value] }))}
        onChange={({ currentTarget: { value } }) => isKeyOf(kinds, value) && onChange({ ...refund, kind: value })}
      />
      {refund.kind === 'tickets' ? (
        <TextInput
          label={words.tickets}
          description={words.ticketsHint}
          inputMode="numeric"
          autoComplete="off"
          value={refund.tickets}
          error={isWrong && words.ticketsWrong}
          onChange={({ currentTarget: { value } }) => onChange({ ...refund, tickets: value })}
        />
      ) : (
        <TextInput
          label={words.amount}
          description={words.amountHint}
          inputMode="decimal"
          autoComplete="off"
          value={refund.amount}
          error={isWrong && refund.amount !== '' && refundWords.dialog.amountWrong}
          onChange={({ currentTarget: { value } }) => onChange({ ...refund, amount: value })}
        />
      )}
      <RefundReasonField reason={refund.reason} onChange={(reason) => onChange({ ...refund, reason })} />
    </>
  );
}
