import type { Pool } from 'pg';
import { TASK_GROUPS } from '#base/process-roles';
import { type Settings, usesSandbox } from '#base/settings';
import { runningGroups } from '#platform/running-groups';
import { type Finding, ok, warn } from './finding.js';

/** Whether each group of TASKS runs in a worker. */
export async function checkTasks(pool: Pool, settings: Settings): Promise<Finding> {
  const running = await runningGroups(pool);
  if (running.size === 0) return warn('tasks', 'no worker is running', 'Start one: without it, no ping goes out.');
  const needed = TASK_GROUPS.filter((group) => group !== 'sandbox' || usesSandbox(settings));
  const missing = needed.filter((group) => !running.has(group));
  if (missing.length === 0) return ok('tasks', 'workers run every group of tasks');
  const names = missing.join(', ');
  return warn('tasks', `no worker runs ${names}`, `Name ${names} in TASKS of a worker, or unset it in one.`);
}
