import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sealer } from '#base/sealing';
import { createPool } from '#database/pool';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { until } from '../../../test/support/until.js';
import { ClientRegistry, type ClientRegistryError, type IssuedSecret } from './clients.js';
import { authorizationHeader } from '#base/signature';
import { RequestVerifier } from './verify-request.js';

const randomness = new SystemRandomness();
const sealer = new Sealer(randomBytes(32), randomness);
const ids = new TimeOrderedIds();

let database: TestDatabase;
let pool: Pool;
let clock: FixedClock;
let registry: ClientRegistry;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = connect();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => {
  clock = new FixedClock();
  registry = new ClientRegistry(pool, sealer, clock, ids, randomness);
});
afterEach(() => vi.restoreAllMocks());

function connect({ asOwner = false } = {}): Pool {
  const onError = () => undefined;
  return createPool({ databaseUrl: database.url, max: 5, applicationName: 'test', onError, asOwner });
}

/** The same database seen by another process. */
function anotherProcess(by = sealer, through = pool): ClientRegistry {
  return new ClientRegistry(through, by, clock, ids, randomness);
}

function issued(result: IssuedSecret | ClientRegistryError): IssuedSecret {
  if ('error' in result) throw new Error(result.error);
  return result;
}

async function made(): Promise<IssuedSecret> {
  return issued(await registry.create({ name: 'A platform', variant: 'payment' }));
}

async function secretsOf(from: ClientRegistry, clientId: string): Promise<string[] | undefined> {
  const client = await from.find(clientId);
  return client?.secrets.map((secret) => secret.toString());
}

const queries = () => vi.spyOn(pool, 'query');

describe('create', () => {
  it('generates missing values', async () => {
    const { clientId, secretId, secret } = await made();
    expect([clientId, secretId, secret]).toEqual([
      expect.stringMatching(/^cli_[0-9a-f]{32}$/),
      expect.stringMatching(/^sec_[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    const client = await registry.find(clientId);
    expect(client).toMatchObject({ clientId, variant: 'payment' });
    expect(await secretsOf(registry, clientId)).toEqual([secret]);
  });

  it('uses given values', async () => {
    const given = {
      clientId: 'given',
      name: 'Given',
      variant: 'wholesale',
      secret: 'sixteen letters!'.replace(' ', '_'),
    };
    await registry.create({ ...given, variant: 'wholesale' });
    expect(await registry.find('given')).toMatchObject({ clientId: 'given', variant: 'wholesale' });
    expect(await secretsOf(registry, 'given')).toEqual([given.secret]);
  });

  it('lets one of many concurrent calls succeed', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        anotherProcess().create({ clientId: 'contested', name: `n${n}`, variant: 'payment' }),
      ),
    );
    const created = all.filter((result) => !('error' in result));
    expect(created.length).toBe(1);
    expect(new Set(all.map((result) => ('error' in result ? result.error : 'made')))).toEqual(
      new Set(['made', 'CLIENT_EXISTS']),
    );
    expect(await secretsOf(registry, 'contested')).toEqual(created.map((winner) => issued(winner).secret));
  });

  it.each([
    ['CLIENT_ID_INVALID', { clientId: '' }],
    ['CLIENT_ID_INVALID', { clientId: 'a:b' }],
    ['CLIENT_ID_INVALID', { clientId: 'ünï' }],
    ['CLIENT_NAME_INVALID', { name: '' }],
    ['CLIENT_NAME_INVALID', { name: 'a\u0000' }],
    ['SECRET_INVALID', { secret: 'too short' }],
    ['SECRET_INVALID', { secret: 'with a space in it, though long' }],
  ])('fails (%s) for %j', async (error, wrong) => {
    const before = (await registry.list()).length;
    expect(await registry.create({ name: 'n', variant: 'payment', ...wrong })).toMatchObject({ error });
    expect((await registry.list()).length).toBe(before);
  });
});

describe('the database', () => {
  it('contains no readable secret', async () => {
    const { clientId, secret } = await made();
    const { rows } = await pool.query<{ row: string }>(
      'select client_secrets::text || encode(secret, $2) as row from client_secrets where client_id = $1',
      [clientId, 'escape'],
    );
    expect(rows.length).toBe(1);
    expect(rows[0]?.row).not.toContain(secret);
    expect(rows[0]?.row).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it('cannot be changed to give one client the secret of another', async () => {
    const error = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    const [first, second] = [await made(), await made()];
    await pool.query(
      'update client_secrets set secret = (select secret from client_secrets where id = $1) where id = $2',
      [second.secretId, first.secretId],
    );
    expect(await secretsOf(anotherProcess(), first.clientId)).toEqual([]);
    expect(await secretsOf(anotherProcess(), second.clientId)).toEqual([second.secret]);
    expect(error.mock.calls[0]?.[0]).toContain(first.secretId);
    await registry.revoke(first.clientId);
  });

  it('read with another key locks out its clients, and each secret is logged once', async () => {
    const error = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    const { clientId, secretId } = await made();
    const stranger = anotherProcess(new Sealer(randomBytes(32), randomness));
    for (let reading = 0; reading < 3; reading += 1) {
      expect(await secretsOf(stranger, clientId)).toEqual([]);
      clock.advance(10_000);
    }
    expect(error.mock.calls.filter(([message]) => String(message).includes(secretId)).length).toBe(1);
  });
});

describe('rotate', () => {
  it('adds a second secret in front of the first, until that is revoked', async () => {
    const first = await made();
    clock.advance(1);
    const second = issued(await registry.rotate(first.clientId));
    expect(await secretsOf(registry, first.clientId)).toEqual([second.secret, first.secret]);
    expect(await registry.revokeSecret(first.clientId, first.secretId)).toBeUndefined();
    expect(await secretsOf(registry, first.clientId)).toEqual([second.secret]);
    const third = issued(await registry.rotate(first.clientId, 'a-secret-of-ones-own'));
    expect(await secretsOf(registry, first.clientId)).toEqual(['a-secret-of-ones-own', second.secret]);
    expect(third.secret).toBe('a-secret-of-ones-own');
  });

  it('never leaves more than two live secrets, even with concurrent rotations', async () => {
    const { clientId } = await made();
    const all = await Promise.all(Array.from({ length: 10 }, () => anotherProcess().rotate(clientId)));
    expect(all.filter((result) => !('error' in result)).length).toBe(1);
    expect(all.filter((result) => 'error' in result && result.error === 'TWO_SECRETS_LIVE').length).toBe(9);
    expect((await secretsOf(anotherProcess(), clientId))?.length).toBe(2);
  });

  it('fails if the client is unknown or revoked, or the secret too short', async () => {
    const { clientId } = await made();
    expect(await registry.rotate('nobody')).toMatchObject({ error: 'CLIENT_UNKNOWN' });
    expect(await registry.rotate(clientId, 'with space')).toMatchObject({ error: 'SECRET_INVALID' });
    await registry.revoke(clientId);
    expect(await registry.rotate(clientId)).toMatchObject({ error: 'CLIENT_REVOKED' });
  });

  it('returns its connection to the pool when the database fails', async () => {
    const { clientId } = await made();
    const owner = connect({ asOwner: true });
    await owner.query('alter table client_secrets rename to lost');
    for (let time = 0; time < 10; time += 1) await expect(registry.rotate(clientId)).rejects.toThrow('client_secrets');
    await owner.query('alter table lost rename to client_secrets');
    await owner.end();
    issued(await registry.rotate(clientId));
  });
});

describe('revoke', () => {
  it('makes a client unknown for ever', async () => {
    const { clientId } = await made();
    expect(await registry.find(clientId)).toBeDefined();
    expect(await registry.revoke(clientId)).toBeUndefined();
    expect(await registry.revoke(clientId)).toBeUndefined();
    expect(await registry.find(clientId)).toBeUndefined();
    const again = await registry.create({ clientId, name: 'again', variant: 'payment' });
    expect(again).toMatchObject({ error: 'CLIENT_EXISTS' });
    expect(await registry.revoke('nobody')).toMatchObject({ error: 'CLIENT_UNKNOWN' });
  });

  it('of a secret needs its own client', async () => {
    const [one, other] = [await made(), await made()];
    expect(await registry.revokeSecret(other.clientId, one.secretId)).toMatchObject({ error: 'SECRET_UNKNOWN' });
    expect(await secretsOf(registry, one.clientId)).toEqual([one.secret]);
    expect(await registry.revokeSecret(one.clientId, one.secretId)).toBeUndefined();
    expect(await secretsOf(registry, one.clientId)).toEqual([]);
  });

  it('keeps the first date when it is repeated', async () => {
    const { clientId, secretId } = await made();
    const revoked = clock.iso();
    for (let time = 0; time < 2; time += 1) {
      await registry.revokeSecret(clientId, secretId);
      await registry.revoke(clientId);
      clock.advance(1_000);
    }
    const listed = (await registry.list()).find(({ client_id }) => client_id === clientId);
    expect(listed).toMatchObject({ revoked_at: revoked, secrets: [{ id: secretId, revoked_at: revoked }] });
  });
});

describe('list', () => {
  it('shows everything except the secrets', async () => {
    const first = await made();
    clock.advance(5);
    const second = issued(await registry.rotate(first.clientId));
    const all = await registry.list();
    const earlier = new Date(clock.now() - 5).toISOString();
    expect(all.find(({ client_id }) => client_id === first.clientId)).toEqual({
      client_id: first.clientId,
      name: 'A platform',
      require_ref_id: false,
      variant: 'payment',
      created_at: earlier,
      revoked_at: null,
      secrets: [
        { id: second.secretId, created_at: clock.iso(), revoked_at: null },
        { id: first.secretId, created_at: earlier, revoked_at: null },
      ],
    });
    expect(JSON.stringify(all)).not.toContain(first.secret);
  });
});

describe('another process', () => {
  it('finds a client that was created a moment ago', async () => {
    const other = anotherProcess();
    await other.find('warm');
    clock.advance(1_000);
    const { clientId, secret } = await made();
    expect(await secretsOf(other, clientId)).toEqual([secret]);
  });

  it('does not query the database for each unknown id', async () => {
    await registry.find('warm');
    clock.advance(1_000);
    const asked = queries();
    await Promise.all(Array.from({ length: 50 }, (_, n) => registry.find(`garbage ${n}`)));
    for (let n = 0; n < 50; n += 1) expect(await registry.find(`garbage ${n}`)).toBeUndefined();
    expect(asked.mock.calls.length).toBe(1);
  });

  it('makes one small query every two seconds, however many requests come', async () => {
    const { clientId } = await made();
    const other = anotherProcess();
    await other.find(clientId);
    const asked = queries();
    for (let step = 0; step < 100; step += 1) {
      clock.advance(100);
      await Promise.all([other.find(clientId), other.find(clientId), other.findCached(clientId)]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(asked.mock.calls.length).toBeLessThanOrEqual(5);
    expect(asked.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  it('sees a rotation and a revocation within 5 s, by the real clock and under steady requests', async () => {
    const real = new SystemClock();
    const here = new ClientRegistry(pool, sealer, real, ids, randomness);
    const there = new ClientRegistry(pool, sealer, real, ids, randomness);
    const { clientId, secretId, secret } = issued(await here.create({ name: 'Live', variant: 'payment' }));
    expect(await secretsOf(there, clientId)).toEqual([secret]);
    const rotated = issued(await here.rotate(clientId));
    await here.revokeSecret(clientId, secretId);
    await until(async () => String(await secretsOf(there, clientId)) === rotated.secret, { withinMs: 5_000 });
    await here.revoke(clientId);
    await until(async () => (await there.find(clientId)) === undefined, { withinMs: 5_000 });
  });

  it('does not use an outdated list after a pause', async () => {
    const { clientId } = await made();
    const other = anotherProcess();
    expect(await other.find(clientId)).toBeDefined();
    await registry.revoke(clientId);
    clock.advance(4_000);
    expect(await other.find(clientId)).toBeUndefined();
  });

  it('uses the last list for a minute while the database is unreachable', async () => {
    const { clientId } = await made();
    const broken = connect();
    const other = anotherProcess(sealer, broken);
    expect(await other.find(clientId)).toBeDefined();
    await broken.end();
    clock.advance(59_000);
    expect(await other.find(clientId)).toBeDefined();
    clock.advance(1_000);
    await expect(other.find(clientId)).rejects.toThrow('no copy is fresh enough');
  });
});

describe('a signed request', () => {
  const body = Buffer.from('{}');
  const received = ({ clientId, secret }: IssuedSecret) => ({
    method: 'POST',
    rawUrl: '/checkout/v1/purchases?x=1',
    body,
    rawHeaders: [
      'authorization',
      authorizationHeader('XX', clientId, { method: 'POST', path: '/checkout/v1/purchases', body, secret }),
    ],
  });

  it('is accepted with a secret that another process has just created, until that is revoked', async () => {
    const other = anotherProcess();
    const verifier = new RequestVerifier(other, { CHECKOUT_SCHEME: 'XX' });
    const first = await made();
    expect(await verifier.verify(received(first))).toMatchObject({ clientId: first.clientId, variant: 'payment' });
    clock.advance(1_000);
    const second = issued(await registry.rotate(first.clientId));
    expect(await verifier.verify(received(second))).toBeDefined();
    expect(await verifier.verify(received(first))).toBeDefined();
    await registry.revokeSecret(first.clientId, first.secretId);
    clock.advance(4_000);
    expect(await verifier.verify(received(first))).toBeUndefined();
    expect(await verifier.verify(received(second))).toBeDefined();
  });
});
