import { afterAll, beforeAll, expect, it } from 'vitest';
import { readOnlyAddress } from '#base/database-address';
import { DatabaseEpoch } from '#database/epoch';
import { createPool } from '#database/pool';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { FollowedEpoch } from './followed-epoch.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('a process that only reads learns of a new epoch on the connections that it has', async () => {
  const owner = ownerPool(database.url);
  const epoch = new DatabaseEpoch();
  const databaseUrl = readOnlyAddress(database.url);
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'test', epoch, onError: () => undefined });
  const { rows } = await owner.query<{ epoch: string }>('select renew_epoch() as epoch');
  await pool.query('select');
  expect(epoch.current).toBe(rows[0]?.epoch);
  const followed = new FollowedEpoch(pool, epoch);
  followed.onModuleInit();
  const renewed = await owner.query<{ epoch: string }>('select renew_epoch() as epoch');
  await until(() => epoch.current === renewed.rows[0]?.epoch);
  await followed.beforeApplicationShutdown();
  await Promise.all([pool.end(), owner.end()]);
});
