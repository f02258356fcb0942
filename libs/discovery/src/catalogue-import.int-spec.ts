import { open } from 'node:fs/promises';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import {
  isRecorded,
  RECORDED,
  recordedDocuments,
  recordedFile,
} from '../../../test/support/discovery/whole-catalogues.js';
import { concert, eventLine, performerLine, venueLine } from '../../../test/support/discovery/catalogue-lines.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { damaged, mutated } from '../../../test/support/mutations.js';
import { Catalogue } from './catalogue.js';
import { CatalogueImport, type FileReport, type ImportedFile } from './catalogue-import.js';
import { PostalCodes } from './postal-codes.js';

let database: TestDatabase;
let pool: Pool;
let catalogue: Catalogue;
let catalogueImport: CatalogueImport;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 4, applicationName: 'test', onError: () => undefined });
  catalogue = new Catalogue(pool, new FixedClock('2026-11-21T12:00:00Z'));
  catalogueImport = new CatalogueImport(catalogue, new PostalCodes(pool));
  return async () => {
    await pool.end();
    await database.drop();
  };
});

type Files = Partial<Record<ImportedFile, readonly unknown[]>>;

/** A line is JSON text or is converted to it. */
function importFiles(files: Files): Promise<FileReport[]> {
  return catalogueImport.run(async (file) => {
    const lines = files[file]?.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    return lines && bytes(lines.join('\n'));
  });
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let from = 0; from < all.length; from += 5_000) yield all.subarray(from, from + 5_000);
}

const found = async (kind: Parameters<Catalogue['find']>[0], id: number) => {
  const text = await catalogue.find(kind, id);
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
};

const absent = isRecorded ? '' : `: skipped, as ${RECORDED} is not there`;

describe.skipIf(absent)(`an import of real data${absent}`, () => {
  const run = () => catalogueImport.run(async (file) => (await open(recordedFile(file))).createReadStream());

  it('stores every document unchanged, also when it is repeated', async () => {
    const imported = [
      ['taxonomies', 66, 0],
      ['genres', 20, 0],
      ['venues', 262, 0],
      ['performers', 358, 0],
      ['events', 789, 0],
      ['postal_codes', 199, 0],
    ];
    for (const reports of [await run(), await run()]) {
      expect(reports.map(({ file, imported: count, failed }) => [file, count, failed])).toEqual(imported);
    }
    for (const kind of ['taxonomies', 'venues', 'performers', 'events'] as const) {
      for (const document of recordedDocuments<{ id: number }>(kind)) {
        expect(await found(kind, document.id)).toEqual(document);
      }
    }
  });
});

describe('an import of a thousand lines', () => {
  const INVALID: Readonly<Record<number, readonly [unknown, RegExp]>> = {
    3: ['{"id": 3, "title":', /^the line is not JSON$/],
    250: [{ ...eventLine(250), title: undefined, datetime_utc: 'soon' }, /title: .*datetime_utc: must be a date-time/],
    251: ['[]', /must be an object/],
    500: [{ ...eventLine(500), venue: { id: 77 } }, /^venue\.id: there is no venue 77$/],
    501: [{ ...eventLine(501), performers: [{ id: 78, name: 5 }] }, /^performers\.0\.name: /],
    502: [
      { ...eventLine(502), taxonomies: [{ id: 5, name: 'x', parent_id: 6 }] },
      /^taxonomies\.0\.parent_id: there is no taxonomy 6$/,
    ],
    999: [`{"id": 999, "title": "${'x'.repeat(1_100_000)}"}`, /^the line is longer than 1048576 bytes$/],
  };

  it('reports invalid documents by number and imports the rest', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => INVALID[at + 1]?.[0] ?? eventLine(at + 1));
    const [report] = await importFiles({ events: lines });
    expect(report).toMatchObject({ file: 'events', imported: 993, failed: 7 });
    expect(report?.errors.map(({ line }) => line)).toEqual(Object.keys(INVALID).map(Number));
    for (const { line, message } of report?.errors ?? []) expect(message).toMatch(INVALID[line]?.[1] ?? /never/);
    const { rows } = await pool.query<{ ids: number }>('select count(*)::int as ids from discovery_events');
    expect(rows[0]?.ids).toBe(993);
    // Valid documents that an invalid line embeds are written, and invalid ones are not.
    expect(await found('performers', 78)).toBeUndefined();
  });
});

describe('an import of mutated documents', () => {
  const performer = performerLine(1, {
    score: 0.5,
    images: { huge: 'https://tickets.example/huge.jpg' },
    links: [{ provider: 'lastfm', url: 'https://tracking.example/a' }],
    divisions: [{ display_name: 'East', division_level: 1 }],
    genres: [{ id: 5, name: 'Pop', slug: 'pop', primary: true }],
  });
  const event = { ...eventLine(1, { performers: [performer], score: 0.5, announce_date: '2026-01-01' }) };
  const subjects = { taxonomies: concert, genres: { id: 5, name: 'Pop' }, venues: venueLine(1), performers: performer };

  it.each(Object.entries({ ...subjects, events: event }))(
    'keeps the %s that are sound, whatever the others are',
    async (kind, line) => {
      const hostile = [
        ...fc.sample(
          mutated(line).map((value) => JSON.stringify(value)),
          { seed: 1, numRuns: 300 },
        ),
        ...fc.sample(
          damaged(JSON.stringify(line)).map((bytes) => bytes.toString().replaceAll(/[\n\r]/g, ' ')),
          { seed: 2, numRuns: 100 },
        ),
      ].filter((text) => text.trim() !== '');
      const sound = { ...line, id: 777 };
      const [report] = await importFiles({ [kind]: [...hostile, sound] });
      expect((report?.imported ?? 0) + (report?.failed ?? 0)).toBe(hostile.length + 1);
      expect(report?.failed).toBeGreaterThan(20);
      expect(report?.imported).toBeGreaterThan(20);
      expect(await found(kind as keyof typeof subjects, 777)).toMatchObject({ id: 777 });
      const { rows } = await pool.query<{ document: string }>(`select document::text from discovery_${kind}`);
      for (const { document } of rows) expect(() => JSON.parse(document) as unknown).not.toThrow();
    },
  );
});

describe('an import', () => {
  it('writes venues, performers and taxonomies that only an event contains, and leaves existing ones unchanged', async () => {
    await importFiles({
      venues: [venueLine(1, { name: 'The old name' })],
      events: [
        eventLine(1, { performers: [{ id: 5 }, { ...performerLine(6), home_team: true }] }),
        eventLine(2, { performers: [{ ...performerLine(5), away_team: true, primary: false }] }),
      ],
    });
    expect(await found('taxonomies', concert.id)).toEqual(concert);
    expect(await found('performers', 5)).toMatchObject({ name: 'Performer 5', taxonomies: [concert], genres: null });
    const event = await found('events', 1);
    expect(event).toMatchObject({ venue: { name: 'The old name' }, taxonomies: [concert] });
    const { has_upcoming_events: upcoming } = (await found('performers', 5)) ?? {};
    expect(upcoming).toBe(true);
    expect(event?.['performers']).toEqual([
      await found('performers', 5),
      { ...(await found('performers', 6)), home_team: true },
    ]);
    expect((await found('events', 2))?.['performers']).toEqual([
      { ...(await found('performers', 5)), away_team: true },
    ]);
  });

  it('uses the later of two lines, and replaces an earlier import', async () => {
    await importFiles({ events: [eventLine(1, { title: 'First' }), eventLine(1, { title: 'Second' })] });
    expect(await found('events', 1)).toMatchObject({ title: 'Second', short_title: 'Second' });
    await importFiles({ venues: [venueLine(1, { name: 'Renamed' })], events: [eventLine(1, { title: 'Third' })] });
    expect(await found('events', 1)).toMatchObject({ title: 'Third', venue: { name: 'Renamed' } });
  });

  it('accepts any subset of the files, and children before their parents', async () => {
    const child = { id: 2, name: 'mlb', parent_id: 1 };
    expect(await importFiles({ taxonomies: [child, { id: 1, name: 'sports' }] })).toHaveLength(1);
    expect(await found('taxonomies', 2)).toEqual(child);
    const { rows } = await pool.query('select id, line_ids, rank from discovery_taxonomies order by id');
    expect(rows).toEqual([
      { id: 1, line_ids: [1], rank: 1 },
      { id: 2, line_ids: [2, 1], rank: 2 },
    ]);
  });

  it('prefers imported postal codes to the bundled ones', async () => {
    const postalCodes = new PostalCodes(pool);
    const place = { country: 'US', state: 'NY', city: 'Imported', lat: 1, lon: 2 };
    await importFiles({
      postal_codes: [
        { ...place, postal_code: '10001-1234' },
        { postal_code: '1', country: 'US' },
      ],
    });
    await postalCodes.ensureLoaded();
    await importFiles({ postal_codes: [{ ...place, postal_code: 'm5v 1j1', country: 'ca' }] });
    const { rows } = await pool.query(
      `select country, code, city, state, imported from discovery_postal_codes
       where code in ('10001', '10002', 'M5V', 'T6G') order by code`,
    );
    expect(rows).toEqual([
      { country: 'US', code: '10001', city: 'Imported', state: 'NY', imported: true },
      { country: 'US', code: '10002', city: 'New York', state: 'NY', imported: false },
      { country: 'CA', code: 'M5V', city: 'Imported', state: 'NY', imported: true },
      { country: 'CA', code: 'T6G', city: expect.stringMatching(/Edmonton/) as string, state: 'AB', imported: false },
    ]);
    const { rows: states } = await pool.query(
      `select count(*)::int as count from discovery_postal_codes where state !~ '^[A-Z]{2}$' or state is null`,
    );
    expect(states).toEqual([{ count: 0 }]);
  });

  it('runs beside readers, who see each event complete with its venue', async () => {
    await importFiles({ events: Array.from({ length: 50 }, (_, at) => eventLine(at + 1)) });
    let running = true;
    let reads = 0;
    const reader = (async () => {
      for (; running; reads += 1) {
        const { rows } = await pool.query<{ told: string; named: string }>(
          `select e.document -> 'venue' ->> 'name' as told, v.name as named
           from discovery_events as e join discovery_venues as v on v.id = venue_id`,
        );
        for (const { told, named } of rows) expect(told).toBe(named);
      }
    })();
    const rename = (round: number) => catalogue.put('venues', venueLine(1, { name: `Round ${round}` }));
    for (let round = 0; round < 10; round += 1) {
      const lines = Array.from({ length: 200 }, (_, at) =>
        eventLine(round * 200 + at + 1, { title: `Round ${round}` }),
      );
      await Promise.all([importFiles({ events: lines }), rename(round)]);
    }
    running = false;
    await reader;
    expect(reads).toBeGreaterThan(5);
    const { rows } = await pool.query(`select distinct document -> 'venue' ->> 'name' as name from discovery_events`);
    expect(rows).toEqual([{ name: 'Round 9' }]);
  });
});
