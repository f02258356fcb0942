import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { Catalogue } from './catalogue.js';
import { CatalogueImport } from './catalogue-import.js';
import { PostalCodes } from './postal-codes.js';

let database: TestDatabase;
let pool: Pool;
let catalogue: Catalogue;
let catalogueImport: CatalogueImport;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 4, applicationName: 'test', onError: () => undefined });
  catalogue = new Catalogue(pool, new FixedClock());
  catalogueImport = new CatalogueImport(catalogue, new PostalCodes(pool));
  return async () => {
    await pool.end();
    await database.drop();
  };
});

const found = async (kind: Parameters<Catalogue['find']>[0], id: number) => {
  const text = await catalogue.find(kind, id);
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
};

const SHARED = '/work/shared/catalogue';

describe.skipIf(!existsSync(SHARED))(`an import of ${SHARED} (skipped where it is not)`, () => {
  const run = () => catalogueImport.run(async (file) => (await open(join(SHARED, `${file}.jsonl`))).createReadStream());

  it('keeps every document as it is', async () => {
    const reports = await run();
    expect(reports.map(({ file, imported, failed }) => [file, imported, failed])).toEqual([
      ['taxonomies', 66, 0],
      ['genres', 20, 0],
      ['venues', 262, 0],
      ['performers', 358, 0],
      ['events', 789, 0],
      ['postal_codes', 199, 0],
    ]);
    for (const kind of ['taxonomies', 'venues', 'performers', 'events'] as const) {
      const lines = (await readFile(join(SHARED, `${kind}.jsonl`), 'utf8')).trim().split('\n');
      for (const line of lines) {
        const document = JSON.parse(line) as { id: number };
        expect(await found(kind, document.id)).toEqual(document);
      }
    }
  });
});
