import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { applicationUrl, createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { PostalCodes } from './postal-codes.js';

const LEAST = 41_000;
const LIMIT_MS = 500;
const SLOW_MACHINE = `
  create function sleep_once() returns trigger language plpgsql as $$
  begin
    if not exists (select from discovery_postal_codes) then perform pg_sleep(${(LIMIT_MS * 2) / 1_000}); end if;
    return null;
  end $$;
  create trigger sleep_once before insert on discovery_postal_codes execute function sleep_once()`;

describe('the bundled postal codes', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  const pool = (statementTimeoutMs: number) =>
    createPool({
      databaseUrl: applicationUrl(database.url),
      max: 2,
      applicationName: 'test',
      onError: () => undefined,
      statementTimeoutMs,
      lockTimeoutMs: statementTimeoutMs,
    });

  it('are loaded by two processes at once, also where that takes longer than a request may', async () => {
    const owner = ownerPool(database.url);
    await owner.query(SLOW_MACHINE);
    const pools = [pool(LIMIT_MS), pool(LIMIT_MS)];
    try {
      await Promise.all(pools.map((each) => new PostalCodes(each).ensureLoaded()));
    } finally {
      await Promise.all(pools.map((each) => each.end()));
    }
    const { rows } = await owner.query<{ codes: number }>('select count(*) as codes from discovery_postal_codes');
    await owner.end();
    expect(rows[0]?.codes).toBeGreaterThan(LEAST);
  });
});
