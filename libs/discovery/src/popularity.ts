import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Settings } from '#base/settings';
import { Clock } from '#base/clock';
import { catalogueIdSql } from './catalogue-id.js';
import { withCatalogueLock } from './catalogue/writing/catalogue-lock.js';
import { VENUE_DOCUMENT } from './catalogue/writing/derived-columns.js';
import { refreshPerformers, refreshDependents } from './catalogue/writing/refresh.js';

type Kind = 'events' | 'venues' | 'performers';
type Scored = Readonly<{ id: number; score: number }>;

const DAY_MS = 86_400_000;
// Rows per transaction: each holds the catalogue lock for some tenths of a second.
const BATCH_SIZE: Readonly<Record<Kind, number>> = { events: 2_000, venues: 50, performers: 100 };

/**
 * Scores from 0 to 1 by recent ticket sales; the most popular of a kind has 1. The scale is logarithmic, because a few sell a
 * thousand times as many as most. Without sales of its own, a document keeps its imported score. While nothing of its kind has
 * sold, imported scores are scaled, so that the highest is 1.
 */
@Injectable()
export class Popularity {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    @Inject(Settings) private readonly settings: Pick<Settings, 'POPULARITY_DAYS'>,
  ) {}

  /** Updates the scores, also in documents that embed others. */
  async refresh(): Promise<void> {
    const since = new Date(this.clock.now() - this.settings.POPULARITY_DAYS * DAY_MS).toISOString();
    const { rows } = await this.pool.query<Scored & { kind: Kind }>(STALE_SCORES, [since]);
    for (const kind of ['events', 'venues', 'performers'] as const) {
      const stale = rows.filter((row) => row.kind === kind);
      for (let from = 0; from < stale.length; from += BATCH_SIZE[kind]) {
        const batch = stale.slice(from, from + BATCH_SIZE[kind]);
        await withCatalogueLock(this.pool, (client) => WRITE[kind](client, batch));
      }
    }
  }
}

const WRITE: Readonly<Record<Kind, (client: ClientBase, scored: readonly Scored[]) => Promise<void>>> = {
  async events(client, scored) {
    await client.query(setScores('discovery_events'), [JSON.stringify(scored)]);
  },
  async venues(client, scored) {
    await client.query(setScores('discovery_venues', VENUE_DOCUMENT('row.own', 'given.score')), [
      JSON.stringify(scored),
    ]);
    await refreshDependents(
      client,
      'venues',
      scored.map(({ id }) => id),
    );
  },
  async performers(client, scored) {
    await client.query(setScores('discovery_performers'), [JSON.stringify(scored)]);
    await refreshPerformers(
      client,
      scored.map(({ id }) => id),
    );
  },
};

const setScores = (table: string, document?: string) => `
  update ${table} as row set score = given.score${document === undefined ? '' : `, document = ${document}`}
  from json_to_recordset($1::json) as given (id bigint, score float8) where row.id = given.id`;

const ofKind = (kind: Kind, sold: string) => `
  select '${kind}' as kind, id, score from (
    select shown.id, shown.score as shown_score, coalesce(sales.score, case
      when highest.score is null then imported_score
      else round((imported_score / highest.score)::numeric, 6)::float8 end) as score
    from discovery_${kind} as shown left join (
      select id, round((ln(1 + tickets) / ln(1 + max(tickets) over ()))::numeric, 3)::float8 as score from (${sold}) as sold
    ) as sales using (id) cross join (
      select case when not exists (${sold}) then nullif(max(imported_score), 0) end as score from discovery_${kind}
    ) as highest
  ) as scored
  where shown_score <> score`;

const STALE_SCORES = `
  with named as (
    select ${catalogueIdSql('event_id')} as id, sum(quantity) as tickets
    from orders where placed_at >= $1 and stage = 'placed' and status <> 'rejected' group by 1
  ), sold as materialized (
    select e.id, venue_id, performer_ids, tickets from named join discovery_events as e on e.id = named.id
  )
  ${ofKind('events', 'select id, tickets from sold')}
  union all ${ofKind('venues', 'select venue_id as id, sum(tickets) as tickets from sold group by venue_id')}
  union all ${ofKind(
    'performers',
    'select performer_id as id, sum(tickets) as tickets from sold, unnest(performer_ids) as performer_id group by 1',
  )}
  order by kind, id`;
