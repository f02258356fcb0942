import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { stringifyJson } from '#base/json';
import { DatabaseClock } from '#database/database-clock';
import type { ProviderEvent, ProviderFact } from '#payments/provider-events';
import type { ProviderEventEntry, ProviderEventQuery } from '../provider-event.contract.js';

/** An event that is to be worked on. `created_at` is the provider's time, ISO 8601. */
export type WaitingEvent = Readonly<{
  provider: string;
  id: string;
  fact: ProviderFact;
  tries: number;
  receivedAt: Date;
}>;

// Longer than an attempt takes: until then no other process takes the event.
const LEASE_MS = 60_000;

// The waits are 1 s, 2 s, 4 s … and then 10 minutes.
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;

const ADD = `
  insert into provider_events (provider, id, type, reference, order_id, fact, state, created_at, received_at, next_try_at)
  select provider, id, type, reference, order_id, fact, state, created_at, $2, case when state = 'waiting' then $2::timestamptz end
  from json_to_recordset($1) as told (provider text, id text, type text, reference text, order_id text, fact jsonb, state text,
    created_at timestamptz)
  on conflict (provider, id) do nothing`;

const TAKE = `
  update provider_events e set next_try_at = $1::timestamptz + $2 * interval '1 ms', tries = tries + 1
  from (select provider, id from provider_events where next_try_at <= $1 order by next_try_at limit $3 for update skip locked) due
  where e.provider = due.provider and e.id = due.id
  returning e.provider, e.id, e.fact, e.tries, e.received_at as "receivedAt"`;

const LIST = `
  select id, provider, type, reference, order_id, state, received_at, tries, error from provider_events
  where ($1::text is null or provider = $1) and ($2::text is null or state = $2) and ($3::text is null or order_id = $3)
    and ($4::text is null or reference = $4)
    and ($5::timestamptz is null or (received_at, provider, id) < ($5::timestamptz, $6, $7))
  order by received_at desc, provider desc, id desc limit $8`;

/** Where a page of the list goes on: after this event. */
export type EventCursor = Readonly<{ receivedAt: string; provider: string; id: string }>;

/** What providers told us: kept before it is answered, worked on afterwards. One row for each event, however often it comes. */
@Injectable()
export class ProviderEventInbox {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async add(provider: string, events: readonly ProviderEvent[]): Promise<void> {
    const rows = events.map(({ id, type, createdAt, fact }) => ({
      provider,
      id,
      type,
      reference: referenceOf(fact),
      order_id: 'orderId' in fact ? fact.orderId : null,
      fact,
      state: fact.is === 'nothing' ? 'ignored' : 'waiting',
      created_at: createdAt,
    }));
    await this.pool.query(ADD, [stringifyJson(rows), this.clock.iso()]);
  }

  /** The events that are due, which no other process takes for a minute. */
  async take(limit: number): Promise<WaitingEvent[]> {
    const { rows } = await this.pool.query<WaitingEvent>(TAKE, [this.clock.iso(), LEASE_MS, limit]);
    return rows;
  }

  async end(
    { provider, id }: WaitingEvent,
    state: 'done' | 'ignored' | 'failed',
    orderId: string | null,
    error: string | null = null,
  ): Promise<void> {
    await this.pool.query(
      `update provider_events set state = $3, next_try_at = null, error = $5, order_id = coalesce($4, order_id)
      where provider = $1 and id = $2`,
      [provider, id, state, orderId, error],
    );
  }

  async later({ provider, id, tries }: WaitingEvent, error: string): Promise<void> {
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 20));
    await this.pool.query('update provider_events set next_try_at = $3, error = $4 where provider = $1 and id = $2', [
      provider,
      id,
      new Date(this.clock.now() + waitMs).toISOString(),
      error,
    ]);
  }

  /** Newest first. */
  async list(
    { provider, state, order_id, reference }: Omit<ProviderEventQuery, 'cursor' | 'limit'>,
    { limit, after }: Readonly<{ limit: number; after: EventCursor | undefined }>,
  ): Promise<ProviderEventEntry[]> {
    const { rows } = await this.pool.query<Omit<ProviderEventEntry, 'received_at'> & { received_at: Date }>(LIST, [
      provider ?? null,
      state ?? null,
      order_id ?? null,
      reference ?? null,
      after?.receivedAt ?? null,
      after?.provider ?? null,
      after?.id ?? null,
      limit,
    ]);
    return rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() }));
  }

  /** The last event that was read from the provider's list. Null before the first. */
  async lastRead(provider: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ last_event: string }>(
      'select last_event from provider_cursors where provider = $1',
      [provider],
    );
    return rows[0]?.last_event ?? null;
  }

  async markRead(provider: string, lastEvent: string): Promise<void> {
    await this.pool.query(
      `insert into provider_cursors (provider, last_event) values ($1, $2)
      on conflict (provider) do update set last_event = excluded.last_event`,
      [provider, lastEvent],
    );
  }
}

function referenceOf(fact: ProviderFact): string | null {
  if (fact.is === 'nothing') return null;
  return fact.is === 'payout' ? fact.reference : fact.payment;
}
