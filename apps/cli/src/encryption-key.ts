import type { Pool } from 'pg';
import { SystemRandomness } from '#base/randomness';
import { loadSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { createPool } from '#database/pool';
import {
  adoptEncryptionKey,
  checkEncryptionKey,
  recordedFingerprints,
  WrongEncryptionKey,
} from '#platform/encryption-key';
import { Sealer } from '#base/sealing';
import { secretsFile, withSavedCredentials } from './supervisor/credentials.js';
import { UserError } from './terminal/user-error.js';

/** The settings with the keys of DATA_DIR/secrets.json, unless one is set. */
export function withSavedKey(settings: Settings): Settings {
  return withSavedCredentials(settings, false);
}

/** For readers: rejects a missing key, and a key that did not seal this database. */
export async function checkKnownKey(pool: Pool, given: Settings = loadSettings()): Promise<void> {
  const settings = withSavedKey(given);
  if (settings.ENCRYPTION_KEY !== undefined) return asUserError(checkEncryptionKey(pool, sealerOf(settings)));
  const recorded = await recordedFingerprints(pool);
  if (recorded.length === 0) return;
  throw new UserError(
    `This database was sealed with an ENCRYPTION_KEY (fingerprint ${recorded.join(' and ')}) that is not set and not in ` +
      `${secretsFile(settings)}: set it, or put back a copy of that file.`,
  );
}

/** For writers: the same, and records the fingerprint of the first key. */
export async function adoptKey(pool: Pool, sealer: Sealer): Promise<void> {
  await asUserError(adoptEncryptionKey(pool, sealer));
}

/** Runs a key check with a connection of its own. */
export async function withKeyCheck<T>(databaseUrl: string, check: (pool: Pool) => Promise<T>): Promise<T> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall encryption key', onError });
  try {
    return await check(pool);
  } finally {
    await pool.end();
  }
}

export function sealerOf({ ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: previous }: Settings): Sealer {
  if (!key) throw new UserError('ENCRYPTION_KEY must be set.');
  return new Sealer(key, new SystemRandomness(), previous);
}

async function asUserError(check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    throw error instanceof WrongEncryptionKey ? new UserError(error.message) : error;
  }
}
