import { z } from 'zod';
import { STATUS_VALUES } from '#domain/status';
import { FASTEST_DELIVERY, USUAL_WEBHOOK_RATE } from './delivery.limits.js';
import { text } from '#base/text';

const EVENT_TYPES = ['order.status', 'refund.succeeded', 'refund.failed', 'dispute.opened', 'dispute.closed'] as const;
const STATES = ['active', 'paused', 'disabled'] as const;
const KINDS = ['http', 'nats', 'rabbitmq', 's3'] as const;
const METHODS = ['POST', 'PUBLISH', 'PUT'] as const;
const DELIVERY_STATES = ['pending', 'delivered', 'parked'] as const;
const MOST_A_PAGE = 200;
const DAY_SECONDS = 24 * 60 * 60;

const url = text(2_048).min(1).meta({
  description:
    'a public https address without user and fragment; or `tls://user:password@host:port/prefix` of NATS, `amqps://user:password@host:port/vhost/exchange` of RabbitMQ, or `s3://bucket/folder`',
});

/**
 * The options of a webhook. The bodies of POST and PATCH, the columns that are written and read, the answer and the options of the CLI
 * follow from this list.
 */
const OPTIONS = {
  description: text(1_000).nullable(),
  statuses: z.array(z.enum(STATUS_VALUES)).min(1).nullable().meta({ description: 'only these; null means all' }),
  event_types: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .nullable()
    .meta({ description: 'these; null means `order.status` only, to which `statuses` applies' }),
  rate_per_second: z
    .int()
    .min(1)
    .max(FASTEST_DELIVERY)
    .meta({ description: 'maximum deliveries per second, also while it catches up' }),
};
export type WebhookOptions = z.output<z.ZodObject<typeof OPTIONS>>;

const DEFAULTS: WebhookOptions = {
  description: null,
  statuses: null,
  event_types: null,
  rate_per_second: USUAL_WEBHOOK_RATE,
};

/** The names of the options, which are those of their columns. */
export const WEBHOOK_OPTIONS = Object.keys(OPTIONS) as readonly (keyof WebhookOptions)[];

const types = OPTIONS.event_types.optional().meta({ description: 'another name of `event_types`' });

/** Both names mean the same; `types` counts where both are there. */
function withTypes<W extends Readonly<{ types?: WebhookOptions['event_types'] | undefined }>>({
  types,
  ...webhook
}: W) {
  return types === undefined ? webhook : { ...webhook, event_types: types };
}

const secret = text(200).meta({ description: '`whsec_` and 24 to 64 bytes in base64; generated if missing' });

/** Body of POST /backoffice/v1/webhooks. */
export const NewWebhook = z
  .strictObject({
    url,
    ...withDefaults(OPTIONS, DEFAULTS),
    types,
    secret: secret.optional(),
    from_position: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'start after this position of the ping stream; default: only new entries' }),
  })
  .meta({
    id: 'NewWebhook',
    examples: [
      { url: 'https://warehouse.example/hooks', statuses: ['confirmed', 'rejected'], description: 'Warehouse' },
    ],
  })
  .transform(withTypes);
export type NewWebhook = z.output<typeof NewWebhook>;

/** Body of PATCH /backoffice/v1/webhooks/{id}. */
export const WebhookChange = z
  .strictObject({ url, ...OPTIONS, types, state: z.enum(['active', 'paused']) })
  .partial()
  .meta({ id: 'WebhookChange', examples: [{ statuses: null, rate_per_second: 100 }] })
  .transform(withTypes);
export type WebhookChange = z.output<typeof WebhookChange>;

const seconds = z
  .int()
  .min(0)
  .max(30 * DAY_SECONDS);

/** Body of POST /backoffice/v1/webhooks/{id}/rotate. */
export const SecretRotation = z
  .strictObject({
    overlap_seconds: seconds.default(DAY_SECONDS).meta({ description: 'how long the earlier secrets also sign' }),
    secret: secret.optional(),
  })
  .meta({ id: 'SecretRotation', examples: [{ overlap_seconds: 3600 }] });
export type SecretRotation = z.output<typeof SecretRotation>;

export const Webhook = z
  .object({
    id: z.string(),
    url: url.meta({ description: 'without user and password, which are never shown' }),
    kind: z.enum(KINDS),
    ...OPTIONS,
    types: OPTIONS.event_types.meta({ description: 'the same as `event_types`' }),
    state: z.enum(STATES).meta({ description: 'disabled: the receiver answered 410 Gone; `resume` starts it again' }),
    disabled_reason: z.string().nullable(),
    breaker: z.object({
      state: z.enum(['closed', 'open', 'half_open']),
      failures: z.int().meta({ description: 'in a row' }),
      open_until: z.iso.datetime().nullable().meta({ description: 'when the next attempt is made' }),
    }),
    from_position: z.int(),
    position: z.int().meta({ description: 'the last position of the ping stream that was read for it' }),
    pending: z.int(),
    parked: z.int(),
    oldest_pending_at: z.iso.datetime().nullable(),
    secrets: z
      .array(z.object({ id: z.string(), created_at: z.iso.datetime(), expires_at: z.iso.datetime().nullable() }))
      .meta({ description: 'secrets in use, newest first' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

/** The only answer that shows a secret. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() }).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookList = z.object({ webhooks: z.array(Webhook) }).meta({ id: 'WebhookList' });
export type WebhookList = z.infer<typeof WebhookList>;

const request = z
  .object({ method: z.enum(METHODS), url: z.string(), headers: z.record(z.string(), z.string()) })
  .meta({ description: 'without its signature' });

const answer = {
  http_status: z.int().nullable(),
  error: z.string().nullable().meta({ description: 'null if it was delivered' }),
  answer: z.string().nullable().meta({ description: 'the first 2 KiB of the response' }),
  duration_ms: z.int(),
};

/** The result of a test message. */
export const TestDelivery = z
  .object({ delivered: z.boolean(), ...answer, request: request.extend({ body: z.record(z.string(), z.unknown()) }) })
  .meta({ id: 'TestDelivery' });
export type TestDelivery = z.infer<typeof TestDelivery>;

export const WebhookDelivery = z
  .object({
    id: z.string(),
    webhook_id: z.string(),
    position: z.int(),
    order_id: z.string(),
    state: z.enum(DELIVERY_STATES).meta({ description: 'parked: the retry schedule is over' }),
    tries: z.int(),
    next_try_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    delivered_at: z.iso.datetime().nullable(),
    body: z.record(z.string(), z.unknown()).meta({ description: 'the same in every attempt' }),
    attempts: z.array(z.object({ attempt: z.int(), started_at: z.iso.datetime(), ...answer, request })),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const page = {
  limit: z.coerce.number().int().min(1).max(MOST_A_PAGE).default(50),
  cursor: text(512).optional().meta({ description: '`next_cursor` of the page before' }),
};
const nextCursor = z.string().nullable().meta({ description: 'null on the last page' });

/** Query of GET /backoffice/v1/webhooks/{id}/deliveries. */
export const WebhookDeliveryQuery = z.strictObject({ state: z.enum(DELIVERY_STATES).optional(), ...page });
export type WebhookDeliveryQuery = z.output<typeof WebhookDeliveryQuery>;

export const WebhookDeliveryList = z
  .object({ deliveries: z.array(WebhookDelivery), next_cursor: nextCursor })
  .meta({ id: 'WebhookDeliveryList' });
export type WebhookDeliveryList = z.infer<typeof WebhookDeliveryList>;

/** Query of GET /backoffice/v1/notices. */
export const NoticeQuery = z.strictObject({ ...page, subject: text(255).optional() });
export type NoticeQuery = z.output<typeof NoticeQuery>;

export const NoticeList = z
  .object({
    notices: z.array(
      z.object({
        id: z.int(),
        kind: z.string().meta({ description: 'webhook.disabled, webhook.breaker_opened, webhook.caught_up' }),
        subject: z.string().meta({ description: 'the id of a webhook' }),
        message: z.string(),
        created_at: z.iso.datetime(),
      }),
    ),
    next_cursor: nextCursor,
  })
  .meta({ id: 'NoticeList' });
export type NoticeList = z.infer<typeof NoticeList>;

type Shape = Readonly<Record<string, z.ZodType>>;

function withDefaults<S extends Shape>(shape: S, defaults: { readonly [Name in keyof S]: z.output<S[Name]> }) {
  const optional = Object.entries(shape).map(([name, schema]) => [name, schema.default(defaults[name])]);
  return Object.fromEntries(optional) as { [Name in keyof S]: z.ZodDefault<S[Name]> };
}
