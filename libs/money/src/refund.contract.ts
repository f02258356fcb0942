import { z } from 'zod';
import { text } from '#base/text';
import { centsOf } from '#domain/money';
import { REFUND_ORIGINS, REFUND_REASONS, type RefundReason } from '#domain/payment-events';
import type { RefundAsked } from '#domain/refunds';

const REFUND_STATES = ['waiting_for_approval', 'declined', 'pending', 'succeeded', 'failed'] as const;

const MOST_TICKETS = 10_000;

const money = (number: z.ZodNumber | z.ZodCoercedNumber) =>
  number
    .positive('must be more than 0')
    .refine((amount) => centsOf(amount) !== null, 'must have at most two decimals')
    .meta({ description: 'with at most two decimals' });
const tickets = (number: z.ZodNumber | z.ZodCoercedNumber) =>
  number.int().min(1).max(MOST_TICKETS).meta({ description: 'how many tickets; without delivery' });
const keepFees = { description: 'with `quantity`: price and tax of the tickets only' };

/** What a job refunds of each order. */
export const refundArguments = {
  amount: money(z.number()).optional(),
  quantity: tickets(z.number()).optional(),
  reason: z.enum(REFUND_REASONS),
};

export type RefundArguments = Readonly<{ amount?: number; quantity?: number; reason: RefundReason }>;

type Asked = Readonly<{
  amount?: number | undefined;
  quantity?: number | undefined;
  keep_fees?: boolean | 'true' | 'false' | undefined;
}>;

/** Adds an issue unless there is either an amount or a number of tickets. */
export function oneOfBoth({ value, issues }: z.core.ParsePayload<Asked>): void {
  const { amount, quantity, keep_fees } = value;
  const refuse = (field: keyof Asked, message: string) =>
    void issues.push({ code: 'custom', path: [field], message, input: undefined });
  if (amount === undefined && quantity === undefined) refuse('amount', 'give an amount or a quantity');
  if (amount !== undefined && quantity !== undefined) refuse('quantity', 'give an amount or a quantity, not both');
  if (quantity === undefined && keep_fees !== undefined) refuse('keep_fees', 'only with a quantity');
}

const note = text(2_000).nullish().meta({ description: 'stored with the refund, for colleagues' });

/** Body of POST /backoffice/v1/orders/{id}/refunds. */
export const NewRefund = z
  .strictObject({ ...refundArguments, keep_fees: z.boolean().optional().meta(keepFees), note })
  .check(oneOfBoth)
  .meta({ id: 'NewRefund', examples: [{ amount: 12.5, reason: 'customer_request' }] });
export type NewRefund = z.infer<typeof NewRefund>;

/** Query of GET /backoffice/v1/orders/{id}/refunds/preview. */
export const RefundPreviewQuery = z
  .strictObject({
    amount: money(z.coerce.number()).optional(),
    quantity: tickets(z.coerce.number()).optional(),
    keep_fees: z.enum(['true', 'false']).optional().meta(keepFees),
    reason: z
      .enum(REFUND_REASONS)
      .default('customer_request')
      .meta({ description: 'with `goodwill` nobody of the sale bears it' }),
  })
  .check(oneOfBoth);
export type RefundPreviewQuery = z.output<typeof RefundPreviewQuery>;

/** Body of POST …/refunds/{refund_id}/approve and …/decline. */
export const RefundAnswer = z
  .strictObject({ note })
  .meta({ id: 'RefundAnswer', examples: [{ note: 'Checked with the venue.' }] });
export type RefundAnswer = z.infer<typeof RefundAnswer>;

const time = z.iso.datetime();
const currency = z.string().meta({ description: 'ISO 4217' });

export const Refund = z
  .object({
    id: z.string(),
    reference: z.string().nullable().meta({ description: "the provider's id of it; null until there is one" }),
    state: z.enum(REFUND_STATES),
    amount: z.number(),
    currency,
    quantity: z.int().nullable(),
    reason: z.enum(REFUND_REASONS),
    note: z.string().nullable(),
    origin: z.enum(REFUND_ORIGINS).meta({
      description: '`order`: by a rejection or by cheaper tickets; `provider`: made at the payment provider itself',
    }),
    requested_by: z.string(),
    approved_by: z.string().nullable(),
    created_at: time,
    settled_at: time.nullable(),
    failure: z.string().nullable().meta({ description: 'why it failed' }),
  })
  .meta({ id: 'Refund' });
export type Refund = z.infer<typeof Refund>;

export const RefundList = z.object({ refunds: z.array(Refund) }).meta({ id: 'RefundList' });
export type RefundList = z.infer<typeof RefundList>;

export const RefundPreview = z
  .object({
    amount: z.number(),
    currency,
    refundable_after: z.number(),
    to: z.object({
      provider: z.string(),
      type: z.string(),
      brand: z.string().nullable(),
      last_four: z.string().nullable(),
    }),
    needs_approval: z.boolean().meta({ description: 'another person must approve it' }),
    lines: z
      .array(z.object({ account: z.string(), amount: z.number() }))
      .meta({ description: 'who bears it, by account of the ledger' }),
  })
  .meta({ id: 'RefundPreview' });
export type RefundPreview = z.infer<typeof RefundPreview>;

/** What a checked request asks for, in cents. */
export function askedOf({
  amount,
  quantity,
  keep_fees: keep,
  reason,
}: Asked & Readonly<{ reason: RefundReason }>): RefundAsked {
  if (quantity !== undefined) return { quantity, keepFees: keep === true || keep === 'true', reason };
  return { amountCents: centsOf(amount ?? 0) ?? 0, reason };
}
