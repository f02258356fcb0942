import { cardNumber, type Card, expiryMonth, expiryYear, isCurrent, isCvv } from './cards.js';
import { type Address, BILLING, readAddress } from './delivery.js';
import type { Fields } from './fields.js';
import { Redacted } from './redacted.js';

/** The part of a payment that may be stored. */
export type PaymentSummary = Readonly<{
  type: PaymentType;
  brand: string | null;
  last_four: string | null;
  expiry_month: number | null;
  expiry_year: number | null;
}>;

/** How a purchase is paid. Only the payment provider sees card and token. */
export type Payment = Readonly<{ summary: PaymentSummary; billing: Address }> &
  (
    | Readonly<{ type: 'creditcard'; card: Redacted<Card> }>
    | Readonly<{ type: 'providera_token' | 'providerb_token'; token: Redacted<string> }>
  );

export const PAYMENT_TYPES = ['creditcard', 'providera_token', 'providerb_token'] as const;
type PaymentType = (typeof PAYMENT_TYPES)[number];

/** The maximum token length of a card-vaulting provider, in UTF-16 code units. */
export const MAX_TOKEN = 2048;

/** Reads `type` and `data` of `payment`; undefined (and a fault) when they are invalid. `total` is read elsewhere. */
export function readPayment(payment: Fields, now: number): Payment | undefined {
  const type = PAYMENT_TYPES.find((known) => known === payment.raw('type'));
  if (!type) payment.fault('type');
  const data = payment.object('data');
  if (!type || !data) return undefined;
  const billing = readAddress(data, BILLING);
  if (type === 'creditcard') return { type, billing, ...readCard(data, now) };
  const summary = { type, brand: null, last_four: null, expiry_month: null, expiry_year: null };
  return { type, billing, summary, token: new Redacted(data.text('token', 40001, MAX_TOKEN), 'token') };
}

function readCard(data: Fields, now: number): { card: Redacted<Card>; summary: PaymentSummary } {
  const number = cardNumber(textOf(data, 'card_number'));
  if (!number) data.fault('card_number', 40017);
  const cvv = textOf(data, 'cvv');
  if (!isCvv(cvv, number?.cvvLength)) data.fault('cvv', 40035);
  const { month, year } = readExpiry(data, now);
  const card = new Redacted({ number: number?.digits ?? '', expiryMonth: month, expiryYear: year, cvv }, 'card');
  const summary: PaymentSummary = {
    type: 'creditcard',
    brand: number?.brand ?? null,
    last_four: number?.digits.slice(-4) ?? null,
    expiry_month: month,
    expiry_year: year,
  };
  return { card, summary };
}

function readExpiry(data: Fields, now: number): { month: number; year: number } {
  const month = expiryMonth(textOf(data, 'expiry_month'));
  const year = expiryYear(textOf(data, 'expiry_year'));
  if (month === null) data.fault('expiry_month', 40039);
  if (year === null) data.fault('expiry_year', 40039);
  if (month !== null && year !== null && !isCurrent(year, month, now)) {
    data.fault('expiry_month', 40039);
    data.fault('expiry_year', 40039);
  }
  return { month: month ?? 0, year: year ?? 0 };
}

function textOf(data: Fields, key: string): string {
  const value = data.raw(key);
  return typeof value === 'string' ? value : '';
}
