import { Pool } from 'pg';
import { analyzeGrownTables } from '#database/grown-tables';
import type { BackgroundTask } from './background-task.js';
import { repeatedTask } from './repeated-task.js';

export const TABLE_STATISTICS_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'table statistics',
    does: "Keeps the query planner's statistics up with the growth of the tables.",
    seen: '`pg_stat_user_tables.last_analyze`',
    // A plan for outdated statistics is used at most this long. With nothing to do it costs one query of a millisecond.
    everyMs: 2_000,
    handler: Pool,
    run: (pool) => analyzeGrownTables(pool),
  }),
];
