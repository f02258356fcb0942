import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SystemRandomness } from '#base/randomness';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { DiscoveryKeyUsage } from './discovery-key-usage.js';
import { DiscoveryKeys, type IssuedKey } from './discovery-keys.js';

let database: TestDatabase;
let pool: Pool;
let clock: FixedClock;
let keys: DiscoveryKeys;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 2, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => {
  clock = new FixedClock();
  keys = another();
});

/** Like another process, with its own memory. */
const another = () => new DiscoveryKeys(pool, clock, new SystemRandomness());

async function made(key: Partial<Parameters<DiscoveryKeys['create']>[0]> = {}): Promise<IssuedKey> {
  const issued = await keys.create({ name: 'a client', ...key });
  if ('error' in issued) throw new Error(issued.message);
  return issued;
}

const find = async (clientId: string) => (await keys.list()).find(({ client_id }) => client_id === clientId);

describe('a key', () => {
  it('with a secret is accepted only with it', async () => {
    const { clientId, secret } = await made({ withSecret: true, ratePerSecond: 7 });
    expect(clientId).toMatch(/^key_[0-9a-f]{32}$/);
    expect(await keys.admit({ clientId, secret })).toMatchObject({ clientId, ratePerSecond: 7 });
    for (const wrong of [undefined, '', 'x', `${secret}x`, secret?.toUpperCase()]) {
      expect(await keys.admit({ clientId, secret: wrong })).toBeUndefined();
    }
  });

  it('without a secret accepts any secret', async () => {
    const { clientId, secret } = await made();
    expect(secret).toBeUndefined();
    expect(await keys.admit({ clientId })).toMatchObject({ ratePerSecond: null });
    expect(await keys.admit({ clientId, secret: 'any' })).toMatchObject({ clientId });
  });

  it('accepts the secret before a rotation until the overlap ends', async () => {
    const { clientId, secret } = await made({ withSecret: true });
    const rotated = await keys.rotate(clientId, 1_000);
    if ('error' in rotated) throw new Error(rotated.message);
    expect(await keys.admit({ clientId, secret })).toBeDefined();
    expect(await keys.admit({ clientId, secret: rotated.secret })).toBeDefined();
    expect((await find(clientId))?.previous_secret_until).toBe(new Date(clock.now() + 1_000).toISOString());
    clock.advance(1_000);
    expect(await keys.admit({ clientId, secret })).toBeUndefined();
    expect(await keys.admit({ clientId, secret: rotated.secret })).toBeDefined();
    expect((await find(clientId))?.previous_secret_until).toBeNull();
  });

  it('of another process is accepted at once, and rejected within 5 s after its revocation', async () => {
    expect(await keys.admit({ clientId: 'stranger' })).toBeUndefined();
    clock.advance(1_500);
    const elsewhere = another();
    await elsewhere.create({ clientId: 'from-elsewhere', name: 'b' });
    expect(await keys.admit({ clientId: 'from-elsewhere' })).toBeDefined();
    expect(await elsewhere.revoke('from-elsewhere')).toBeUndefined();
    expect(await elsewhere.admit({ clientId: 'from-elsewhere' })).toBeUndefined();
    clock.advance(5_000);
    expect(await keys.admit({ clientId: 'from-elsewhere' })).toBeUndefined();
  });

  it('cannot be created with an invalid or used id', async () => {
    const { clientId } = await made();
    expect(await keys.revoke(clientId)).toBeUndefined();
    expect(await keys.revoke(clientId)).toBeUndefined();
    const refusals = [
      keys.create({ clientId, name: 'again' }),
      keys.create({ clientId: 'a:b', name: 'colon' }),
      keys.create({ name: '' }),
      keys.create({ name: 'a', ratePerSecond: 0 }),
      keys.create({ name: 'a', ratePerSecond: 1.5 }),
      keys.revoke('nobody'),
    ];
    expect((await Promise.all(refusals)).map((refusal) => refusal && 'error' in refusal && refusal.error)).toEqual([
      'KEY_EXISTS',
      'KEY_ID_INVALID',
      'KEY_NAME_INVALID',
      'KEY_RATE_INVALID',
      'KEY_RATE_INVALID',
      'KEY_UNKNOWN',
    ]);
  });

  it('is listed without its secret', async () => {
    const { clientId, secret } = await made({ name: 'listed', withSecret: true });
    const listed = await find(clientId);
    expect(listed).toMatchObject({
      name: 'listed',
      has_secret: true,
      rate_per_second: null,
      revoked_at: null,
      usage: [],
    });
    expect(listed?.created_at).toBe(clock.iso());
    const { rows } = await pool.query('select * from discovery_keys where client_id = $1', [clientId]);
    expect(JSON.stringify([listed, rows])).not.toContain(secret);
  });
});

describe('its usage', () => {
  it('is counted by day, from several processes', async () => {
    const { clientId } = await made();
    clock.set('2026-11-21T23:59:59.000Z');
    const [one, other] = [new DiscoveryKeyUsage(pool, clock), new DiscoveryKeyUsage(pool, clock)];
    for (const usage of [one, one, other]) usage.count(clientId, { throttled: false });
    clock.advance(2_000);
    one.count(clientId, { throttled: true });
    await Promise.all([one.flush(), other.flush()]);
    await one.flush();
    expect((await find(clientId))?.usage).toEqual([
      { day: '2026-11-22', requests: 1, throttled: 1 },
      { day: '2026-11-21', requests: 3, throttled: 0 },
    ]);
    clock.advance(31 * 86_400_000);
    expect((await find(clientId))?.usage).toEqual([]);
  });

  it('is kept while the database is unreachable', async () => {
    const { clientId } = await made();
    const usage = new DiscoveryKeyUsage(pool, clock);
    usage.count(clientId, { throttled: false });
    const query = vi.spyOn(pool, 'query').mockImplementationOnce(() => {
      throw new Error('down');
    });
    await usage.flush();
    query.mockRestore();
    usage.count(clientId, { throttled: false });
    await usage.flush();
    expect((await find(clientId))?.usage).toMatchObject([{ requests: 2 }]);
  });
});
