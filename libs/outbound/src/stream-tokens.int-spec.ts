import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { everythingStored } from '../../../test/support/postgres/table-state.js';
import { until } from '../../../test/support/until.js';
import { type IssuedToken, StreamTokens } from './stream-tokens.js';

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

async function issue(name: string, by = tokens): Promise<IssuedToken> {
  const issued = await by.add(name, null);
  if (!issued) throw new Error(`${name} is no name`);
  return issued;
}

const lastUse = async () => (await tokens.list())[0]?.lastUsedAt?.toISOString();

it('accepts a token until it is revoked, and nothing that only looks like it', async () => {
  const { id, token } = await issue('a');
  const other = await issue('b');
  expect(await tokens.find(`Bearer ${token}`)).toBe(id);
  expect(await tokens.find(`bearer  ${other.token}`)).toBe(other.id);
  for (const wrong of [
    token,
    `Bearer ${token}0`,
    `Bearer ${token.toUpperCase()}`,
    `Basic ${token}`,
    'Bearer ',
    undefined,
  ])
    expect(await tokens.find(wrong), wrong).toBeUndefined();
  expect(await tokens.revoke(id)).toBe(true);
  expect(await tokens.revoke(id)).toBe(true);
  expect(await tokens.find(`Bearer ${token}`)).toBeUndefined();
  expect(await tokens.isLive(id)).toBe(false);
  expect(await tokens.find(`Bearer ${other.token}`)).toBe(other.id);
  expect(await tokens.revoke('stk_none')).toBe(false);
});

it('accepts a token of another process at once, and rejects one that it has revoked within 5 s', async () => {
  const elsewhere = process();
  expect(await elsewhere.find(`Bearer wst_${'0'.repeat(64)}`)).toBeUndefined();
  const { id, token } = await issue('a');
  clock.advance(1_000);
  expect(await elsewhere.find(`Bearer ${token}`)).toBe(id);
  await tokens.revoke(id);
  await until(async () => {
    clock.advance(1_000);
    return !(await elsewhere.isLive(id));
  });
  expect(clock.now() - Date.parse('2026-11-21T12:00:01Z')).toBeLessThanOrEqual(5_000);
  expect(await elsewhere.find(`Bearer ${token}`)).toBeUndefined();
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
  expect(await lastUse()).toBeUndefined();
  await tokens.find(`Bearer ${token}`);
  await until(async () => (await lastUse()) === '2026-11-21T12:00:00.000Z');
  clock.advance(59_000);
  await tokens.find(`Bearer ${token}`);
  await elsewhere.find(`Bearer ${token}`);
  expect(await lastUse()).toBe('2026-11-21T12:00:00.000Z');
  clock.advance(1_000);
  await tokens.find(`Bearer ${token}`);
  await until(async () => (await lastUse()) === '2026-11-21T12:01:00.000Z');
});

it('accepts only valid names', async () => {
  expect(await tokens.add('', null)).toBeUndefined();
  expect(await tokens.add(' \u00a0', null)).toBeUndefined();
  expect(await tokens.add('a\nb', null)).toBeUndefined();
  expect(await tokens.add('x'.repeat(201), null)).toBeUndefined();
  expect(await tokens.list()).toEqual([]);
});
