import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { createPool } from '#database/pool';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { ClientRegistry } from '#accounts/clients';
import { adoptEncryptionKey, checkEncryptionKey, recordedFingerprints, WrongEncryptionKey } from './encryption-key.js';
import { Sealer } from '#base/sealing';

const randomness = new SystemRandomness();
const ours = new Sealer(randomBytes(32), randomness);
const foreign = new Sealer(randomBytes(32), randomness);

let database: TestDatabase;
let owner: Pool;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = ownerPool(database.url);
  pool = createPool({ databaseUrl: database.url, max: 4, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await Promise.all([owner.end(), pool.end()]);
  await database.drop();
});
beforeEach(() => owner.query('truncate encryption_keys, client_secrets'));

describe('the encryption key of a database', () => {
  it('is the first one that was used, identified by a fingerprint that does not reveal it', async () => {
    await checkEncryptionKey(pool, ours);
    expect(await recordedFingerprints(pool)).toEqual([]);
    await adoptEncryptionKey(pool, ours);
    await adoptEncryptionKey(pool, ours);
    await checkEncryptionKey(pool, ours);
    expect(await recordedFingerprints(pool)).toEqual([ours.fingerprint]);
    expect(ours.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  it('cannot be replaced by another', async () => {
    await adoptEncryptionKey(pool, ours);
    await expect(checkEncryptionKey(pool, foreign)).rejects.toThrow(WrongEncryptionKey);
    await expect(adoptEncryptionKey(pool, foreign)).rejects.toThrow(
      `ENCRYPTION_KEY (fingerprint ${foreign.fingerprint}) is not the key`,
    );
    await expect(pool.query(`update encryption_keys set fingerprint = ''`)).rejects.toThrow(/permission denied/);
  });

  it('is that of one process when two start at once with two keys', async () => {
    const ends = await Promise.allSettled([adoptEncryptionKey(pool, ours), adoptEncryptionKey(pool, foreign)]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('must open the data of a database without a fingerprint', async () => {
    const clients = new ClientRegistry(pool, ours, new SystemClock(), new TimeOrderedIds(), randomness);
    await clients.create({ clientId: 'acme', name: 'Acme', variant: 'payment' });
    await expect(adoptEncryptionKey(pool, foreign)).rejects.toThrow(WrongEncryptionKey);
    expect(await recordedFingerprints(pool)).toEqual([]);
    await adoptEncryptionKey(pool, ours);
  });

  it('changes while both keys are given, until the earlier one is retired', async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const both = new Sealer(second, randomness, [first]);
    const prepared = new Sealer(first, randomness, [second]);
    await adoptEncryptionKey(pool, new Sealer(first, randomness));
    await adoptEncryptionKey(pool, prepared);
    expect(await recordedFingerprints(pool)).toEqual([prepared.fingerprint]);
    await adoptEncryptionKey(pool, both);
    expect(await recordedFingerprints(pool)).toEqual([prepared.fingerprint, both.fingerprint]);
    for (const one of [first, second]) {
      await expect(adoptEncryptionKey(pool, new Sealer(one, randomness))).rejects.toThrow(WrongEncryptionKey);
    }
    await adoptEncryptionKey(pool, prepared);
    await pool.query('update encryption_keys set retired_at = now() where fingerprint = $1', [prepared.fingerprint]);
    await adoptEncryptionKey(pool, new Sealer(second, randomness));
    await expect(adoptEncryptionKey(pool, new Sealer(first, randomness))).rejects.toThrow(WrongEncryptionKey);
  });
});
