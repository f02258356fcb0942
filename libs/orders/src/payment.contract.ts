import { z } from 'zod';
import { centsOf } from '#domain/money';
import { isJsonObject } from '#base/text';
import { cardNumber, type Card, expiryMonth, expiryYear, isCurrent, isCvv } from './cards.contract.js';
import { coded, requiredText } from '#web/coded-text.contract';
import {
  type Address,
  addressFields,
  addressOf,
  BILLING,
  knownPostalCode,
  knownState,
} from '#listings/postal-address.contract';
import { Redacted } from '#web/redacted.contract';

const PAYMENT_TYPES = ['creditcard', 'providera_token', 'providerb_token'] as const;
type PaymentType = (typeof PAYMENT_TYPES)[number];

/** The part of a payment that may be stored. */
export type PaymentSummary = Readonly<{
  type: PaymentType;
  brand: string | null;
  last_four: string | null;
  expiry_month: number | null;
  expiry_year: number | null;
}>;

/** How a purchase is paid. Only the payment provider sees card and token. */
type Payment = Readonly<{ summary: PaymentSummary; billing: Address }> &
  (
    | Readonly<{ type: 'creditcard'; card: Redacted<Card> }>
    | Readonly<{ type: 'providera_token' | 'providerb_token'; token: Redacted<string> }>
  );

// The maximum token length of a card-vaulting provider, in UTF-16 code units.
const MAX_TOKEN = 2048;

const INVALID_CARD_NUMBER = coded(40017);
const INVALID_CVV = coded(40035);
const INVALID_EXPIRY = coded(40039);
const INVALID_TOTAL = coded(40026);

/** US dollars on the wire, cents inside. */
export function total(description: string) {
  return z
    .number(INVALID_TOTAL)
    .min(0, INVALID_TOTAL)
    .meta({ description })
    .transform((dollars, context) => centsOf(dollars) ?? rejected(context, INVALID_TOTAL));
}

const paymentTotal = total('US dollars; equal to the cent to what will be charged');

const expiry = {
  expiry_month: z
    .string(INVALID_EXPIRY)
    .meta({ description: 'MM' })
    .transform((text, context) => expiryMonth(text) ?? rejected(context, INVALID_EXPIRY)),
  expiry_year: z
    .string(INVALID_EXPIRY)
    .meta({ description: 'YYYY or YY' })
    .transform((text, context) => expiryYear(text) ?? rejected(context, INVALID_EXPIRY)),
};

const CardData = z
  .object({
    card_number: z
      .string(INVALID_CARD_NUMBER)
      .transform((text, context) => cardNumber(text) ?? rejected(context, INVALID_CARD_NUMBER)),
    ...expiry,
    cvv: z.string(INVALID_CVV).refine((cvv) => isCvv(cvv), INVALID_CVV),
    ...addressFields(BILLING),
  })
  .check(knownState(BILLING), knownPostalCode)
  // The length of a CVV depends on the brand, which only a valid card number tells.
  .refine(({ cvv, card_number }) => isCvv(cvv, card_number.cvvLength), {
    ...INVALID_CVV,
    path: ['cvv'],
    when: hasBrandAndCvv,
  });

const CardPayment = z
  .object({ total: paymentTotal, type: z.literal('creditcard'), data: CardData })
  .meta({ id: 'CardPayment' })
  .transform(({ total, type, data }) => {
    const { card_number, expiry_month, expiry_year, cvv } = data;
    const { digits: number, brand } = card_number;
    const summary = { type, brand, last_four: number.slice(-4), expiry_month, expiry_year };
    const card = new Redacted({ number, expiryMonth: expiry_month, expiryYear: expiry_year, cvv }, 'card');
    return { total_cents: total, payment: { type, billing: addressOf(data), card, summary } satisfies Payment };
  });

const TokenPayment = z
  .object({
    total: paymentTotal,
    type: z.enum(['providera_token', 'providerb_token']),
    data: z
      .object({ ...addressFields(BILLING), token: requiredText(40001, MAX_TOKEN) })
      .check(knownState(BILLING), knownPostalCode),
  })
  .meta({ id: 'TokenPayment' })
  .transform(({ total, type, data }) => {
    const summary = { type, brand: null, last_four: null, expiry_month: null, expiry_year: null };
    const token = new Redacted(data.token, 'token');
    return { total_cents: total, payment: { type, billing: addressOf(data), token, summary } satisfies Payment };
  });

const UntypedPayment = z.object({ total: paymentTotal, data: z.looseObject({}) });

/** `payment` of a purchase. Of an unknown type, its total and data are still checked. */
export const SubmittedPayment = z.discriminatedUnion('type', [CardPayment, TokenPayment]).superRefine(
  (payment, context) => {
    for (const issue of UntypedPayment.safeParse(payment).error?.issues ?? []) {
      context.issues.push({ ...issue, input: undefined });
    }
  },
  { when: ({ issues }) => issues.some(({ path }) => path?.[0] === 'type') },
);

/** The total of a payment whose other fields may be invalid. */
export const PaymentTotal = z.object({ total: paymentTotal.optional().catch(undefined) });

/** The expiry date of a card whose other fields may be invalid. */
export const CardExpiry = z.object({
  payment: z.object({ type: z.literal('creditcard'), data: z.object(expiry) }),
});

/** Returns whether a card has expired at `now` (ms since the epoch). Without an expiry date nothing has. */
export function isExpired(
  card: Partial<Pick<PaymentSummary, 'expiry_month' | 'expiry_year'>> = {},
  now: number,
): boolean {
  const { expiry_month: month, expiry_year: year } = card;
  return typeof month === 'number' && typeof year === 'number' && !isCurrent(year, month, now);
}

function rejected(context: z.core.$RefinementCtx, { error }: { error: string }): never {
  context.addIssue(error);
  return z.NEVER;
}

function hasBrandAndCvv({ value }: z.core.ParsePayload): boolean {
  return isJsonObject(value) && isJsonObject(value['card_number']) && typeof value['cvv'] === 'string';
}
