import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  applicationUrl,
  createDurableCluster,
  createTestDatabase,
  type TestDatabase,
} from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { JobQueue } from './job-queue.js';
import { queueBackend } from './queue-backend.js';

let database: TestDatabase;
let owner: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});

afterEach(async () => {
  await owner.end();
  await database.drop();
});

it('survives a server that stops while BullMQ migrates its schema', async () => {
  const queue = new JobQueue('pings', queueBackend({ databaseUrl: applicationUrl(database.url) }), () => undefined);
  const job = { id: 'job-1', data: { name: 'one' } };
  // The lock under which BullMQ migrates.
  await owner.query(`select pg_advisory_lock(${0x42554c4c}, hashtext('bullmq'))`);
  const added = expect(queue.add([job])).rejects.toThrow();
  await until(async () => (await cutWaiting()) === 1);
  await added;
  await owner.query('select pg_advisory_unlock_all()');
  // Without a listener the broken connection would be an uncaught exception.
  await until(async () => queue.add([job]).then(() => true));
  expect((await queue.depth()).waiting).toBe(1);
  await queue.close();
});

it('has its schema on disk once it has added a job', async () => {
  const cluster = await createDurableCluster();
  const queue = new JobQueue('pings', queueBackend({ databaseUrl: applicationUrl(cluster.url) }), () => undefined);
  await queue.add([{ id: 'job-1', data: { name: 'one' } }]);
  await cluster.kill();
  await cluster.restart();
  await until(async () => queue.add([{ id: 'job-2', data: { name: 'two' } }]).then(() => true));
  await queue.close();
  await cluster.remove();
});

async function cutWaiting(): Promise<number | null> {
  const { rowCount } = await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'willcall-queues' and wait_event = 'advisory'`,
  );
  return rowCount;
}
