import type { OrderDetail } from '#orders/order.contract';
import { wordFor } from '../words/word-for.js';
import { orderWords as words } from './order-words.js';

type Source = Pick<NonNullable<OrderDetail['payment']>, 'brand' | 'last_four'> & Readonly<{ type: string }>;

/** `visa ···· 1111`, or the source of the money in words if there is no card. */
export function cardText(payment: Source | null): string {
  if (!payment) return words.noPayment;
  const kind = payment.brand ?? wordFor(words.paymentKind, payment.type) ?? payment.type;
  return payment.last_four === null ? kind : `${kind} ···· ${payment.last_four}`;
}

export const providerText = (provider: string): string => wordFor(words.paymentProvider, provider) ?? provider;
