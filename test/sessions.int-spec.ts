import pg, { type ClientBase } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AdvisoryLock } from '#database/advisory-lock';
import { canConnect } from '#database/connection-check';
import { DatabaseClient, ListeningClient } from '#database/database-client';
import { DatabaseProbe } from '#database/database-probe';
import { rejectPowerfulLogin } from '#database/least-privilege';
import { migrate, migrationOptions } from '#database/migrate';
import { type ConnectionOptions, connectionConfig, createPool } from '#database/pool';
import { singleClient } from '#database/single-client';
import { JobQueue } from '#delivery-kit/job-queue';
import { JobWorker } from '#delivery-kit/queues/job-worker';
import { queueBackend } from '#delivery-kit/queue-backend';
import { applicationUrl, createTestDatabase, type TestDatabase } from './support/database.js';
import { SilentProxy } from './support/silent-proxy.js';
import { until } from './support/until.js';

const ASK = `select current_setting('jit') as jit, current_setting('application_name') as name`;

let database: TestDatabase;
let proxy: SilentProxy;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await SilentProxy.before(database.url);
  return () => proxy.close();
});

const asApplication = () => proxy.through(applicationUrl(database.url));
const asOwner = () => proxy.through(database.url);
const ignore = () => undefined;

/** Asks the server, and then looks at what each connection asked for at its start. */
async function expectNoCompilation(open: () => Promise<unknown>, connections = 1): Promise<void> {
  await open();
  await until(() => proxy.startups.length >= connections);
  const compiled = proxy.startups.filter(({ options = '' }) => !options.includes('-c jit=off'));
  expect(compiled).toEqual([]);
}

async function ask(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ jit: string }>(ASK);
  expect(rows).toMatchObject([{ jit: 'off' }]);
}

describe('a session compiles no statements', () => {
  const pools: Record<string, Partial<ConnectionOptions>> = {
    'of the pool': {},
    'of the pool whose commits do not wait': { lazyCommit: true, byIndex: true },
    "of a pool with the owner's rights": { asOwner: true },
    'whatever the address asks for': { databaseUrl: 'options=-c%20jit%3Don%20-c%20work_mem%3D5MB' },
  };

  it.each(Object.entries(pools))('%s', async (_name, { databaseUrl: more, ...options }) => {
    const databaseUrl = more === undefined ? asApplication() : `${asApplication()}?${more}`;
    const pool = createPool({ databaseUrl, max: 1, applicationName: 'test', onError: ignore, ...options });
    await expectNoCompilation(() => ask(pool));
    if (more) expect((await pool.query('show work_mem')).rows).toEqual([{ work_mem: '5MB' }]);
    await pool.end();
  });

  it('unlike one that was opened by hand, on a server that compiles', async () => {
    const explain = 'explain (format json) select from pg_database where datdba = 0';
    const isCompiled = async (client: Pick<ClientBase, 'query'>) =>
      JSON.stringify((await client.query(explain)).rows).includes('"JIT"');
    const byHand = new pg.Client({ connectionString: database.url, options: '-c enable_seqscan=off' });
    await byHand.connect();
    const { rows } = await byHand.query<{ compiles: boolean }>('select pg_jit_available() as compiles');
    expect(await isCompiled(byHand)).toBe(rows[0]?.compiles);
    await byHand.end();
    const databaseUrl = applicationUrl(database.url);
    const pool = createPool({ databaseUrl, max: 1, applicationName: 'test', onError: ignore, byIndex: true });
    expect(await isCompiled(pool)).toBe(false);
    await pool.end();
  });

  it('of a single connection, with the time-outs of the pools or with none', async () => {
    const config = connectionConfig({ databaseUrl: asApplication(), applicationName: 'test' });
    for (const Kind of [DatabaseClient, ListeningClient]) {
      const client = new Kind(config);
      await client.connect();
      await ask(client);
      await client.end();
    }
    const single = singleClient(asOwner(), 'test');
    await single.connect();
    await expectNoCompilation(() => ask(single), 3);
    await single.end();
  });

  it('that holds a lock', async () => {
    const connection = connectionConfig({ databaseUrl: asApplication(), applicationName: 'test' });
    const lock = new AdvisoryLock(connection, 'sessions spec');
    await expectNoCompilation(() => lock.session(({ client }) => ask(client)));
  });

  it('that checks whether the server answers, or who may log in', async () => {
    const config = connectionConfig({ databaseUrl: asApplication(), applicationName: 'test' });
    const probe = new DatabaseProbe(config);
    await expectNoCompilation(async () => {
      expect(await probe.check()).toBeUndefined();
      expect(await canConnect(config, 5_000)).toBe(true);
      await rejectPowerfulLogin(asApplication());
    }, 3);
    probe.end();
  });

  it('that looks after a silent connection', async () => {
    const pool = createPool({ databaseUrl: asApplication(), max: 1, applicationName: 'test', onError: ignore });
    const isProbe = ({ application_name: name }: Readonly<Record<string, string>>) => name === 'willcall probe';
    await expectNoCompilation(async () => {
      const slow = pool.query('select pg_sleep(5)');
      await until(() => proxy.startups.some(isProbe), { withinMs: 20_000 });
      await slow;
    }, 2);
    await pool.end();
  });

  it('that migrates', async () => {
    const source = new DataSource(migrationOptions(asOwner()));
    await expectNoCompilation(async () => {
      await source.initialize();
      expect(await source.query(ASK)).toMatchObject([{ jit: 'off' }]);
      await migrate(asOwner());
    }, 3);
    await source.destroy();
  });

  it('of the queues', async () => {
    const backend = queueBackend({ databaseUrl: asApplication() });
    const queue = new JobQueue('pings', backend, ignore);
    let done = 0;
    const process = () => Promise.resolve(void (done += 1));
    const worker = new JobWorker(backend, { name: 'pings', process, concurrency: 1, onError: ignore });
    await expectNoCompilation(async () => {
      worker.start();
      await queue.add([{ id: 'job-1', data: { name: 'one' } }]);
      await until(() => done === 1);
    }, 3);
    await worker.stop(1_000);
    await queue.close();
  });
});
