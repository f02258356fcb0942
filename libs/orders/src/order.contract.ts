import { z } from 'zod';
import { PAYMENT_STATES } from '#domain/payment-amounts';
import { AskedMatch, MATCH_FIELDS } from './asked-match.contract.js';
import { STAGES } from '#domain/order-state';
import { STATUS_VALUES } from '#domain/status';
import { countryCode } from '#listings/addresses.contract';
import { OrderChoice } from './choice.contract.js';
import { OrderDelivery } from './delivery.contract.js';
import { Fulfillment, Purchase, Status, StatusHistoryEntry } from './purchase.contract.js';
import { emailAddress } from '#base/email-address';
import { instant, periodEnd } from '#web/instant.contract';
import { several } from '#web/several.contract';
import { text } from '#base/text';
import { TrackingNumber } from '#web/tracking-number.contract';
import { Ping } from '#outbound/ping.contract';
import { LONGEST_BUYER_TEXT, LONGEST_CHANGE_NOTE, LONGEST_REVEAL_REASON, MOST_ORDERS_A_PAGE } from './order.limits.js';
import { Replacement } from './replacement.contract.js';

export const ORDER_SORTS = [
  'placed_at.desc',
  'placed_at.asc',
  'updated_at.desc',
  'updated_at.asc',
  'confirm_by.asc',
] as const;

// The database stores codes as int.
const LARGEST_CODE = 2 ** 31 - 1;
const term = text(255).min(1);
// A transaction id can be as long as the headers of a request: 16 KiB.
const LONGEST_QUESTION = 16_384;

/** The content of `next_cursor`: the sorted column's value and the id that breaks ties. Orders without a deadline come last. */
export const OrderListCursor = z.tuple([z.union([instant, z.literal('infinity')]), term]);

/** Query of GET /backoffice/v1/orders. */
export const OrderListQuery = z.strictObject({
  status: several(z.enum(STATUS_VALUES)).meta({
    description: `one or several of ${STATUS_VALUES.join(', ')}`,
  }),
  status_code: several(z.coerce.number().int().min(0).max(LARGEST_CODE)).meta({
    description: 'one or several codes of the catalogue',
  }),
  q: text(LONGEST_QUESTION)
    .trim()
    .min(1)
    .optional()
    .meta({
      description:
        'the whole order id, ref_id, listing, event or transaction id, or of the buyer the e-mail address, phone number or names, as in ' +
        'POST /orders/search',
    }),
  event_id: term.optional(),
  listing_id: term.optional(),
  ref_id: term.optional(),
  client_id: term.optional(),
  stage: z
    .enum([...STAGES, 'all'])
    .default('placed')
    .meta({ description: 'purchases that never became an order have the stages declined and failed' }),
  placed_from: instant.optional().meta({ description: 'inclusive' }),
  placed_to: periodEnd
    .optional()
    .meta({ description: 'exclusive, but a day without a time includes that whole day (UTC)' }),
  sort: z.enum(ORDER_SORTS).default('placed_at.desc'),
  limit: z.coerce.number().int().min(1).max(MOST_ORDERS_A_PAGE).default(50),
  cursor: z.string().max(512).optional().meta({ description: '`next_cursor` of the page before' }),
});
export type OrderListQuery = z.output<typeof OrderListQuery>;

/** Query of GET /backoffice/v1/orders/count: the filters of the list. */
export const OrderCountQuery = OrderListQuery.omit({ sort: true, limit: true, cursor: true });
export type OrderCountQuery = z.output<typeof OrderCountQuery>;

export const OrderCount = z.object({ count: z.int().min(0) }).meta({ id: 'OrderCount' });
export type OrderCount = z.infer<typeof OrderCount>;

/** An order in a list. Amounts in US dollars. */
export const OrderSummary = Purchase.omit({ status_history: true })
  .extend({
    status: Status.nullable().meta({ description: 'null while the payment is open, and if the payment failed' }),
    version: z
      .int()
      .meta({ description: 'send it as `If-Match`, to change the order only if nobody else has changed it' }),
    client_id: z.string(),
    variant: z.enum(['payment', 'wholesale']),
    stage: z.enum(STAGES),
    external_id: z.string().nullable().meta({ description: "the seller's own id of the listing" }),
    speculative: z.boolean().meta({ description: 'the seller did not have the tickets when they were sold' }),
    total: z.number(),
    transaction_id: z.string(),
    section: z.string().nullable().meta({ description: 'of the listing; null if there is none' }),
    row: z.string().nullable(),
    seller: z.string().nullable(),
    card_last4: z.string().nullable().meta({ description: 'the last four digits of the card' }),
    contact: z
      .object({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
      .nullable()
      .meta({ description: 'who bought; masked like the rest, but for the part that a search has met' }),
    matched: z
      .array(AskedMatch)
      .exactOptional()
      .meta({ description: 'in the answer to `q`: where it met the order, and which part of the value' }),
    personal_data: z.enum(['none', 'kept', 'erased', 'unreadable']).meta({
      description: 'unreadable: it is damaged, or encrypted with another ENCRYPTION_KEY',
    }),
    personal_data_masked: z.boolean().meta({
      description: "true: the buyer's data is masked, e.g. `a••@example.com`; `POST …/personal-data/reveal` shows it",
    }),
    placed_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    confirm_by: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'deadline for the broker to confirm; null if the order does not wait for the broker' }),
    delivery: OrderDelivery,
    choice: OrderChoice.nullable().meta({
      description: 'of a show that was postponed; null if the buyer was not asked',
    }),
    assignee: z
      .string()
      .nullable()
      .meta({ description: 'the id of the operator who takes care of it; null for brokers' }),
    assignee_name: z.string().nullable(),
    tags: z.array(z.string()).meta({ description: 'none for brokers' }),
    desk_version: z
      .int()
      .meta({ description: 'counts the changes of tags and assignee; send it as `If-Match` when you change them' }),
  })
  .meta({ id: 'OrderSummary' });
export type OrderSummary = z.infer<typeof OrderSummary>;

export const OrderList = z
  .object({
    orders: z.array(OrderSummary),
    next_cursor: z.string().nullable().meta({ description: 'null on the last page' }),
    searched: z.array(z.enum(MATCH_FIELDS)).exactOptional().meta({
      description:
        'in the answer to `q`: what it was compared with. What it cannot be, and what the caller may not ask, is left out',
    }),
  })
  .meta({ id: 'OrderList' });
export type OrderList = z.infer<typeof OrderList>;

const Payment = z
  .object({
    type: z.enum(['creditcard', 'providera_token', 'providerb_token']),
    brand: z.string().nullable(),
    last_four: z.string().nullable(),
    expiry_month: z.int().nullable(),
    expiry_year: z.int().nullable(),
    state: z.enum(PAYMENT_STATES),
    provider: z.string().nullable(),
    reference: z.string().nullable(),
    reason: z.string().nullable(),
    currency: z.string().meta({ description: 'ISO 4217; of all amounts here' }),
    authorised: z.number(),
    captured: z.number(),
    refunded: z.number(),
    pending_refunds: z.number().meta({ description: 'refunds that are pending or wait for an approval' }),
    refundable: z.number().meta({ description: 'what can still be asked for' }),
    capture_before: z.iso.datetime().nullable().meta({ description: 'when the hold ends by itself' }),
    dispute: z
      .object({ id: z.string(), state: z.string(), amount: z.number(), due_at: z.iso.datetime().nullable() })
      .nullable()
      .meta({ description: 'the open dispute, or else the last one' }),
    returned: z.number().exactOptional().meta({
      description: 'US dollars that the buyer got back for cheaper tickets; the total of the order is without them',
    }),
    return_due: z.number().exactOptional().meta({
      description: 'the same, until the payment provider has given it back',
    }),
    billing: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'null after the personal data was erased' }),
  })
  .meta({ id: 'Payment' });

/** All that support needs to explain what happened to an order. */
export const OrderDetail = OrderSummary.extend({
  status_history: z.array(
    StatusHistoryEntry.extend({
      actor: z.string(),
      note: z.string().nullable().meta({ description: 'brokers read only their own' }),
      fulfillment: Fulfillment.exactOptional().meta({
        description: 'only for a corrected fulfillment, whose entry repeats the status: the corrected value',
      }),
    }),
  ),
  buyer: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'the buyer; null if there is none, or after it was erased' }),
  payment: Payment.nullable(),
  trusted: z.boolean(),
  card_data_in_ref_id: z.boolean().meta({
    description: 'the `ref_id` looks like a card number; it is kept, because the platform gets it back byte for byte',
  }),
  replacement: Replacement.nullable().meta({ description: 'the last offer of other tickets' }),
  pings: z.array(Ping),
}).meta({ id: 'OrderDetail' });
export type OrderDetail = z.infer<typeof OrderDetail>;

const note = text(LONGEST_CHANGE_NOTE).nullish().meta({ description: 'stored with the change, for colleagues' });

/** Body of POST /backoffice/v1/orders/{id}/status. */
export const StatusChange = z
  .strictObject({ status_code: z.int(), note })
  .meta({ id: 'StatusChange', examples: [{ status_code: 2000, note: 'The broker has the tickets.' }] });
export type StatusChange = z.infer<typeof StatusChange>;

const sendPing = z.boolean().nullish().meta({
  description:
    "true sends the order's latest ping again when the status stays as it is; the platform reads the new data",
});

/** Body of POST /backoffice/v1/orders/{id}/fulfillment. */
export const FulfillmentChange = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('ship'),
      data: z.strictObject({ carrier: text(100).min(1), tracking_number: TrackingNumber }),
      note,
      send_ping: sendPing,
    }),
    z.strictObject({
      type: z.literal('download'),
      data: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_048) }),
      note,
      send_ping: sendPing,
    }),
  ])
  .meta({
    id: 'FulfillmentChange',
    examples: [{ type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z999AA10123456784' } }],
  });
export type FulfillmentChange = z.infer<typeof FulfillmentChange>;

export const OrderEvents = z
  .object({
    events: z.array(
      z.object({
        position: z.int(),
        global_position: z
          .int()
          .nullable()
          .meta({ description: 'position in the feed of all events; null for a moment after the event was recorded' }),
        event_id: z.string(),
        type: z.string(),
        data: z.record(z.string(), z.unknown()),
        metadata: z.record(z.string(), z.unknown()),
        recorded_at: z.iso.datetime(),
        hash: z.string().meta({ description: 'hex; covers the hash of the event before and this event' }),
      }),
    ),
  })
  .meta({ id: 'OrderEvents' });
export type OrderEvents = z.infer<typeof OrderEvents>;

/** Body of POST /backoffice/v1/orders/{id}/personal-data/reveal. */
export const Revelation = z
  .strictObject({
    reason: text(LONGEST_REVEAL_REASON).trim().min(1).meta({ description: 'kept in the audit log; no personal data' }),
  })
  .meta({ id: 'Revelation', examples: [{ reason: 'The buyer asks whether the address is right.' }] });
export type Revelation = z.infer<typeof Revelation>;

const revealed = z.record(z.string(), z.unknown());

/** The buyer's data in clear. */
export const RevealedData = z
  .object({
    buyer: revealed.nullable(),
    delivery_method: z.object({ type: z.string(), data: revealed }),
    payment: z.object({ billing: revealed.nullable() }).nullable(),
  })
  .meta({ id: 'RevealedData', description: 'the parts of the order that are masked, in clear' });
export type RevealedData = z.infer<typeof RevealedData>;

/** Query of GET /backoffice/v1/orders/{id}. */
export const OrderAsOf = z
  .strictObject({
    version: z.coerce.number().int().optional().meta({ description: 'the order as it was at this version' }),
    at: instant.optional().meta({ description: 'the order as it was at this instant' }),
  })
  .refine(({ version, at }) => version === undefined || at === undefined, {
    path: ['at'],
    message: 'cannot be combined with version',
  });
export type OrderAsOf = z.output<typeof OrderAsOf>;

/** Query of GET /backoffice/v1/orders/{id}/changes. */
export const OrderChangesQuery = z
  .strictObject({
    from: z.coerce.number().int().meta({ description: 'a version of the order' }),
    to: z.coerce.number().int().meta({ description: 'a later version' }),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be greater than from' });
export type OrderChangesQuery = z.output<typeof OrderChangesQuery>;

/** What differs between two versions of an order, and the events between them. */
export const OrderChanges = OrderEvents.extend({
  changes: z.array(
    z.object({
      path: z.string().meta({ description: 'JSON Pointer into the order, e.g. `/status/status_code`' }),
      before: z.unknown().meta({ description: 'null if there was none' }),
      after: z.unknown().meta({ description: 'null if there is none' }),
    }),
  ),
}).meta({ id: 'OrderChanges' });
export type OrderChanges = z.infer<typeof OrderChanges>;

const named = text(LONGEST_BUYER_TEXT).trim().min(1).optional();
const maybeEmpty = text(LONGEST_BUYER_TEXT).trim().optional();

/** Body of PATCH /backoffice/v1/orders/{id}/buyer. */
export const BuyerChange = z
  .strictObject({
    first_name: named,
    last_name: maybeEmpty.meta({ description: 'empty for a person with one name' }),
    email: emailAddress().optional(),
    phone: named,
    address: z
      .strictObject({
        address1: named,
        address2: maybeEmpty,
        city: named,
        state: named,
        zip: maybeEmpty,
        country: text(2)
          .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code of two capital letters')
          .overwrite((country) => countryCode(country) ?? country)
          .optional(),
      })
      .optional(),
    send_ping: sendPing,
  })
  .refine((change) => Object.entries(change).some(([name, value]) => name !== 'send_ping' && value !== undefined), {
    message: 'must correct at least one field',
  })
  .meta({ id: 'BuyerChange', examples: [{ email: 'ada@example.com' }] });
export type BuyerChange = z.infer<typeof BuyerChange>;
