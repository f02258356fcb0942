import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { until } from '../../../../test/support/until.js';
import { ApiTokens } from './api-tokens.js';

let database: TestDatabase;
let pool: Pool;
let clock: FixedClock;
let tokens: ApiTokens;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 2, applicationName: 'test', onError: () => undefined });
});
beforeEach(() => {
  clock = new FixedClock();
  tokens = another();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Like another process. */
const another = () => new ApiTokens(pool, clock, new TimeOrderedIds(), new SystemRandomness());

async function issue(ends?: number) {
  const expiresAt = ends === undefined ? null : new Date(clock.now() + ends);
  const rights = { scopes: ['orders:read' as const], sellers: ['Front Row'], created_by: 'operator:opr_1' };
  const issued = await tokens.add({ name: 'accounting', expiresAt, ...rights });
  if ('error' in issued) throw new Error(issued.message);
  return issued;
}

const lastUse = async (id: string) => (await tokens.list()).find((token) => token.id === id)?.last_used_at;

it('grants its scopes and sellers until another process revokes it', async () => {
  const { id, token } = await issue();
  expect(await tokens.find(token)).toMatchObject({ id, scopes: ['orders:read'], sellers: ['Front Row'] });
  expect(await tokens.isLive(id)).toBe(true);
  expect(await another().revoke(id)).toBeUndefined();
  expect(await tokens.find(token)).toBeUndefined();
  expect(await tokens.isLive(id)).toBe(false);
  expect(await tokens.makerOf(id)).toBe('operator:opr_1');
});

it('ends at its time', async () => {
  const { id, token } = await issue(1_000);
  clock.advance(999);
  expect(await tokens.find(token)).toMatchObject({ id });
  clock.advance(1);
  expect(await tokens.find(token)).toBeUndefined();
  expect(await tokens.isLive(id)).toBe(false);
});

it('is looked up by one statement a request, and its use is noted once a minute', async () => {
  const { id, token } = await issue();
  expect(await tokens.isLive(id)).toBe(true);
  expect(await lastUse(id)).toBeNull();
  await tokens.find(token);
  await until(async () => (await lastUse(id)) === clock.iso());
  const query = vi.spyOn(pool, 'query');
  await tokens.find(token);
  await tokens.find(`wst_${token.slice(4)}`);
  expect(query).toHaveBeenCalledOnce();
  query.mockRestore();
});
