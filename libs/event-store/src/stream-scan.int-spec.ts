import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { appendRaw } from '../../../test/support/postgres/append.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { isoTime, prepareScan, readStreams, scanStreams, type StoredStream } from './stream-scan.js';

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;

beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, max: 3, applicationName: 'test', onError: () => undefined };
  pool = createPool({ ...options, asOwner: true });
  client = await pool.connect();
  await prepareScan(client);
});

afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});

async function scanned(): Promise<StoredStream[]> {
  const streams: StoredStream[] = [];
  for await (const some of scanStreams(client)) streams.push(...some);
  return streams;
}

const shape = (streams: readonly StoredStream[]) => {
  return streams.map((stream) => [stream[0].stream, stream.map(({ position }) => position).join()]);
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join();

describe('a scan of the log', () => {
  it('finds nothing in an empty log', async () => {
    expect(await scanned()).toEqual([]);
  });

  it('returns every stream complete and once, wherever the pages end', async () => {
    // Pages of 500: the second stream crosses the first page end, the third is longer than a page, the fifth ends at a page end.
    const lengths = { a: 499, b: 2, c: 1_203, d: 1, e: 295, f: 7 };
    for (const [stream, length] of Object.entries(lengths)) await appendRaw(pool, stream, 0, length);
    expect(shape(await scanned())).toEqual(Object.entries(lengths).map(([stream, length]) => [stream, upTo(length)]));
  });

  it("reads its pages by primary key, whatever the planner's statistics say", async () => {
    const page = `explain select * from events where stream >= 'b' and (stream, position) > ('b', 1)
      order by stream, position limit 500`;
    const { rows } = await client.query<Record<'QUERY PLAN', string>>(page);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using events_before_pkey');
    expect(plan).not.toMatch(/Seq Scan|-> +Sort/);
  });

  it('returns events as they were written', async () => {
    const data = '{"a" : [1.0,  "\\u00e9"]}';
    const at = '2026-11-21T12:00:00.070Z';
    await pool.query(
      `insert into events values ('g', 1, 'evt_1', 'Happened', $1, '{"actor":"a","transaction_id":"t"}', $2, '\\x0aff')`,
      [data, at],
    );
    const [[event] = []] = await readStreams(client, ['g']);
    expect(event).toMatchObject({
      event_id: 'evt_1',
      type: 'Happened',
      dataText: data,
      recorded_at: at,
      hash: '\\x0aff',
    });
    expect(event?.data).toEqual({ a: [1, 'é'] });
    expect(event?.data).toBe(event?.data);
    expect(event?.metadata).toEqual({ actor: 'a', transaction_id: 't' });
  });

  it('ends with the error of a page that could not be read', async () => {
    const broken = await pool.connect();
    const { rows } = await broken.query<{ pid: number }>('select pg_backend_pid() as pid');
    const scan = scanStreams(broken);
    await scan.next();
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    const rest = async () => {
      for await (const streams of scan) expect(streams).not.toEqual([]);
    };
    await expect(rest()).rejects.toThrow();
    broken.release(true);
  });
});

describe('streams by name', () => {
  it('are returned if they exist', async () => {
    expect(shape(await readStreams(client, ['d', 'none', 'b']))).toEqual([
      ['b', '1,2'],
      ['d', '1'],
    ]);
    expect(await readStreams(client, [])).toEqual([]);
  });
});

describe("Postgres' text of a time", () => {
  it.each([
    ['2026-11-21 12:00:00+00', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21 12:00:00.5+00', '2026-11-21T12:00:00.500Z'],
    ['2026-11-21 12:00:00.07+00', '2026-11-21T12:00:00.070Z'],
    ['2026-11-21 12:00:00.123+00', '2026-11-21T12:00:00.123Z'],
    ['infinity', 'infinity'],
    ['2026-11-21 12:00:00+01', '2026-11-21 12:00:00+01'],
  ])('%s is %s', (text, iso) => {
    expect(isoTime(text)).toBe(iso);
  });
});
