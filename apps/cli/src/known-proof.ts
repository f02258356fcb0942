import { existsSync } from 'node:fs';
import type { Pool } from 'pg';
import { loadSettings } from '#config/load-settings';
import { InvalidAnchor } from '#event-store/ledger/anchor-file';
import type { LedgerProof } from '#verification/ledger-check';
import { loadLedgerProof } from '#verification/ledger-proof';
import { checkKnownKey, sealerOf, withSavedKey } from './encryption-key.js';
import { UserError } from './terminal/user-error.js';

/**
 * The keys of the ledger, and the anchors of these files and of LEDGER_ANCHORS.
 * @throws UserError for a wrong or missing key, and for a file that has no anchors
 */
export async function knownProof(pool: Pool, anchorPaths: readonly string[]): Promise<Partial<LedgerProof>> {
  const settings = withSavedKey(loadSettings());
  await checkKnownKey(pool, settings);
  // A database without secrets has no orders either.
  if (settings.ENCRYPTION_KEY === undefined) return {};
  const missing = anchorPaths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UserError(`There is no file ${missing}.`);
  const configured = settings.LEDGER_ANCHORS === '' ? [] : [settings.LEDGER_ANCHORS];
  try {
    return await loadLedgerProof(pool, sealerOf(settings), [...new Set([...anchorPaths, ...configured])]);
  } catch (error) {
    throw error instanceof InvalidAnchor ? new UserError(error.message) : error;
  }
}
