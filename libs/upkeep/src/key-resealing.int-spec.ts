import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { createPool } from '#database/pool';
import { ClientRegistry } from '#accounts/clients';
import {
  adoptEncryptionKey,
  recordedFingerprints,
  reportUsedKey,
  RetiredEncryptionKey,
} from '#platform/encryption-key';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { LogDouble } from '../../../test/support/log-double.js';
import { KeyResealing } from './key-resealing.js';

const randomness = new SystemRandomness();
const [before, after] = [randomness.bytes(32), randomness.bytes(32)];
const earlier = new Sealer(before, randomness);
const changing = new Sealer(after, randomness, [before]);
const alone = new Sealer(after, randomness);

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 4, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const clock = new FixedClock();
const ids = new TimeOrderedIds();
const clientsOf = (sealer: Sealer) => new ClientRegistry(pool, sealer, clock, ids, randomness);
const log = Object.assign(new LogDouble(), { info: () => undefined, debug: () => undefined });

/** As if nobody had used the keys since. */
const minutesPass = (count: number) =>
  pool.query(`update encryption_keys set used_at = used_at - $1 * interval '1 minute'`, [count]);

it('retires the earlier key when nothing has needed it for a minute, and not before', async () => {
  await adoptEncryptionKey(pool, earlier);
  await clientsOf(earlier).create({ clientId: 'first', name: 'First', variant: 'payment' });
  await adoptEncryptionKey(pool, changing);
  const both = await recordedFingerprints(pool);
  expect(both).toEqual([earlier.fingerprint, changing.fingerprint]);
  const resealing = new KeyResealing(pool, ids, clock, changing, log);
  expect(await resealing.remaining()).toBe(1);
  const [seals, begins] = [() => resealing.step(), () => resealing.step()];
  await seals();
  await begins();
  clock.advance(59_999);
  await resealing.step();
  expect(await recordedFingerprints(pool)).toEqual(both);
  // A process that still runs with the earlier key seals once more. The minute begins again.
  await clientsOf(earlier).create({ clientId: 'late', name: 'Late', variant: 'payment' });
  await seals();
  await begins();
  clock.advance(59_999);
  await resealing.step();
  expect(await recordedFingerprints(pool)).toEqual(both);
  // Another worker does not know when it began.
  await new KeyResealing(pool, ids, clock, changing, log).step();
  clock.advance(1);
  expect(await recordedFingerprints(pool)).toEqual(both);
  // A process that has sealed nothing for a while still would with the earlier key.
  await minutesPass(6);
  await reportUsedKey(pool, earlier);
  await resealing.step();
  expect(await recordedFingerprints(pool)).toEqual(both);
  await minutesPass(4);
  await resealing.step();
  expect(await recordedFingerprints(pool)).toEqual(both);
  await minutesPass(2);
  await resealing.step();
  expect(await recordedFingerprints(pool)).toEqual([changing.fingerprint]);
  await expect(reportUsedKey(pool, earlier)).rejects.toBeInstanceOf(RetiredEncryptionKey);
  await adoptEncryptionKey(pool, alone);
  for (const clientId of ['first', 'late']) expect(await clientsOf(alone).find(clientId)).toBeDefined();
  await expect(adoptEncryptionKey(pool, earlier)).rejects.toThrow('is not the key');
});
