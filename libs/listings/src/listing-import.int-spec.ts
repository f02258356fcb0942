import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Pool } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ListingImportReport } from './listing-import.contract.js';
import { Catalogue } from '#discovery/catalogue';
import { createPool } from '#database/pool';
import { eventLine, venueLine } from '../../../test/support/discovery/catalogue-lines.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { listingBody } from '../../../test/support/listing-body.js';
import { holdLock, countWaiting } from '../../../test/support/postgres/locks.js';
import { until } from '../../../test/support/until.js';
import { documentOf } from './listing.js';
import { ListingImport } from './listing-import.js';
import { Listings } from './listings.js';
import { ShowFinder } from './show-finder.js';

let database: TestDatabase;
let pool: Pool;
let listings: Listings;
let listingImport: ListingImport;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 4, applicationName: 'test', onError: () => undefined });
  listings = new Listings(pool, new FixedClock());
  listingImport = new ListingImport(listings);
  return async () => {
    await pool.end();
    await database.drop();
  };
});

async function* bytes(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

function importLines(...lines: unknown[]): Promise<ListingImportReport> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return listingImport.run('jsonl', bytes(text));
}

const line = (id: string, change: object = {}) => ({ listing_id: id, ...listingBody(), ...change });

const HEADER =
  'listing_id,event_id,section,row,seats,notes,quantity,split_rule,price,fees,wholesale_price,tax_rate,tax_rates,delivery_methods,confirmation,confirm_within_minutes,market_specific_fields';

async function stored(): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select id from listings order by id');
  return rows.map(({ id }) => id);
}

describe('an import of JSON lines', () => {
  it('writes every line like a PUT', async () => {
    const body = listingBody({ seats: ['1'], split_rule: 'pairs', notes: 'Zwölf 🎟' });
    expect(await importLines({ listing_id: 'a', ...body }, line('b'))).toEqual({ imported: 2, failed: 0, errors: [] });
    expect(documentOf((await listings.read('a'))!)).toMatchObject({ ...body, listing_id: 'a', version: 1 });
  });

  it('can be repeated, and keeps the tickets in orders', async () => {
    await importLines(line('a'));
    await pool.query(`update listings set available = 4`);
    await importLines(line('a'));
    expect(await listings.find('a')).toMatchObject({ version: 2, available: 10, offered: 16 });
  });

  it('reports invalid lines by number and imports the rest', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const result = await importLines(
      line('a'),
      line('b', { price: -1, colour: 'red' }),
      '',
      '{"listing_id": "c"',
      { ...line('d'), listing_id: undefined },
      '[]',
      line('e', { notes: 'half \ud83c' }),
      JSON.stringify(line('f', { market_specific_fields: { deep: 'DEEP' } })).replace('"DEEP"', deep),
      line('g'),
    );
    expect(result).toMatchObject({ imported: 2, failed: 6 });
    expect(result.errors).toMatchObject([
      { line: 2, errors: [{ code: 40001, message: expect.stringMatching(/price: .*"colour"/) as string }] },
      { line: 4, errors: [{ code: 40000, message: 'the line is not JSON' }] },
      { line: 5, errors: [{ code: 40001, message: expect.stringMatching(/^listing_id: /) as string }] },
      { line: 6, errors: [{ code: 40001 }] },
      { line: 7, errors: [{ code: 40001, message: expect.stringMatching(/^notes: /) as string }] },
      { line: 8, errors: [{ code: 40001, message: expect.stringMatching(/^market_specific_fields: /) as string }] },
    ]);
    expect(await stored()).toEqual(['a', 'g']);
  });

  it('uses the later of two lines for one listing', async () => {
    const result = await importLines(line('a', { quantity: 1 }), line('a', { quantity: 2 }));
    expect(result).toMatchObject({ imported: 2, failed: 0 });
    expect(await listings.find('a')).toMatchObject({ available: 2 });
  });

  it('reports bytes that are not text, and lines that are too long', async () => {
    const result = await listingImport.run(
      'jsonl',
      bytes(Buffer.from([0xff, 0xfe, 0x0a]), 'x'.repeat(70_000), `\n${JSON.stringify(line('a'))}`),
    );
    expect(result).toEqual({
      imported: 1,
      failed: 2,
      errors: [
        { line: 1, errors: [{ code: 40000, message: 'the line is not UTF-8' }] },
        { line: 2, errors: [{ code: 40000, message: 'the line is longer than 65536 bytes' }] },
      ],
    });
  });

  it('counts all invalid lines and keeps the first thousand', async () => {
    const result = await importLines(...Array.from({ length: 2_500 }, () => '{'), line('a'));
    expect(result).toMatchObject({ imported: 1, failed: 2_500 });
    expect(result.errors).toHaveLength(1_000);
    expect(result.errors.at(-1)?.line).toBe(1_000);
  });

  it('reports its progress', async () => {
    const seen: number[] = [];
    const lines = Array.from({ length: 1_200 }, (_, index) => JSON.stringify(line(`lst-${index}`)));
    await listingImport.run('jsonl', bytes(lines.join('\n')), ({ imported }) => seen.push(imported));
    expect(seen).toEqual([500, 1_000, 1_200]);
  });

  it('keeps earlier batches if the stream breaks', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(Array.from({ length: 500 }, (_, n) => JSON.stringify(line(`${n}`))).join('\n') + '\n');
      throw new Error('connection lost');
    }
    await expect(listingImport.run('jsonl', broken())).rejects.toThrow('connection lost');
    expect(await stored()).toHaveLength(500);
  });
});

describe('an import of CSV', () => {
  const cells = `1001,Floor,A,"[""1"",""2""]","Two lines,\r\none ""quote""",2,any,19.99,2.5,17,0.05,"{""US-NY"":0.08875}","[{""type"":""ship"",""name"":""Courier"",""cost"":9.5}]",manual,30,"{""a"":1}"`;

  it('writes every record like a PUT', async () => {
    const result = await listingImport.run('csv', bytes(`\uFEFF${HEADER}\r\nlst-1,${cells}\r\n`));
    expect(result).toEqual({ imported: 1, failed: 0, errors: [] });
    expect(documentOf((await listings.read('lst-1'))!)).toMatchObject({
      listing_id: 'lst-1',
      event_id: '1001',
      seats: ['1', '2'],
      notes: 'Two lines,\r\none "quote"',
      quantity: 2,
      split_rule: 'any',
      price: 19.99,
      tax_rate: 0.05,
      tax_rates: { 'US-NY': 0.08875 },
      delivery_methods: [{ type: 'ship', name: 'Courier', cost: 9.5 }],
      confirmation: 'manual',
      confirm_within_minutes: 30,
      market_specific_fields: { a: 1 },
    });
  });

  it('accepts columns in any order and without the optional ones', async () => {
    const header =
      'price,fees,wholesale_price,listing_id,event_id,section,row,quantity,split_rule,delivery_methods,notes';
    const record = '1,0,1,a,1001,,,5,"[2,4]","[{""type"":""download"",""name"":""E-tickets"",""cost"":0}]",';
    expect(await listingImport.run('csv', bytes(`${header}\n${record}`))).toMatchObject({ imported: 1, failed: 0 });
    expect(documentOf((await listings.read('a'))!)).toMatchObject({ section: '', notes: '', split_rule: [2, 4] });
  });

  it('reports invalid records by their first line and imports the rest', async () => {
    const records = [`a,${cells}`, `b,${cells.replace('19.99', 'cheap')}`, 'c,too,few', `d,${cells}`];
    const result = await listingImport.run('csv', bytes([HEADER, ...records].join('\n')));
    expect(result).toMatchObject({ imported: 2, failed: 2 });
    expect(result.errors).toMatchObject([
      { line: 4, errors: [{ code: 40001, message: expect.stringMatching(/^price: /) as string }] },
      { line: 6, errors: [{ code: 40000, message: 'the line has 3 cells under a header of 17' }] },
    ]);
    expect(await stored()).toEqual(['a', 'd']);
  });

  it('imports nothing if the header is invalid, and counts the lines', async () => {
    const result = await listingImport.run('csv', bytes(`section,colour\na,red\nb,blue\n\n`));
    const errors = [{ code: 40000, message: 'the header does not name listing_id' }];
    expect(result).toEqual({ imported: 0, failed: 2, errors: [{ line: 1, errors }], ignored_columns: ['colour'] });
    expect(await listingImport.run('csv', bytes('section'))).toMatchObject({ imported: 0, failed: 1 });
  });

  it('loses one line to a quote that is never closed, and none to a quote within a cell', async () => {
    const good = Array.from({ length: 400 }, (_, index) => `lst-${index},${cells.replace('A', 'Riser 12" high')}`);
    const plain = Array.from({ length: 3 }, (_, index) => `end-${index},1001,"unclosed`);
    const result = await listingImport.run('csv', bytes([HEADER, ...good, ...plain, `last,${cells}`].join('\n')));
    expect(result).toMatchObject({ imported: 401, failed: 3 });
    expect(await listings.read('lst-399')).toMatchObject({ row: 'Riser 12" high' });
  });

  it.each([
    ['UTF-16', Buffer.from(`\uFEFF${HEADER}\r\nlst-1,${cells}\r\n`, 'utf16le'), { imported: 1, failed: 0 }],
    ['UTF-16 without a mark', Buffer.from(`${HEADER}\r\n`, 'utf16le'), { imported: 0, failed: 1 }],
    ['a workbook', Buffer.from('PK\x03\x04'), { imported: 0, failed: 1 }],
  ])('reads %s, or says what it is', async (name, file, counts) => {
    const result = await listingImport.run('csv', bytes(file));
    expect(result).toMatchObject(counts);
    if (counts.failed > 0) {
      expect(result.errors[0]?.errors[0]?.message).toMatch(/^this file is (UTF-16 without a mark|an Excel workbook)/);
    }
  });

  it('ignores columns that are no field, and names them once', async () => {
    const lines = [`${HEADER},colour,`, `a,${cells},red,`, `b,${cells},blue,`];
    expect(await listingImport.run('csv', bytes(lines.join('\r')))).toEqual({
      imported: 2,
      failed: 0,
      errors: [],
      ignored_columns: ['colour', 'column 19'],
    });
  });
});

describe('an export of a point of sale', () => {
  const POS = 'Event;Venue;Event Date;Section;Row;Quantity;Cost;Price;In hand date;Seat from;Seat thru';
  const defaults = {
    fees: 0,
    split_rule: 'any',
    delivery_methods: [{ type: 'download', name: 'E-tickets', cost: 0 }],
  };

  beforeEach(async () => {
    const venue = venueLine(1, { name: 'Madison Hall' });
    const at = (id: number, hour: string) =>
      eventLine(id, {
        title: 'The Beatles: Reunion',
        venue,
        datetime_local: `2026-12-01T${hour}`,
        datetime_utc: '2026-12-02T00:30:00',
      });
    const catalogue = new Catalogue(pool, new FixedClock());
    await catalogue.write('events', [
      at(11, '19:30:00'),
      { ...at(12, '14:00:00'), title: 'Double' },
      { ...at(13, '19:30:00'), title: 'Double' },
    ]);
  });

  const importPos = (...lines: string[]) => {
    const options = { defaults, shows: new ShowFinder(pool) };
    return listingImport.run('csv', bytes([POS, ...lines].join('\r\n')), undefined, listings, options);
  };
  const FIRST = 'the beatles reunion;MADISON HALL;12/1/2026 7:30 PM;104;C;4;50;$1,234.50;11/27/2026 8:00 PM;5;8';

  it('finds the show, makes an id, and replaces its listings the next time', async () => {
    expect(await importPos(FIRST)).toMatchObject({ imported: 1, failed: 0, ignored_columns: ['Cost'] });
    const [id = ''] = await stored();
    expect(documentOf((await listings.read(id))!)).toMatchObject({
      event_id: '11',
      section: '104',
      row: 'C',
      seats: ['5', '6', '7', '8'],
      quantity: 4,
      price: 1234.5,
      wholesale_price: 1234.5,
      in_hand_at: '2026-11-27T20:00:00-05:00',
      version: 1,
    });
    expect(await importPos(FIRST.replace('$1,234.50', '99'))).toMatchObject({ imported: 1 });
    expect(await stored()).toEqual([id]);
    expect(await listings.read(id)).toMatchObject({ version: 2 });
  });

  it('names what is wrong in each line, and imports the others', async () => {
    const { imported, failed, errors } = await importPos(
      FIRST,
      FIRST,
      FIRST.replace('the beatles reunion', 'Wings'),
      FIRST.replace('the beatles reunion', 'double').replace(' 7:30 PM', ''),
      FIRST.replace('the beatles reunion', 'double').replace('7:30', '2:00'),
      FIRST.replace('12/1/2026 7:30 PM', 'soon'),
      FIRST.replace('5;8', '5;9'),
      `${FIRST};;`,
    );
    expect({ imported, failed }).toEqual({ imported: 2, failed: 6 });
    expect(errors.map(({ line, errors: [first] }) => `${line} ${first?.message}`)).toEqual([
      '3 listing_id: is missing, and show, section, row and seats are those of line 2',
      '4 event: no show of the catalogue is "Wings" at "MADISON HALL" on 2026-12-01',
      expect.stringMatching(/^5 event: several shows .*: 12 Double, 14:00, Madison Hall; 13 Double, 19:30/),
      '7 event_date: "soon" is not a date such as 11/27/2026',
      '8 seat_from: from 5 to 9 are 5 seats, and quantity says 4',
      expect.stringMatching(/^9 listing_id: is missing/),
    ]);
  });
});

describe('while one of its listings is locked', () => {
  let owner: Pool;
  let release: () => Promise<void>;
  beforeEach(async () => {
    owner = createPool({
      databaseUrl: database.url,
      max: 2,
      applicationName: 'owner',
      asOwner: true,
      onError: () => undefined,
    });
    await importLines(line('a'), line('locked'));
    const unlock = await holdLock(owner, "select from listings where id = 'locked' for update");
    let held = true;
    release = async () => {
      if (held) await unlock();
      held = false;
    };
    return async () => {
      await release();
      await owner.end();
    };
  });

  it('imports use at most half of the pool, and are written once the lock is released', async () => {
    const imports = Array.from({ length: 8 }, () => importLines(line('a'), line('locked')));
    let most = 0;
    await until(async () => {
      most = Math.max(most, pool.totalCount - pool.idleCount);
      return (await countWaiting(owner, 'test')) > 0;
    });
    for (const end = performance.now() + 1_000; performance.now() < end;) {
      most = Math.max(most, pool.totalCount - pool.idleCount);
      expect(pool.waitingCount).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(most).toBe(2);
    await release();
    expect((await Promise.all(imports)).map(({ imported }) => imported)).toEqual(Array(8).fill(2));
    expect(await listings.find('locked')).toMatchObject({ version: 9 });
  });

  it('an import does not hold the locks of its other listings', async () => {
    const imported = importLines(line('a'), line('locked'));
    await until(async () => (await countWaiting(owner, 'test')) === 1, { everyMs: 5 });
    await owner.query("set lock_timeout = '10 s'; update listings set available = available - 1 where id = 'a'");
    await release();
    expect(await imported).toMatchObject({ imported: 2 });
  });
});

/** Memory that could not be freed, because V8 decides how much garbage remains. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('a stream of 25 MB', () => {
  it('is imported without filling the memory', async () => {
    const wide = JSON.stringify(line('lst', { market_specific_fields: { much: 'x'.repeat(10_000) } }));
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let sent = 0, next = 0; sent < 25 * 1024 * 1024; next += 30) {
        const lines = Array.from({ length: 30 }, (_, n) => wide.replace('"lst"', `"lst-${(next + n) % 1_000}"`));
        const chunk = Buffer.from(`${lines.join('\n')}\n`);
        sent += chunk.length;
        yield chunk;
      }
    }
    const kept: number[] = [];
    const result = await listingImport.run('jsonl', endless(), ({ imported }) => {
      if (imported % 500 < 100) kept.push(memoryInUse());
    });
    expect(result.failed).toBe(0);
    expect(result.imported).toBeGreaterThan(2_200);
    expect(kept.length).toBeGreaterThan(3);
    expect(Math.max(...kept) - (kept[0] ?? 0)).toBeLessThan(10 * 1024 * 1024);
  });
});
