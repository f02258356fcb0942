import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Sealer } from '#base/sealing';
import { ScriptedRandomness } from '../../../test/support/fixed-clock.js';
import { EncryptionKeyCheck } from './encryption-key-check.js';
import { RetiredEncryptionKey } from './encryption-key.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const randomness = new ScriptedRandomness();
const sealer = new Sealer(randomness.bytes(32), randomness);

/** A database that knows the key. */
class Keys {
  readonly reported: unknown[] = [];
  retired = false;

  readonly query = (text: string, values?: readonly unknown[]) => {
    if (!text.includes('used_at')) return Promise.resolve({ rows: [{ fingerprint: sealer.fingerprint }] });
    this.reported.push(...(values ?? []));
    return Promise.resolve({ rows: [{ retired: this.retired }] });
  };
}

it('reports at the start and every minute which key the process seals with, until it is retired', async () => {
  const keys = new Keys();
  const errors: unknown[] = [];
  const check = new EncryptionKeyCheck(keys as unknown as Pool, sealer);
  await check.start((error) => errors.push(error));
  expect(check.isDone).toBe(true);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(keys.reported).toEqual(Array(3).fill(sealer.fingerprint));
  expect(errors).toEqual([]);
  keys.retired = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(errors).toEqual([expect.any(RetiredEncryptionKey)]);
  await check.beforeApplicationShutdown();
});
