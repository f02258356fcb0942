import type { Pool } from 'pg';
import { NewWebhook, type WebhookWithSecret } from '#outbound/webhook.contract';
import { Sealer } from '#base/sealing';
import { createPool } from '#database/pool';
import { AddressGuard } from '#delivery-kit/address-guard';
import type { CircuitBreakerSettings } from '#delivery-kit/circuit-breaker';
import type { RetryPolicy } from '#delivery-kit/retry-schedule';
import type { Clock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import type { S3Settings } from '#platform/s3-connection';
import { Signers } from '#outbound/endpoint';
import { EndpointRecord, type Notice, type NoticeKind } from '#outbound/webhooks/endpoint-record';
import { WebhookDelivery } from '#outbound/webhooks/webhook-delivery';
import { WebhookLedger } from '#outbound/webhooks/webhook-ledger';
import { WebhookSender } from '#outbound/webhooks/webhook-sender';
import { Destinations } from '#outbound/webhooks/destinations';
import { Webhooks } from '#outbound/webhooks';
import { createTestDatabase } from '../database.js';
import { LogDouble } from '../log-double.js';
import { orderNo } from '../pings/ping-rows.js';
import { type Break, lossyPool } from '../postgres/lossy-pool.js';
import { acceptWebhook, WebhookDouble } from './webhook-double.js';

export const RETRY = { firstMs: 5_000, maxMs: 60_000, forMs: 600_000 };
export const BREAKER = { failuresToOpen: 4, firstMs: 10_000, maxMs: 40_000 };
export const AT_ONCE = 3;

const S3_SETTINGS: S3Settings = {
  S3_REGION: 'us-east-1',
  S3_ENDPOINT: undefined,
  S3_ACCESS_KEY_ID: undefined,
  S3_SECRET_ACCESS_KEY: undefined,
};

const TERMS = NewWebhook.parse({ url: 'https://a', rate_per_second: 10_000 });

export type WebhookStand = Readonly<{
  pool: Pool;
  owner: Pool;
  sealer: Sealer;
  webhooks: Webhooks;
  receiver: WebhookDouble;
  /** The notices of all workers. */
  notices: Notice[];
  /** Creates a worker that shares nothing with others. */
  worker(options?: WorkerOptions): Worker;
  create(url: string, terms?: Partial<NewWebhook>): Promise<WebhookWithSecret>;
  /** Unused order numbers. */
  orders(count: number): number[];
  /** Adds an entry to the ping stream for the next status of each order. */
  addEntries(...orders: readonly number[]): Promise<void>;
  /** Adds what is told of the money of an order. */
  addMoneyEntry(order: number, type: string): Promise<void>;
  /** The deliveries to a webhook, in stream order. */
  deliveriesOf(webhook: Readonly<{ id: string }>): Promise<readonly DeliveryState[]>;
  statesOf(webhook: Readonly<{ id: string }>): Promise<readonly string[]>;
  /** For use between tests: clears what arrived and all notices, and accepts everything again. */
  forget(): void;
  stop(): Promise<void>;
}>;

type DeliveryState = Readonly<{
  position: number;
  state: string;
  tries: number;
  attempts: number;
  next_try_at: Date | null;
}>;

type WorkerOptions = Partial<
  Readonly<{
    leaseMs: number;
    timeoutMs: number;
    retry: RetryPolicy;
    breaker: CircuitBreakerSettings;
    lingerMs: number;
    breaks: readonly Break[];
    s3: Partial<S3Settings>;
  }>
>;

type Worker = Readonly<{ delivery: WebhookDelivery; ledger: WebhookLedger; record: EndpointRecord }>;

/** The epoch in the header of the stand's deliveries. */
export const EPOCH = 'epoch-of-the-stand';

/** Webhook delivery on its own database with a receiver, without queues and api. */
export async function createWebhookStand(clock: Clock): Promise<WebhookStand> {
  const [database, receiver] = await Promise.all([createTestDatabase(), WebhookDouble.start()]);
  const options = { databaseUrl: database.url, applicationName: 'test', onError: () => undefined };
  const pool = createPool({ ...options, max: 8, lazyCommit: true, byIndex: true });
  const owner = createPool({ ...options, max: 2, asOwner: true });
  const randomness = new SystemRandomness();
  const sealer = new Sealer(Buffer.alloc(32, 7), randomness);
  const guard = new AddressGuard(true);
  const webhooks = new Webhooks(pool, guard, sealer, clock, { ids: new TimeOrderedIds(), randomness });
  const notices: Notice[] = [];
  const senders: Destinations[] = [];
  const sequences = new Map<number, number>();
  let position = 0;
  let ordersUsed = 0;
  const deliveriesOf: WebhookStand['deliveriesOf'] = async ({ id }) => {
    const { rows } = await pool.query<DeliveryState>(
      'select position, state, tries, attempts, next_try_at from webhook_deliveries where webhook_id = $1 order by 1',
      [id],
    );
    return rows;
  };
  return {
    pool,
    owner,
    sealer,
    webhooks,
    receiver,
    notices,
    worker(options: WorkerOptions = {}) {
      const {
        leaseMs = 20_000,
        timeoutMs = 5_000,
        retry = RETRY,
        breaker = BREAKER,
        lingerMs = 0,
        breaks = [],
        s3 = {},
      } = options;
      const http = new WebhookSender(guard, clock, { timeoutMs, connections: AT_ONCE });
      const destinations = new Destinations(http, guard, { timeoutMs }, { ...S3_SETTINGS, ...s3 });
      senders.push(destinations);
      const ledger = new WebhookLedger(
        lossyPool(pool, ...breaks),
        new Signers(sealer, new LogDouble()),
        clock,
        randomness,
        {
          leaseMs,
        },
      );
      const warn = (fields: unknown, message?: unknown) => {
        const { kind, webhook_id: subject } = fields as { kind: NoticeKind; webhook_id: string };
        notices.push({ kind, subject, message: String(message) });
      };
      const record = new EndpointRecord(pool, clock, { warn });
      const [onAttempt, epoch] = [() => undefined, () => EPOCH];
      const dependencies = {
        ledger,
        destinations,
        clock,
        randomness,
        retry,
        onAttempt,
        epoch,
        lingerMs: () => lingerMs,
      };
      const settings = { retry, breaker, atOnce: AT_ONCE };
      return { ledger, record, delivery: new WebhookDelivery(dependencies, record, settings) };
    },
    async create(url, terms = {}) {
      const made = await webhooks.create({ ...TERMS, url, ...terms });
      if ('issues' in made) throw new Error(JSON.stringify(made.issues));
      return made;
    },
    orders(count) {
      return Array.from({ length: count }, () => (ordersUsed += 1));
    },
    async addEntries(...orders) {
      const rows = orders.map((order) => {
        const sequence = (sequences.get(order) ?? 0) + 1;
        sequences.set(order, sequence);
        position += 1;
        return { position, order_id: orderNo(order), sequence };
      });
      await addStreamEntries(owner, rows);
    },
    async addMoneyEntry(order, type) {
      position += 1;
      await owner.query(
        `insert into money_stream (position, id, order_id, type, occurred_at, transaction_id, data)
         values ($1::bigint, 'mny_' || $1::text, $2, $3, '2026-11-26T10:00:00Z', 'txn', '{"amount": 12.5}')`,
        [position, orderNo(order), type],
      );
    },
    deliveriesOf,
    async statesOf(webhook) {
      return (await deliveriesOf(webhook)).map(({ state }) => state);
    },
    forget() {
      receiver.received.length = 0;
      receiver.answering = acceptWebhook;
      notices.length = 0;
    },
    async stop() {
      await receiver.stop();
      await Promise.all(senders.map((sender) => sender.close()));
      await Promise.all([pool.end(), owner.end()]);
      await database.drop();
    },
  };
}

type StreamEntry = Readonly<{ position: number; order_id: string; sequence: number }>;

/** Adds entries like the ping stream writer. The first entry of an order is pending, the others are confirmed. */
export async function addStreamEntries(owner: Pool, rows: readonly StreamEntry[]): Promise<void> {
  await owner.query(
    `insert into ping_stream (position, id, order_id, sequence, ref_id, status, status_code, status_message, occurred_at,
       transaction_id, event_id, listing_id, client_id)
     select position, 'png_' || substr(order_id, 5) || '_' || sequence, order_id, sequence, 'ref',
       case sequence when 1 then 'pending' else 'confirmed' end, 2000 + sequence, 'Status', now(), 'txn', 'evt', 'lst', 'cli'
     from json_to_recordset($1::json) as row(position bigint, order_id text, sequence int)`,
    [JSON.stringify(rows)],
  );
}
