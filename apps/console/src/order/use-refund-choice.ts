import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Refund } from '#money/refund.contract';
import type { OrderDetail } from '#orders/order.contract';
import { type RefundChoice, refundsQuery } from '../api/refunds.js';
import { amountIn } from '../words/amount-in.js';

const REST_MS = 250;

type Typed = Readonly<{
  kind: 'amount' | 'tickets';
  /** As it is typed. */
  amount: string;
  /** 0 stands for all that are left. */
  tickets: number;
  keepFees: boolean;
  reason: Refund['reason'];
  note: string;
}>;

/** What somebody types about a refund, beginning with all that is left; and what it asks for, once the typing rests. */
export function useRefundChoice(order: OrderDetail) {
  const { data: refunds = [] } = useQuery(refundsQuery(order.id, order.version));
  const ticketsLeft = order.product.quantity - refundedTickets(refunds);
  const [typed, setTyped] = useState<Typed>({
    kind: 'amount',
    amount: (order.payment?.refundable ?? 0).toFixed(2),
    tickets: 0,
    keepFees: false,
    reason: 'customer_request',
    note: '',
  });
  const [amount] = useDebouncedValue(typed.amount, REST_MS);
  const tickets = Math.min(typed.tickets || ticketsLeft, ticketsLeft);
  const choice = choiceOf({ ...typed, amount, tickets });
  return {
    typed: { ...typed, tickets },
    type: (change: Partial<Typed>) => setTyped((before) => ({ ...before, ...change })),
    ticketsLeft,
    /** Undefined while the amount is none. */
    choice,
    isAmountWrong: typed.kind === 'amount' && amountIn(typed.amount) === undefined,
    /** Whether `choice` is what the fields show. */
    isSettled: typed.kind === 'tickets' || amount === typed.amount,
  };
}

function choiceOf({ kind, amount, tickets, keepFees, reason }: Typed): RefundChoice | undefined {
  if (kind === 'tickets') return { quantity: tickets, keep_fees: keepFees, reason };
  const value = amountIn(amount);
  return value === undefined ? undefined : { amount: value, reason };
}

/** The same rule as the server's: those that were made, and those that are asked for. */
function refundedTickets(refunds: readonly Refund[]): number {
  const counted = refunds.filter(({ state }) => state !== 'declined' && state !== 'failed');
  return counted.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}
