import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { endpointState, type EndpointState, type EndpointObservation } from './replays/endpoint-state.js';

/** Times are ISO 8601, UTC. */
export type EndpointHealth = Readonly<{
  /** `platform`, or the id of a webhook. */
  endpoint: string;
  kind: 'platform' | 'webhook';
  url: string;
  state: EndpointState;
  pending: number;
  parked: number;
  oldest_undelivered_at: string | null;
  /** In the last hour, up to the number of attempts that are read. */
  attempts: number;
  /** 0 to 1. Null without attempts. */
  success_rate: number | null;
  p50_ms: number | null;
  p99_ms: number | null;
  /** Null also if it is older than the attempts that are read. */
  last_delivered_at: string | null;
}>;

const WINDOW_MS = 3_600_000;

// The number of newest attempts that are read, for the platform and for each webhook. It keeps the query at a few milliseconds.
const PING_ATTEMPTS = 10_000;
const WEBHOOK_ATTEMPTS = 2_000;

// This many consecutive failures are no coincidence.
const LAST_ATTEMPTS = 10;

@Injectable()
export class DeliveryHealth {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(Settings) private readonly settings: Pick<Settings, 'PLATFORM_URL'>,
  ) {}

  async read(): Promise<readonly EndpointHealth[]> {
    const since = new Date(this.clock.now() - WINDOW_MS);
    const [platform, webhooks] = await Promise.all([
      this.pool.query<HealthRow>(PLATFORM_HEALTH, [since, this.settings.PLATFORM_URL ?? 'sandbox']),
      this.pool.query<HealthRow>(WEBHOOK_HEALTH, [since]),
    ]);
    return [...platform.rows, ...webhooks.rows].map((row) => this.health(row));
  }

  private health({ term, breaker, failing, endpoint, url, ...row }: HealthRow): EndpointHealth {
    const oldest = row.oldest_undelivered_at;
    const observation: EndpointObservation = {
      term,
      breaker,
      failing,
      waitedMs: oldest === null ? 0 : this.clock.now() - oldest.getTime(),
    };
    return {
      endpoint,
      kind: endpoint === 'platform' ? 'platform' : 'webhook',
      url,
      state: endpointState(observation),
      ...row,
      oldest_undelivered_at: oldest?.toISOString() ?? null,
      last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
    };
  }
}

/** Aggregates `recent`, the attempts with their column `age` (1 is the newest). $1 is the start of the window. */
const FIGURES = `
  count(*) filter (where started_at >= $1)::int as attempts,
  count(*) filter (where started_at >= $1 and error is null)::float8
    / nullif(count(*) filter (where started_at >= $1), 0) as success_rate,
  percentile_disc(0.5) within group (order by duration_ms) filter (where started_at >= $1) as p50_ms,
  percentile_disc(0.99) within group (order by duration_ms) filter (where started_at >= $1) as p99_ms,
  max(started_at + duration_ms * interval '1 ms') filter (where error is null) as last_delivered_at,
  coalesce(bool_and(error is not null) filter (where started_at >= $1 and age <= ${LAST_ATTEMPTS}), false) as failing`;

// Without a pending ping nobody closes the breaker, but it holds nothing back either, so it counts as closed.
const PLATFORM_HEALTH = `
  select 'platform' as endpoint, $2::text as url, 'active' as term,
    case when exists (select from pings where state = 'pending') then (
      select breaker from ping_endpoints where endpoint = 'platform') else 'closed' end as breaker,
    (select count(*)::int from pings where state = 'pending') as pending,
    (select count(*)::int from pings where state = 'parked') as parked,
    (select min(due_since) from pings where state = 'pending') as oldest_undelivered_at, figures.*
  from (select ${FIGURES} from (
    select started_at, duration_ms, error, row_number() over (order by started_at desc) as age from ping_attempts
    order by started_at desc limit ${PING_ATTEMPTS}) as recent) as figures`;

// A delivery without attempts since it became due counts from next_try_at. If a webhook has not ingested the whole ping stream, its
// next entry counts too. The newest attempts are taken by position, because an index by time would slow down each delivery.
const WEBHOOK_HEALTH = `
  select webhook.id as endpoint, url, state as term, breaker, pending, parked, least(oldest, next_at) as oldest_undelivered_at, figures.*
  from webhooks webhook
  cross join lateral (
    select count(*)::int as pending, min(coalesce(due_since, next_try_at)) as oldest from webhook_deliveries
    where webhook_id = webhook.id and webhook_deliveries.state = 'pending') as waiting
  cross join lateral (
    select count(*)::int as parked from webhook_deliveries
    where webhook_id = webhook.id and webhook_deliveries.state = 'parked') as left_over
  left join lateral (
    select occurred_at as next_at from ping_stream where position > webhook.position order by position limit 1) as unseen on true
  cross join lateral (select ${FIGURES} from (
    select started_at, duration_ms, error, row_number() over (order by started_at desc) as age from (
      select started_at, duration_ms, error from webhook_attempts
      where webhook_id = webhook.id order by position desc, attempt desc limit ${WEBHOOK_ATTEMPTS}) as last_positions) as recent) as figures
  order by webhook.created_at, webhook.id`;

type HealthRow = Omit<EndpointHealth, 'kind' | 'state' | 'oldest_undelivered_at' | 'last_delivered_at'> &
  Omit<EndpointObservation, 'waitedMs'> & {
    oldest_undelivered_at: Date | null;
    last_delivered_at: Date | null;
  };
