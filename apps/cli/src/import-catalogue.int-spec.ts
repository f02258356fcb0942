import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPool } from '#database/pool';
import { eventLine, venueLine } from '../../../test/support/discovery/catalogue-lines.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { catalogueCommand } from './import-catalogue.js';
import { loadPostalCodes } from './database/postal-codes.js';
import { loadSampleData } from './sample-data.js';
import { UserError } from './terminal/user-error.js';

let database: TestDatabase;
let folder: string;
const printed = vi.spyOn(console, 'log').mockReturnValue();
const consoleError = vi.spyOn(console, 'error').mockReturnValue();

beforeEach(async () => {
  printed.mockClear();
  consoleError.mockClear();
  database = await createTestDatabase();
  folder = temporaryFolder('cli');
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('DATABASE_URL', database.url);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const run = () => catalogueCommand().parseAsync(['import', folder], { from: 'user' });
const lines = ({ mock }: typeof printed) => mock.calls.map(([line]) => String(line));

function write(file: string, ...documents: unknown[]): void {
  writeFileSync(join(folder, file), documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
}

async function counted(table: string): Promise<number> {
  const pool = createPool({ databaseUrl: database.url, max: 1, applicationName: 'test', onError: () => undefined });
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  await pool.end();
  return rows[0]?.count ?? -1;
}

describe('catalogue import', () => {
  it('writes the existing files, and says how many and how fast', async () => {
    write('venues.jsonl', venueLine(1), venueLine(2));
    write('events.jsonl', eventLine(1), eventLine(2), eventLine(3));
    await run();
    expect(lines(printed)).toEqual([
      'venues: 2 imported, 0 failed',
      'events: 3 imported, 0 failed',
      expect.stringMatching(/^5 documents in [\d.]+ s, [\d,]+ a second$/),
    ]);
    expect(process.exitCode).toBeUndefined();
    expect([await counted('discovery_events'), await counted('discovery_venues')]).toEqual([3, 2]);
  });

  it('names invalid lines by file and number, imports the rest, and ends with 1', async () => {
    write('venues.jsonl', venueLine(1), { id: 2 });
    const invalid = Array.from({ length: 25 }, () => ({ id: 'x' }));
    write('events.jsonl', eventLine(1), ...invalid, eventLine(2));
    await run();
    expect(lines(consoleError)[0]).toMatch(/^venues\.jsonl line 2: name: /);
    expect(lines(consoleError)[1]).toMatch(/^events\.jsonl line 2: id: .*title: /);
    expect(lines(consoleError).at(-1)).toBe('and 5 more');
    expect(lines(consoleError)).toHaveLength(22);
    expect(process.exitCode).toBe(1);
    expect(await counted('discovery_events')).toBe(2);
  });

  it('says that there is nothing to import before it starts anything', async () => {
    vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/nowhere');
    await expect(run()).rejects.toThrow(UserError);
    mkdirSync(join(folder, 'events.jsonl'));
    await expect(run()).rejects.toThrow(/none of the files taxonomies\.jsonl, /);
  });
});

describe('the data of a first start', () => {
  it('is the sample catalogue with its stock, once', async () => {
    const clock = new FixedClock();
    const { events, listings } = await loadSampleData(database.url, clock);
    expect(events).toBeGreaterThan(270);
    expect(listings).toBeGreaterThan(500);
    expect(await counted('discovery_events')).toBe(events);
    expect(await counted('listings')).toBe(listings);
    expect(await counted('discovery_performers where has_upcoming_events')).toBeGreaterThan(50);
    expect(await loadSampleData(database.url, clock)).toEqual({ events: 0, listings: 0 });
  });

  it('is the postal codes of the US and Canada, once', async () => {
    await loadPostalCodes(database.url);
    const codes = await counted('discovery_postal_codes');
    expect(codes).toBeGreaterThan(43_000);
    await loadPostalCodes(database.url);
    expect(await counted('discovery_postal_codes')).toBe(codes);
  });
});
