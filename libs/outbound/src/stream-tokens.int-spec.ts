import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { everythingStored } from '../../../test/support/postgres/table-state.js';
import { until } from '../../../test/support/until.js';
import { StreamTokens } from './stream-tokens.js';

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let clock: FixedClock;
let tokens: StreamTokens;

beforeAll(async () => {
  database = await createTestDatabase();
  const onError = () => undefined;
  pool = createPool({ databaseUrl: database.url, max: 5, applicationName: 'test', onError });
  owner = createPool({ databaseUrl: database.url, max: 1, applicationName: 'test', asOwner: true, onError });
});
beforeEach(async () => {
  await owner.query('truncate stream_tokens');
  clock = new FixedClock();
  tokens = process();
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

/** A separate process on the same database. */
const process = () => new StreamTokens(pool, clock, new TimeOrderedIds(), new SystemRandomness());

async function issue(name: string) {
  const issued = await tokens.add({ name, expiresAt: null });
  if ('error' in issued) throw new Error(issued.message);
  return issued;
}

const lastUse = async () => (await tokens.list())[0]?.last_used_at;

it('accepts a token until it is revoked, and nothing that only looks like it', async () => {
  const { id, token } = await issue('a');
  const other = await issue('b');
  expect(await tokens.find(token)).toMatchObject({ id });
  expect(await tokens.find(other.token)).toMatchObject({ id: other.id });
  for (const wrong of [`${token}0`, token.toUpperCase(), token.replace('wst_', 'wat_'), 'wst_', ''])
    expect(await tokens.find(wrong), wrong).toBeUndefined();
  expect(await tokens.revoke(id)).toBeUndefined();
  expect(await tokens.revoke(id)).toBeUndefined();
  expect(await tokens.find(token)).toBeUndefined();
  expect(await tokens.isLive(id)).toBe(false);
  expect(await tokens.find(other.token)).toMatchObject({ id: other.id });
  expect(await tokens.revoke('stk_none')).toMatchObject({ error: 'TOKEN_UNKNOWN' });
});

it('accepts a token of another process at once, and rejects one that it has revoked within 5 s', async () => {
  const elsewhere = process();
  expect(await elsewhere.find(`wst_${'0'.repeat(64)}`)).toBeUndefined();
  const { id, token } = await issue('a');
  clock.advance(1_000);
  expect(await elsewhere.find(token)).toMatchObject({ id });
  await tokens.revoke(id);
  await until(async () => {
    clock.advance(1_000);
    return !(await elsewhere.isLive(id));
  });
  expect(clock.now() - Date.parse('2026-11-21T12:00:01Z')).toBeLessThanOrEqual(5_000);
  expect(await elsewhere.find(token)).toBeUndefined();
});

it('tells an open connection of a revocation by another process within a second', async () => {
  const elsewhere = process();
  const { id } = await issue('a');
  expect(await elsewhere.isLive(id)).toBe(true);
  await tokens.revoke(id);
  clock.advance(1_000);
  expect(await elsewhere.isLive(id)).toBe(false);
});

it('stores nothing from which a token could be derived', async () => {
  const { token } = await issue('a');
  const stored = await everythingStored(owner);
  expect(stored).toContain('"name":"a"');
  expect(stored).not.toContain(token.replace('wst_', ''));
});

it('records the last use at most once a minute', async () => {
  const { token } = await issue('a');
  const elsewhere = process();
  expect(await lastUse()).toBeNull();
  await tokens.find(token);
  await until(async () => (await lastUse()) === '2026-11-21T12:00:00.000Z');
  clock.advance(59_000);
  await tokens.find(token);
  await elsewhere.find(token);
  expect(await lastUse()).toBe('2026-11-21T12:00:00.000Z');
  clock.advance(1_000);
  await tokens.find(token);
  await until(async () => (await lastUse()) === '2026-11-21T12:01:00.000Z');
});

it.each(['', ' \u00a0', 'a\nb', 'x'.repeat(201)])('needs a name, which %j is not', async (name) => {
  expect(await tokens.add({ name, expiresAt: null })).toMatchObject({ error: 'TOKEN_NAME_INVALID' });
  expect(await tokens.list()).toEqual([]);
});
