import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { copyRows, copyText } from './copy-rows.js';
import { CopyText } from './copy-text.js';

const COLUMNS = ['n', 'words', 'flag', 'document', 'bytes'];

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table copied (n int, words text, flag boolean, document json, bytes bytea)');
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function copyAndRead(rows: Parameters<typeof copyRows>[3]): Promise<unknown[]> {
  await client.query('truncate copied');
  await copyRows(client, 'copied', COLUMNS, rows);
  return (await client.query(`select n, words, flag, document, bytes::text from copied order by ctid`)).rows;
}

const specialText = fc.constantFrom(
  '',
  '\\N',
  '\\.',
  '\t',
  '\n',
  '\r\n',
  '\u0001',
  '"',
  "'",
  '\\',
  'null',
  '\\x00',
  '☃',
  '😀',
);
const words = fc
  .array(fc.oneof(specialText, fc.string({ unit: 'binary' })), { maxLength: 4 })
  .map((parts) => parts.join('').replaceAll('\0', ''));
const document = fc
  .dictionary(fc.string(), fc.oneof(words, fc.integer(), fc.constant(null), fc.array(words)))
  .map((value) => JSON.parse(JSON.stringify(value)) as object);

describe('copied rows', () => {
  it('come back unchanged', async () => {
    const row = fc.record({
      n: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      words: fc.option(words),
      flag: fc.option(fc.boolean()),
      document: fc.option(document),
      bytes: fc.option(fc.uint8Array().map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (rows) => {
        expect(await copyAndRead(rows)).toEqual(rows);
      }),
      { numRuns: 150 },
    );
  });

  it('may leave out columns', async () => {
    expect(await copyAndRead([{ n: 1 }])).toEqual([{ n: 1, words: null, flag: null, document: null, bytes: null }]);
  });

  it('can be left out in groups, of which some are empty', async () => {
    const text = new CopyText('copied', ['n', 'words']);
    text.addGroup([{ n: 0, words: 'Łódź' }]);
    text.addGroup([]);
    text.addLines('2\ttwo\n2\tsecond\n');
    text.addGroup([{ n: 3, words: 'a\tb' }]);
    const copied = async (groups: number[]) => {
      await client.query('truncate copied');
      await copyText(client, text, groups);
      return (await client.query<{ words: string }>('select words from copied order by ctid')).rows.map(
        ({ words: w }) => w,
      );
    };
    expect(await copied([0, 1, 2, 3])).toEqual(['Łódź', 'two', 'second', 'a\tb']);
    expect(await copied([0, 2])).toEqual(['Łódź', 'two', 'second']);
    expect(await copied([1, 3])).toEqual(['a\tb']);
    expect(await copied([1])).toEqual([]);
  });

  it('are added all or none, and the connection stays usable', async () => {
    await client.query('truncate copied');
    await expect(copyRows(client, 'copied', ['n'], [{ n: 1 }, { n: 'one' }])).rejects.toThrow(/invalid input syntax/);
    await expect(copyRows(client, 'no_such_table', ['n'], [{ n: 1 }])).rejects.toThrow(/does not exist/);
    expect((await client.query('select from copied')).rowCount).toBe(0);
    expect(await copyAndRead([{ n: 2 }])).toHaveLength(1);
  });

  it('fail when the connection breaks', async () => {
    const other = new pg.Client({ connectionString: database.url });
    other.on('error', () => undefined);
    await other.connect();
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query('begin; lock table copied');
    const copying = copyRows(other, 'copied', ['n'], [{ n: 1 }]);
    await Promise.all([
      expect(copying).rejects.toThrow(),
      client.query('select pg_terminate_backend($1)', [rows[0]?.pid]),
    ]);
    await client.query('rollback');
  });
});
