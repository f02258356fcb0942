import type { OrderDetail } from '#orders/order.contract';
import { cardBrands } from '../words/card-brands.js';
import { wordFor } from '../words/word-for.js';
import { orderWords as words } from './order-words.js';

type Source = Pick<NonNullable<OrderDetail['payment']>, 'brand' | 'last_four'> & Readonly<{ type: string }>;

/** `Visa ···· 1111`, or the source of the money in words if there is no card. */
export function cardText(payment: Source | null): string {
  if (!payment) return words.noPayment;
  const { brand, type, last_four: lastFour } = payment;
  const kind = brand === null ? (wordFor(words.paymentKind, type) ?? type) : (wordFor(cardBrands, brand) ?? brand);
  return lastFour === null ? kind : `${kind} ···· ${lastFour}`;
}

export const providerText = (provider: string): string => wordFor(words.paymentProvider, provider) ?? provider;
