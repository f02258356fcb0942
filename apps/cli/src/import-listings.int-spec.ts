import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, inject, vi } from 'vitest';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { listingBody } from '../../../test/support/listing-body.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { formatOf, importCommand, importListings } from './import-listings.js';
import { UserError } from './terminal/user-error.js';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = temporaryFolder('cli');
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('DATABASE_URL', database.url);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const line = (id: string, change: object = {}) => JSON.stringify({ listing_id: id, ...listingBody(), ...change });

function fileOf(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.join('\n'));
  return path;
}

async function stored(): Promise<string[]> {
  const pool = createPool({ databaseUrl: database.url, max: 1, applicationName: 'test', onError: () => undefined });
  const { rows } = await pool.query<{ id: string; offered: number }>('select id, offered from listings order by id');
  await pool.end();
  return rows.map(({ id, offered }) => `${id} ${offered}`);
}

describe('listings import', () => {
  it('imports the valid lines, prints the invalid ones, and ends with 1', async () => {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
    vi.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
    const file = fileOf('some.jsonl', line('a'), '{', line('b', { price: 'free' }), line('c'));
    await importCommand().parseAsync([file], { from: 'user' });
    expect(await stored()).toEqual(['a 10', 'c 10']);
    expect(printed).toEqual([
      '2 imported, 2 failed',
      'line 2: the line is not JSON',
      expect.stringMatching(/^line 3: price: /) as string,
    ]);
    expect(process.exitCode).toBe(1);
  });

  it('writes nothing on a dry run, and says what would happen', async () => {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
    vi.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
    await importListings(fileOf('first.jsonl', line('a', { quantity: 3 })), 'jsonl');
    const file = fileOf('next.jsonl', line('a', { quantity: 9 }), line('b'), line('c'), line('b'), '{');
    await importCommand().parseAsync([file, '--dry-run'], { from: 'user' });
    expect(printed).toEqual([
      '4 would be imported (2 new listings, 1 replaced), 1 failed',
      'line 5: the line is not JSON',
    ]);
    expect(process.exitCode).toBe(1);
    expect(await stored()).toEqual(['a 3']);
  });

  it('says what the columns were taken for, and fills what the file lacks', async () => {
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
    const { section, row, quantity, ...defaults } = listingBody();
    const file = fileOf('pos.csv', 'sep=;', 'Id;Sec;Row;Qty;Colour', `x;${section};${row};${quantity};red`);
    const options = ['--map', 'Id=listing_id', '--defaults', JSON.stringify(defaults), 'notes=Aisle'];
    await importCommand().parseAsync([file, '--dry-run', ...options], { from: 'user' });
    await importCommand().parseAsync([file, ...options], { from: 'user' });
    expect(printed).toEqual([
      '1 would be imported (1 new listings, 0 replaced), 0 failed',
      'columns: Id = listing_id, Sec = section, Row = row, Qty = quantity',
      'ignored: Colour',
      '1 imported, 0 failed',
      'ignored: Colour',
    ]);
    expect(await stored()).toEqual(['x 10']);
    const wrong = (...given: string[]) => importCommand().parseAsync([file, ...given], { from: 'user' });
    await expect(wrong('--map', 'Id=colour')).rejects.toThrow(UserError);
    await expect(wrong('--defaults', 'fees=-1')).rejects.toThrow('--defaults: fees');
  });

  it('derives the format from the file extension', () => {
    expect(['a.csv', 'b.JSONL', 'c.ndjson', 'd.txt'].map(formatOf)).toEqual(['csv', 'jsonl', 'jsonl', 'tsv']);
    expect(() => formatOf('listings.xls')).toThrow(UserError);
  });

  it('reports errors of the file or the database', async () => {
    await expect(importListings(join(folder, 'nothing.csv'), 'csv')).rejects.toThrow(UserError);
    await expect(importListings(folder, 'csv')).rejects.toThrow(UserError);
    vi.stubEnv('DATABASE_URL', inject('clusterUrl'));
    await expect(importListings(fileOf('a.jsonl', line('a')), 'jsonl')).rejects.toThrow(UserError);
  });
});
