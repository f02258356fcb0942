import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';

let folder: string;

const start = (port?: number) =>
  startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), durable: true, ...(port ? { port } : {}) });

async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('an embedded PostgreSQL', () => {
  // These tests share one cluster, because creating one takes longer than all of them.
  beforeAll(() => void (folder = temporaryFolder('embedded')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps its data across starts and stops cleanly', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 7 as seven');
    await first.stop();
    expect(await first.exited).toBe(0);
    expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false);

    const second = await start();
    expect(await query(second.url, 'select seven from kept')).toEqual([{ seven: 7 }]);
    await second.stop();
  });

  it('has all committed data after kill -9, at the same address', async () => {
    const killed = await start();
    await query(killed.url, 'create table committed (n int)');
    const busy = new pg.Client({ connectionString: killed.url });
    busy.on('error', () => undefined);
    await busy.connect();
    await busy.query('insert into committed select generate_series(1, 1000)');
    process.kill(killed.pid, 'SIGKILL');
    expect(await killed.exited).toBeNull();

    const again = await start(killed.port);
    expect(again.url).toBe(killed.url);
    expect(await query(again.url, 'select count(*)::int as count from committed')).toEqual([{ count: 1000 }]);
    await again.stop();
  });

  it('is lent to a second process, which leaves it running', async () => {
    const owner = await start();
    const guest = await start();
    expect(guest).toMatchObject({ borrowed: true, pid: owner.pid, url: owner.url });
    await guest.stop();
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await owner.stop();
  });

  it("compares text by code point and uses UTF-8, whatever the machine's locale", async () => {
    const server = await start();
    const [row] = await query<{ sorted: string; upper: string; zone: string }>(
      server.url,
      `select upper('é') as upper, current_setting('timezone') as zone,
        (select string_agg(word, '' order by word) from unnest(array['b', 'A', 'a', 'B']) word) as sorted`,
    );
    await server.stop();
    expect(row).toEqual({ sorted: 'ABab', upper: 'É', zone: 'UTC' });
  });

  it('accepts nobody without its password', async () => {
    const server = await start();
    await expect(query(server.url.replace(/:[^:@]+@/, ':guess@'), 'select 1')).rejects.toThrow(/password/);
    await server.stop();
  });

  it('reports why the server does not start', async () => {
    const start = startEmbeddedPostgres({
      dataDirectory: join(folder, 'postgres'),
      durable: false,
      serverOptions: { shared_buffers: 'plenty' },
    });
    await expect(start).rejects.toThrow(/did not start:[^]*shared_buffers/);
  });
});

describe('a new embedded PostgreSQL', () => {
  beforeEach(() => void (folder = temporaryFolder('embedded')));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  // Root runs the server as another user, who may not enter a folder like this one.
  it.skipIf(userInfo().uid !== 0)('keeps its files in their place, also where its account may not enter', async () => {
    chmodSync(folder, 0o700);
    const first = await start();
    await query(first.url, 'create table kept as select 7 as seven');
    await first.stop();
    const place = join(folder, 'postgres');
    expect(realpathSync(place)).toBe(place);

    const second = await start();
    expect(await query(second.url, 'select seven from kept')).toEqual([{ seven: 7 }]);
    await second.stop();
  });

  it('is created once when several processes start at once, and lent to the others', async () => {
    const servers = await Promise.all([start(), start(), start()]);
    expect(servers.filter(({ borrowed }) => !borrowed)).toHaveLength(1);
    expect(new Set(servers.map(({ url }) => url)).size).toBe(1);
    for (const server of servers.toSorted((a, b) => Number(b.borrowed) - Number(a.borrowed))) await server.stop();
  });

  it('replaces the unfinished remains of killed starts', async () => {
    for (const name of ['postgres.unfinished-a1B2c3/cluster', 'postgres.4711']) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    writeFileSync(join(folder, 'postgres.4711.password'), '');
    symlinkSync(join(folder, 'never-made'), join(folder, 'postgres'));
    const server = await start();
    await server.stop();
    expect(readdirSync(folder)).toEqual(['postgres']);
    expect(existsSync(join(folder, 'postgres', 'PG_VERSION'))).toBe(true);
  });
});
