import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { TaskGroup } from '#base/process-roles';
import { Settings } from '#base/settings';

export const NOTED_EVERY_MS = 10_000;
/** Three times may fail. */
const RUNS_FOR_MS = 4 * NOTED_EVERY_MS;

/** The groups of TASKS that workers run. Nothing else says that a group is left out by all of them. */
@Injectable()
export class RunningGroups {
  constructor(
    private readonly pool: Pool,
    private readonly settings: Settings,
  ) {}

  async note(): Promise<void> {
    await this.pool.query(NOTE, [this.settings.TASKS]);
  }
}

/** The groups that at least one worker has run within the last 40 s, by the database's clock. */
export async function runningGroups(pool: Pick<Pool, 'query'>): Promise<ReadonlySet<TaskGroup>> {
  const { rows } = await pool.query<{ name: TaskGroup }>(RUNNING, [RUNS_FOR_MS]);
  return new Set(rows.map(({ name }) => name));
}

// In the order of their names: two workers would wait for each other.
const NOTE = `
  insert into task_groups (name, run_at) select name, clock_timestamp() from unnest($1::text[]) name order by name
  on conflict (name) do update set run_at = excluded.run_at`;

const RUNNING = `select name from task_groups where run_at > clock_timestamp() - $1 * interval '1 ms'`;
