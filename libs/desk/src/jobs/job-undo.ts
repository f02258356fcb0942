import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { StatusCatalogue } from '#domain/status-catalogue';
import { OrderRules } from '#orders/order-changes';
import type { JobRow } from '../job.js';

const BESIDE_ORDERS: readonly JobRow['kind'][] = ['tag', 'assign'];

/** Says which jobs have done something that can be taken back now. */
@Injectable()
export class JobUndo {
  constructor(
    private readonly pool: Pool,
    private readonly rules: OrderRules,
  ) {}

  /** @returns the ids of those that can */
  async possible(jobs: readonly JobRow[]): Promise<ReadonlySet<string>> {
    const ended = jobs.filter(({ finished_at: at, undoes, done }) => at !== null && undoes === null && done > 0);
    if (ended.length === 0) return new Set();
    const beside = ended.filter(({ kind }) => BESIDE_ORDERS.includes(kind)).map(({ id }) => id);
    const { rows } = await this.pool.query<{ id: string }>(CAN_UNDO, [
      ended.map(({ id }) => id),
      beside,
      JSON.stringify(waysBack(this.rules.catalogue)),
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}

/** For each status code, those that an order may get next. Where a status allows none, nothing can be taken back from it. */
function waysBack({ entries, allows }: StatusCatalogue): Record<string, readonly number[]> {
  const codes = entries.map(({ status }) => status);
  return Object.fromEntries(
    codes.map((from) => [
      from.status_code,
      codes
        .filter((to) => to.status_code !== from.status_code && allows(from.status, to.status))
        .map(({ status_code: code }) => code),
    ]),
  );
}

/** $1 the jobs, $2 those that changed what is beside the orders, $3 the ways back. An order that has changed since has another version. */
const CAN_UNDO = `
  select job.id from unnest($1::text[]) as job (id)
  where exists (
    select from job_items item left join orders o on o.id = item.order_id
    where item.job_id = job.id and item.outcome = 'done' and item.before is not null
      and (job.id = any($2::text[]) or o.version = item.version
        and $3::jsonb -> o.status_code::text @> to_jsonb((item.before ->> 'status_code')::int)))`;
