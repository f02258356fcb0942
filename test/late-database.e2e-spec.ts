import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SystemRandomness } from '#base/randomness';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres';
import { adoptEncryptionKey } from '#platform/encryption-key';
import { Sealer } from '#base/sealing';
import { ownerPool } from './support/database.js';
import { copyMigratedCluster } from './support/migrated-cluster.js';
import { quietPort } from './support/quiet-port.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';
import { processesIn, runWillcall, type Willcall } from './support/willcall.js';

const KEY = Buffer.alloc(32, 7);

let folder: string;
let port: number;
let database: EmbeddedPostgres;

// The database is stopped between the tests, which do not change it.
beforeAll(async () => {
  folder = temporaryFolder('late');
  const dataDirectory = join(folder, 'postgres');
  await copyMigratedCluster(dataDirectory);
  database = await startEmbeddedPostgres({ dataDirectory, durable: true });
  const pool = ownerPool(database.url);
  await adoptEncryptionKey(pool, new Sealer(KEY, new SystemRandomness()));
  await pool.end();
  await database.stop();
});
beforeEach(async () => {
  port = await quietPort();
});
afterEach(async () => {
  for (const pid of processesIn(folder, 'dist/programs')) process.kill(pid, 'SIGKILL');
  await database.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(program: 'api' | 'worker', key: Buffer, more: Record<string, string> = {}): Willcall {
  return runWillcall(`programs/${program}.js`, folder, {
    DATABASE_URL: database.applicationUrl,
    ENCRYPTION_KEY: key.toString('base64'),
    SANDBOX: 'true',
    PORT: `${port}`,
    WORKER_PORT: `${port}`,
    ...more,
  });
}

const ready = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;

async function startDatabase(): Promise<void> {
  const { port: same } = database;
  database = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), durable: true, port: same });
}

describe.each(['api', 'worker'] as const)('a database that starts after the %s', (program) => {
  it('makes the process ready', async () => {
    run(program, KEY);
    expect(await until(ready, { withinMs: 60_000 })).toBe(503);
    await startDatabase();
    await until(async () => (await ready()) === 200, { withinMs: 30_000 });
  });

  it('ends the process if the encryption key is wrong', async () => {
    const service = run(program, Buffer.alloc(32, 8));
    expect(await until(ready, { withinMs: 60_000 })).toBe(503);
    await startDatabase();
    expect(await service.ended).toMatchObject({ code: 1 });
    expect(service.output()).toContain('is not the key that this database was sealed with');
  });
});

describe.each(['api', 'worker'] as const)('a stop of the %s while it still starts', (program) => {
  it('ends it at once, without a word about what it had not begun', async () => {
    await startDatabase();
    const pool = ownerPool(database.url);
    const blocker = await pool.connect();
    await blocker.query('begin; lock table encryption_keys');
    const service = run(program, KEY, { LOCK_TIMEOUT_MS: '60000' });
    const waits = `select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`;
    await until(async () => (await pool.query(waits, [`willcall ${program}`])).rowCount, { withinMs: 120_000 });
    service.process.kill('SIGTERM');
    await blocker.query('commit');
    blocker.release();
    await pool.end();
    expect(await service.ended).toEqual({ code: null, signal: 'SIGTERM' });
    expect(service.output()).toBe('');
  });
});
