import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { NEWEST_ENTRY } from '#outbound/webhook-entries';
import { type ProjectionList, REBUILDABLE_PROJECTIONS } from '../maintenance.contract.js';

type Projection = ProjectionList['projections'][number];

/** How far each projection is, by one statement. */
@Injectable()
export class Projections {
  constructor(private readonly pool: Pool) {}

  async list(): Promise<readonly Projection[]> {
    const { rows } = await this.pool.query<ProjectionRow>(PROJECTIONS);
    return rows.map(({ rebuilt_at: rebuiltAt, ...row }) => ({
      ...row,
      rebuildable: REBUILDABLE_PROJECTIONS.some((name) => name === row.name),
      rebuilt_at: rebuiltAt?.toISOString() ?? null,
    }));
  }
}

type ProjectionRow = Omit<Projection, 'rebuildable' | 'rebuilt_at'> & { rebuilt_at: Date | null };

// Counting more would take long, and nobody needs the exact number.
const MOST_COUNTED = 100_000;

/** It has read the feed up to `position`. `more` is a count of what else waits. */
const readUpTo = (name: string, position: string, more = '0') => `
  select '${name}' as name, 'feed' as follows, least(at.position, feed_end) as position, feed_end as "end",
    greatest(feed_end - at.position, 0) + ${more} as behind, (
      select e.recorded_at from feed f join events e on e.stream = f.stream and e.position = f.stream_position
      where f.position = at.position + 1) as since
  from ends, (select greatest((${position}), 0) as position) as at`;

/** A subscription to the feed: `checkpoint` is its name in `subscriptions`. */
const ofFeed = (name: string, checkpoint: string, more?: string) =>
  readUpTo(name, `select position from subscriptions where name = '${checkpoint}'`, more);

/** Written by the statement that appends the events, so never behind. */
const ofLog = (name: string) => `
  select '${name}', 'log', feed_end + waiting, feed_end + waiting, 0, null::timestamptz from ends`;

const withoutPosition = (name: string, follows: string) => `
  select '${name}', '${follows}', null::bigint, null::bigint, null::bigint, null::timestamptz`;

const limited = (table: string, where: string) =>
  `(select count(*) from (select from ${table} where ${where} limit ${MOST_COUNTED}) as found)`;

const PROJECTIONS = `
  with ends as materialized (
    select (select coalesce(max(position), 0) from feed) as feed_end,
      coalesce(${NEWEST_ENTRY}, 0) as stream_end,
      ${limited('outbox', 'true')} as waiting),
  slowest as (select min(position) as position from webhooks where state = 'active'),
  known (name, follows, position, "end", behind, since) as (
    ${ofLog('orders')}
    union all ${ofLog('status_history')}
    union all ${ofLog('ledger_entries')}
    union all ${ofLog('disputes')}
    union all ${ofLog('money_tasks')}
    union all
    select 'feed', 'log', feed_end, feed_end + waiting, waiting, (select recorded_at from outbox order by id limit 1) from ends
    union all ${readUpTo('ledger', 'select max(position) from ledger')}
    union all ${ofFeed('ping-schedule', 'ping-doorbells')}
    union all ${ofFeed('ping-stream', 'ping-stream')}
    union all
    select 'webhooks', 'ping_stream', position, case when position is not null then stream_end end,
      case when position is not null then ${limited('ping_stream', 'ping_stream.position > slowest.position')} end,
      (select occurred_at from ping_stream where ping_stream.position > slowest.position order by ping_stream.position limit 1)
    from ends, slowest
    union all
    select 'order-search', 'orders', null, null, ${limited('personal_data_keys', 'folded_at is null or email_start is null')}, null
    union all ${ofFeed('work-queues', 'work-queues', limited('work_changes', 'true'))}
    union all ${ofFeed('discovery-stats', 'discovery-stats', limited('discovery_changed_stock', 'true'))}
    union all ${withoutPosition('discovery-index', 'catalogue')}
    union all ${withoutPosition('recommendations', 'orders')})
  select known.name, follows, position, "end", behind,
    case when behind is not null and name <> 'order-search'
      then greatest(coalesce(extract(epoch from clock_timestamp() - since), 0), 0)::float8 end as behind_seconds,
    (select max(finished_at) from maintenance_runs run
      where run.kind = 'rebuild' and run.state = 'done' and run.projection in (known.name, 'all')
        and (run.projection <> 'all' or known.name in (${REBUILDABLE_PROJECTIONS.map((name) => `'${name}'`).join(', ')}))
    ) as rebuilt_at
  from known`;
