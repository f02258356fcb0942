import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Replay } from './replay.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { afterWrite } from '#database/database-errors';
import { domainError } from '#domain/domain-error';
import { pingId } from './ping-id.js';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { PLATFORM, selecting, type Selection } from './replay-selection.js';

/** `endpoint` is `platform` or the id of a webhook. */
export type NewReplay = Readonly<{ endpoint: string; selection: Selection; per_second: number }>;

export type ReplayPreview = Readonly<{ total: number; ids: readonly string[] }>;

/** `TOO_MANY` means more than `MAX_ITEMS` entries. */
export type ReplayError = Readonly<{ error: 'UNKNOWN_ENDPOINT' | 'TOO_MANY' }>;

export type ReplayPage = Readonly<{ limit: number; before?: string | undefined }>;

/** Takes PostgreSQL a few seconds, well below the statement timeout. */
export const MAX_ITEMS = 1_000_000;

const SHOWN = 10;

/** The methods return undefined if there is no such replay. */
@Injectable()
export class Replays {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async preview({ endpoint, selection }: NewReplay): Promise<ReplayPreview | ReplayError> {
    if (!(await this.isKnown(endpoint))) return { error: 'UNKNOWN_ENDPOINT' };
    const { text, values } = selecting(endpoint, selection);
    const { rows } = await this.pool.query<{ total: number; first: readonly { order_id: string; sequence: number }[] }>(
      `with chosen as (${text})
       select (select count(*)::int from chosen) as total, (select coalesce(json_agg(f order by position), '[]') from (
         select * from chosen order by position limit ${SHOWN}) as f) as first`,
      values,
    );
    const { total = 0, first = [] } = rows[0] ?? {};
    return { total, ids: first.map(({ order_id, sequence }) => pingId({ orderId: order_id, sequence })) };
  }

  /** Fixes the entries of the replay now; later entries are not part of it. The worker sends them. */
  async start(replay: NewReplay): Promise<Replay | ReplayError> {
    const found = await this.preview(replay);
    if ('error' in found) return found;
    if (found.total > MAX_ITEMS) return { error: 'TOO_MANY' };
    const { endpoint, selection, per_second } = replay;
    const { text, values } = selecting(endpoint, selection);
    const place = (value: unknown) => `$${values.push(value)}`;
    const [id, now] = [this.ids.next('rpl'), this.clock.iso()];
    const [idAt, nowAt] = [place(id), place(now)];
    await this.pool.query(
      `with chosen as materialized (${text}),
       replay as (
         insert into replays (id, endpoint, selection, per_second, state, total, next_slot_ms, created_at, updated_at, finished_at)
         select ${idAt}, ${place(endpoint)}, ${place(JSON.stringify(selection))}::json, ${place(per_second)},
           case count(*) when 0 then 'done' else 'running' end, count(*), 0, ${nowAt}, ${nowAt},
           case count(*) when 0 then ${nowAt}::timestamptz end from chosen)
       insert into replay_items (replay_id, number, position, order_id, sequence)
       select ${idAt}, row_number() over (order by position), position, order_id, sequence from chosen`,
      values,
    );
    return await afterWrite(() => this.known(id));
  }

  async list({ limit, before }: ReplayPage): Promise<readonly Replay[]> {
    return await this.read('where id < $1 order by id desc limit $2', [before ?? 'rpl_~', limit]);
  }

  async find(id: string): Promise<Replay | undefined> {
    return (await this.read('where id = $1', [id]))[0];
  }

  /** Items that are already released, at most half a second's worth, are still sent. */
  async pause(id: string): Promise<Replay | undefined> {
    return await this.change(id, "state = 'paused'", "state = 'running'");
  }

  async resume(id: string): Promise<Replay | undefined> {
    return await this.change(id, "state = 'running'", "state = 'paused'");
  }

  /** A cancelled replay cannot be resumed. */
  async cancel(id: string): Promise<Replay | undefined> {
    const cancelled = await this.change(id, "state = 'cancelled', finished_at = $2", "state in ('running', 'paused')");
    if (cancelled?.state === 'cancelled') {
      await afterWrite(() => this.pool.query('delete from replay_items where replay_id = $1', [id]));
    }
    return cancelled;
  }

  /** Does nothing if the change does not apply to the current state. @throws DomainError if the replay has ended */
  private async change(id: string, set: string, when: string): Promise<Replay | undefined> {
    const values = [id, this.clock.iso()];
    const statement = `update replays set ${set}, updated_at = $2 where id = $1 and ${when}`;
    const { rowCount } = await this.pool.query(statement, values);
    const replay = await afterWrite(() => this.find(id));
    const hasEnded = rowCount === 0 && replay !== undefined && replay.finished_at !== null;
    if (hasEnded) throw domainError('CONFLICT', 'The replay has ended.');
    return replay;
  }

  private async isKnown(endpoint: string): Promise<boolean> {
    if (endpoint === PLATFORM) return true;
    return ((await this.pool.query('select from webhooks where id = $1', [endpoint])).rowCount ?? 0) > 0;
  }

  private async known(id: string): Promise<Replay> {
    const replay = await this.find(id);
    if (!replay) throw new Error('The replay was removed while it was started.');
    return replay;
  }

  private async read(rest: string, values: readonly unknown[]): Promise<readonly Replay[]> {
    const { rows } = await this.pool.query<ReplayRow>(`select ${COLUMNS} from replays ${rest}`, [...values]);
    return rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    }));
  }
}

const COLUMNS = 'id, endpoint, selection, per_second, state, total, sent, created_at, updated_at, finished_at';

type ReplayRow = Omit<Replay, 'created_at' | 'updated_at' | 'finished_at'> & {
  created_at: Date;
  updated_at: Date;
  finished_at: Date | null;
};
