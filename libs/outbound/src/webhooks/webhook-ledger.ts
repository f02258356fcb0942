import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { type Attempt, attemptColumns } from '#delivery-kit/attempt';
import { Batcher } from '#delivery-kit/batcher';
import { type Lease as LeaseOf, newFence, takeLeases } from '#delivery-kit/lease';
import { releaseWithRetry } from '#delivery-kit/lease-release';
import type { Clock } from '#base/clock';
import { Randomness } from '#base/randomness';
import { type Endpoint, type EndpointRow, Signers } from '../endpoint.js';
import { DUE, ENDPOINTS, INGEST, RECORD, RELEASE, TAKE } from './webhook-ledger-statements.js';
import type { Entry } from '../webhook-message.js';
import { WebhookSettings } from './webhook-settings.js';

export type Lease = LeaseOf<'webhookId'>;

export type DueDelivery = Entry &
  Readonly<{
    position: number;
    orderId: string;
    /** Failed attempts since `dueSince`. */
    tries: number;
    /** When it was first attempted. Null before that. */
    dueSince: number | null;
    /** Of the append that it tells of. Null if no trace was recorded. */
    traceparent: string | null;
  }>;

export type WebhookAttempt = Attempt & Readonly<{ position: number; orderId: string; url: string }>;

/** `more`: the stream has further entries. Undefined if another worker has taken the lease or the endpoint was removed. */
export type Ingested = Readonly<{ version: number; more: boolean }> | undefined;
/** `next` is the order's next due delivery. Undefined as above. */
export type Recorded = Readonly<{ version: number; next: DueDelivery | undefined }> | undefined;

export type DueDeliveries = Readonly<{
  due: readonly DueDelivery[];
  /** When the next delivery after these becomes due. */
  nextDue: number | undefined;
}>;

type DueQuery = Readonly<{ webhookId: string; until: number }>;
type Release = Lease & Readonly<{ pacedUntil: number | null; evenIfWoken: boolean }>;

const BATCHES = { atOnce: 2, items: 200 };
// Only one batch at a time, because two would wait for each other's leases.
const RECORDS = { atOnce: 1, items: 500 };

// PostgreSQL's latest timestamp.
const ANY_TIME = 'infinity';

/** Only one worker gets the lease of an endpoint. The holder of an expired lease cannot write. Concurrent calls share their statements. */
@Injectable()
export class WebhookLedger {
  private readonly takes = new Batcher((ids: readonly string[]) => this.takeAll(ids), BATCHES);
  private readonly endpoints = new Batcher((ids: readonly string[]) => this.readEndpoints(ids), BATCHES);
  private readonly ingestions = new Batcher((leases: readonly Lease[]) => this.ingestAll(leases), RECORDS);
  private readonly dues = new Batcher((queries: readonly DueQuery[]) => this.readDue(queries), BATCHES);
  private readonly records = new Batcher(
    (attempts: readonly (Lease & WebhookAttempt)[]) => this.recordAll(attempts),
    RECORDS,
  );
  private readonly releases = new Batcher((leases: readonly Release[]) => this.releaseAll(leases), BATCHES);

  /**
   * @param pool may commit lazily: if a crash loses a record, the delivery is sent again
   * @param settings `leaseMs` must exceed the time of an attempt and its record, and the difference between two workers' clocks
   */
  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    private readonly signers: Signers,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly randomness: Randomness,
    @Inject(WebhookSettings) private readonly settings: Pick<WebhookSettings, 'leaseMs'>,
  ) {}

  /** Undefined while another worker holds the lease. That worker checks once more before it releases it. */
  async take(webhookId: string): Promise<Lease | undefined> {
    return await this.takes.add(webhookId);
  }

  async endpoint(webhookId: string): Promise<Endpoint | undefined> {
    return await this.endpoints.add(webhookId);
  }

  /** Adds deliveries for the next stream entries that the endpoint wants. */
  async ingest(lease: Lease): Promise<Ingested> {
    return await this.ingestions.add(lease);
  }

  /** The longest due first. `early` includes deliveries that are not due yet. */
  async due(webhookId: string, { early }: Readonly<{ early: boolean }>): Promise<DueDeliveries> {
    return await this.dues.add({ webhookId, until: early ? Infinity : this.clock.now() });
  }

  /** Also returns the order's next due delivery if this one is finished. */
  async record(lease: Lease, attempt: WebhookAttempt): Promise<Recorded> {
    return await this.records.add({ ...lease, ...attempt });
  }

  /** Returns false if work arrived since the last read. Then read again before you release the lease. */
  async release(lease: Lease, pacedUntil: number): Promise<boolean> {
    return await this.releases.add(this.releaseOf(lease, pacedUntil, false));
  }

  /** After an error. Otherwise the endpoint would have to wait until the lease expires. The sweep schedules it. */
  async releaseAfterError(lease: Lease, pacedUntil = 0): Promise<void> {
    const release = () => this.releases.add(this.releaseOf(lease, pacedUntil, true));
    await releaseWithRetry(release, this.settings.leaseMs, this.clock);
  }

  private releaseOf(lease: Lease, pacedUntil: number, evenIfWoken: boolean): Release {
    return { ...lease, pacedUntil: pacedUntil > this.clock.now() ? pacedUntil : null, evenIfWoken };
  }

  private async takeAll(ids: readonly string[]): Promise<(Lease | undefined)[]> {
    const fence = newFence(this.randomness);
    const take = async (wanted: readonly string[]) => {
      const values = [wanted, fence, this.time(), this.time(this.settings.leaseMs)];
      const statement = { name: 'webhook-leases-take', text: TAKE, values };
      const { rows } = await this.pool.query<{ webhook_id: string; taken: boolean }>(statement);
      return rows.filter((row) => row.taken).map(({ webhook_id }) => webhook_id);
    };
    const taken = await takeLeases(ids, take, (webhookId) => this.releaseAfterError({ webhookId, fence }));
    return ids.map((webhookId, index) => (taken[index] ? { webhookId, fence } : undefined));
  }

  private async readEndpoints(ids: readonly string[]): Promise<(Endpoint | undefined)[]> {
    const values = [ids, this.time()];
    const { rows } = await this.pool.query<EndpointRow>({ name: 'webhook-endpoints', text: ENDPOINTS, values });
    const found = new Map(rows.map((row) => [row.id, this.signers.endpoint(row)]));
    return ids.map((id) => found.get(id));
  }

  private async ingestAll(leases: readonly Lease[]): Promise<Ingested[]> {
    const { rows } = await this.pool.query<{ id: string; version: number; more: boolean }>({
      name: 'webhooks-take-in',
      text: INGEST,
      values: [...columnsOf(inOrder(leases)), this.time(), this.time(this.settings.leaseMs)],
    });
    const held = new Map(rows.map((row) => [row.id, row]));
    return leases.map(({ webhookId }) => held.get(webhookId));
  }

  private async readDue(queries: readonly DueQuery[]): Promise<DueDeliveries[]> {
    const ids = queries.map(({ webhookId }) => webhookId);
    const untils = queries.map(({ until }) => (until === Infinity ? ANY_TIME : new Date(until).toISOString()));
    const { rows } = await this.pool.query<DueRow>({
      name: 'webhook-deliveries-due',
      text: DUE,
      values: [ids, untils, this.time()],
    });
    const found = new Map(
      ids.map((id) => [id, { due: [] as DueDelivery[], nextDue: undefined as number | undefined }]),
    );
    for (const row of rows) {
      const endpoint = found.get(row.webhook_id);
      if (!endpoint) continue;
      endpoint.nextDue = row.next_due?.getTime();
      if (row.position !== null) endpoint.due.push(delivery(row));
    }
    return ids.map((id) => found.get(id) ?? { due: [], nextDue: undefined });
  }

  private async recordAll(attempts: readonly (Lease & WebhookAttempt)[]): Promise<Recorded[]> {
    const { rows } = await this.pool.query<RecordedRow>({
      name: 'webhook-attempts-record',
      text: RECORD,
      values: [JSON.stringify(inOrder(attempts).map(attemptRow)), this.time(), this.time(this.settings.leaseMs)],
    });
    const held = new Map(rows.map((row) => [`${row.webhook_id} ${row.recorded}`, row]));
    return attempts.map(({ webhookId, position }) => {
      const row = held.get(`${webhookId} ${position}`);
      return row && { version: row.version, next: row.position === null ? undefined : delivery(row) };
    });
  }

  private async releaseAll(leases: readonly Release[]): Promise<boolean[]> {
    const sorted = inOrder(leases);
    const until = sorted.map(({ pacedUntil }) => (pacedUntil === null ? null : new Date(pacedUntil)));
    const { rows } = await this.pool.query<{ id: string; rung: boolean }>({
      name: 'webhook-leases-release',
      text: RELEASE,
      values: [...columnsOf(sorted), until, sorted.map(({ evenIfWoken }) => evenIfWoken)],
    });
    const rung = new Set(rows.filter((row) => row.rung).map(({ id }) => id));
    return leases.map(({ webhookId }) => !rung.has(webhookId));
  }

  private time(laterMs = 0): Date {
    return new Date(this.clock.now() + laterMs);
  }
}

type Row = {
  webhook_id: string;
  position: number;
  order_id: string;
  tries: number;
  due_since: Date | null;
  type: string;
  id: string;
  occurred_at: Date;
  json: string;
  traceparent: string | null;
};
type NoRow = { webhook_id: string; position: null };
type DueRow = (Row | NoRow) & { next_due: Date | null };
type RecordedRow = (Row | NoRow) & { recorded: number; version: number };

function delivery(row: Row): DueDelivery {
  return {
    position: row.position,
    orderId: row.order_id,
    tries: row.tries,
    dueSince: row.due_since?.getTime() ?? null,
    type: row.type,
    id: row.id,
    occurred_at: row.occurred_at.toISOString(),
    json: row.json,
    traceparent: row.traceparent,
  };
}

/** Leases are always locked in this order, to avoid deadlocks. */
function inOrder<T extends Lease>(leases: readonly T[]): T[] {
  return leases.toSorted((a, b) => (a.webhookId < b.webhookId ? -1 : a.webhookId > b.webhookId ? 1 : 0));
}

function columnsOf(leases: readonly Lease[]): [readonly string[], readonly number[]] {
  return [leases.map(({ webhookId }) => webhookId), leases.map(({ fence }) => fence)];
}

function attemptRow({ webhookId, fence, position, orderId, url, ...attempt }: Lease & WebhookAttempt): object {
  return { id: webhookId, fence, position, order_id: orderId, url, ...attemptColumns(attempt) };
}
