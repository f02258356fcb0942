import { Pool } from 'pg';
import { analyzeGrownTables } from '#database/grown-tables';
import { makePartitions } from '#database/partitions';
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
  repeatedTask({
    name: 'partitions',
    does: 'Makes the partitions of the next two months (of requests: weeks), and room for five million events.',
    seen: '`pg_partition_tree`; orders are stored without them, too, and move there later',
    everyMs: 3_600_000,
    firstAfterMs: 1_000,
    handler: Pool,
    run: (pool) => makePartitions(pool),
  }),
];
