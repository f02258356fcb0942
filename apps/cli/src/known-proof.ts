import { existsSync } from 'node:fs';
import type { Pool } from 'pg';
import { loadSettings } from '#base/load-settings';
import { anchorSourceAt, anchorSources, isInBucket } from '#upkeep/anchor-places';
import { InvalidAnchor } from '#upkeep/anchor-file';
import { SystemClock } from '#base/clock';
import type { LedgerProof } from '#upkeep/ledger-check';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { knownArchive } from './database/known-archive.js';
import { checkKnownKey, sealerOf, withSavedKey } from './encryption-key.js';
import { UserError } from './terminal/user-error.js';

/**
 * The keys of the ledger, the anchors of these places and of the settings, and the archive.
 * @throws UserError for a wrong or missing key, and for a place that has no anchors
 */
export async function knownProof(pool: Pool, places: readonly string[]): Promise<Partial<LedgerProof>> {
  const settings = withSavedKey(loadSettings());
  await checkKnownKey(pool, settings);
  // A database without secrets has no orders either.
  if (settings.ENCRYPTION_KEY === undefined) return {};
  const missing = places.find((place) => !isInBucket(place) && !existsSync(place));
  if (missing !== undefined) throw new UserError(`There is no file ${missing}.`);
  const clock = new SystemClock();
  const named = places.filter((place) => place !== settings.LEDGER_ANCHORS);
  const sources = [...named.map((place) => anchorSourceAt(place, settings, clock)), ...anchorSources(settings, clock)];
  try {
    return { ...(await loadLedgerProof(pool, sealerOf(settings), sources)), archive: knownArchive() };
  } catch (error) {
    throw error instanceof InvalidAnchor ? new UserError(error.message) : error;
  }
}
