import { z } from 'zod';
import { DISPUTE_ENDS, DISPUTE_KINDS, REFUND_ORIGINS, REFUND_REASONS } from '#domain/payment-events';
import { STREAMED_PING, StreamedPing } from './ping-stream.contract.js';
import type { WebhookOptions } from './webhook.contract.js';

const time = z.iso.datetime();

/** What tells of money. No entry of the ping stream has its `position`. */
const moneyEntry = z.object({
  id: z.string().meta({ description: 'the same in every attempt' }),
  position: z.int().meta({ description: 'only grows; gaps are never filled later' }),
  order_id: z.string(),
  occurred_at: time,
  transaction_id: z.string(),
  amount: z.number(),
  currency: z.string().meta({ description: 'ISO 4217' }),
});
const MONEY_ENTRY = {
  order_id: 'ord_01a1e3b0c2f47a51b7d09c4e6a8f1d23',
  transaction_id: 'provider_events-sandbox',
  currency: 'USD',
};

const refund = moneyEntry.extend({
  refund_id: z.string(),
  reference: z.string().nullable().meta({ description: "the provider's id of the refund" }),
  quantity: z.int().nullable().meta({ description: 'how many tickets; null for an amount' }),
  reason: z.enum(REFUND_REASONS),
  origin: z.enum(REFUND_ORIGINS).meta({
    description: '`order`: by a rejection or by cheaper tickets; `provider`: made at the payment provider itself',
  }),
});
const REFUND = {
  ...MONEY_ENTRY,
  id: 'mny_01a1e3b0c2f47a51b7d09c4e6a8f1d23_10',
  position: 196,
  occurred_at: '2026-11-22T08:00:12.004Z',
  refund_id: 'rf_01a1e9d27b3f7c14a8e05d92c6b1f374',
  reference: 'sandbox_rf_01a1e9d27b3f7c14a8e05d92c6b1f374',
  amount: 136.7,
  quantity: 1,
  reason: 'not_delivered',
  origin: 'desk',
} as const;

const dispute = moneyEntry.extend({
  dispute_id: z.string(),
  reference: z.string().nullable().meta({ description: "the provider's id of it; null without a card network" }),
  kind: z.enum(DISPUTE_KINDS),
  inquiry: z.boolean().meta({ description: 'the bank only asks, and no money has moved' }),
  reason: z.string().meta({ description: "the provider's word; without a card network the kind" }),
  due_at: time.nullable().meta({ description: 'until then it can be answered; null if nobody said' }),
});
const DISPUTE = {
  ...MONEY_ENTRY,
  id: 'mny_01a1e3b0c2f47a51b7d09c4e6a8f1d23_7',
  position: 187,
  occurred_at: '2026-11-23T23:00:31.450Z',
  dispute_id: 'dp_01a1f40c5e9a7b21b6d83f07a4c2e915',
  reference: 'sandbox_dispute_ord_01a1e3b0c2f47a51b7d09c4e6a8f1d23',
  kind: 'card',
  inquiry: false,
  reason: 'product_not_received',
  amount: 278.4,
  due_at: '2026-12-02T23:59:59.000Z',
} as const;

const failed = {
  id: 'mny_01a1e3b0c2f47a51b7d09c4e6a8f1d23_11',
  position: 204,
  occurred_at: '2026-11-24T07:12:40.911Z',
  failure: 'the account of the card is closed',
};
const closed = {
  id: 'mny_01a1e3b0c2f47a51b7d09c4e6a8f1d23_9',
  position: 231,
  occurred_at: '2026-11-26T06:41:10.004Z',
} as const;

/** What webhooks tell, by the type of the message: its `data`, and an example of it. */
export const WEBHOOK_DATA = {
  'order.status': told('An order is new, or has another status or status message.', StreamedPing, STREAMED_PING),
  'refund.succeeded': told('The buyer has the money of a refund.', refund.extend({ failure: z.null() }), {
    ...REFUND,
    failure: null,
  }),
  'refund.failed': told(
    'A refund failed, perhaps after it had succeeded.',
    refund.extend({ failure: z.string().meta({ description: 'why' }) }),
    { ...REFUND, ...failed },
  ),
  'dispute.opened': told('A buyer disputes a payment.', dispute.extend({ state: z.literal('open') }), {
    ...DISPUTE,
    state: 'open',
  }),
  'dispute.closed': told('A dispute has ended.', dispute.extend({ state: z.enum(DISPUTE_ENDS) }), {
    ...DISPUTE,
    ...closed,
    state: 'won',
  }),
} as const satisfies Readonly<Record<NonNullable<WebhookOptions['event_types']>[number], unknown>>;

/** The `data` of the message by which staff try a webhook. */
export const WebhookTest = z.object({ webhook_id: z.string(), message: z.string() });

/** The headers of every webhook (Standard Webhooks 1.0), among those of HTTP. */
export const WebhookHeaders = z
  .looseObject({
    'content-type': z.literal('application/json'),
    'user-agent': z.literal('willcall'),
    'webhook-id': z.string().meta({ description: 'the same in every attempt' }),
    'webhook-timestamp': z
      .string()
      .regex(/^\d+$/)
      .meta({ description: 'the time of the attempt, in seconds since 1970' }),
    'webhook-signature': z
      .string()
      .regex(/^v1,\S+(?: v1,\S+)*$/)
      .meta({ description: 'one for each live secret; one valid signature is enough' }),
    'willcall-epoch': z
      .string()
      .optional()
      .meta({ description: 'changes after a restore of the database; a test has none' }),
  })
  .meta({ id: 'WebhookHeaders' });

function told<Data extends z.ZodObject>(meaning: string, data: Data, example: z.output<Data>) {
  return { meaning, data, example };
}
