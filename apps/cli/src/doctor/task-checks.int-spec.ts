import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { RunningGroups } from '#platform/running-groups';
import { apiEnvironment } from '../../../../test/support/api-environment.js';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { checkTasks } from './task-checks.js';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const settingsOf = (more: Record<string, string>) => parseSettings({ ...apiEnvironment(database.url), ...more });
const PLATFORM = { PLATFORM_URL: 'https://platform.example', SANDBOX: 'false' };
const note = (TASKS: string) => new RunningGroups(pool, settingsOf({ TASKS })).note();
const check = (more: Record<string, string> = PLATFORM) => checkTasks(pool, settingsOf(more));

it('names the groups that no worker runs', async () => {
  expect(await check()).toMatchObject({ state: 'warn', detail: 'no worker is running' });
  await note('feed,pings,orders');
  await note('webhooks,money,jobs,queues,people,feed');
  expect(await check()).toMatchObject({ state: 'warn', detail: 'no worker runs mails, catalogue, upkeep' });
  await note('mails,catalogue,upkeep');
  expect(await check()).toMatchObject({ state: 'ok' });
});

it('asks for the sandbox only where it is the platform', async () => {
  expect(await check({ PLATFORM_URL: '', SANDBOX: 'true' })).toMatchObject({ detail: 'no worker runs sandbox' });
});

it('forgets a worker that has said nothing for 40 s', async () => {
  await pool.query(`update task_groups set run_at = run_at - interval '39 s' where name = 'mails'`);
  expect(await check()).toMatchObject({ state: 'ok' });
  await pool.query(`update task_groups set run_at = run_at - interval '1 s' where name = 'mails'`);
  expect(await check()).toMatchObject({ detail: 'no worker runs mails' });
  await note('mails');
  expect(await check()).toMatchObject({ state: 'ok' });
});
