import type { Pool } from 'pg';
import type { Sealer } from '#crypto/sealing';
import { AnchorFile } from '#event-store/ledger/anchor-file';
import { loadLedgerKeys } from '#event-store/ledger/ledger-keys';
import type { LedgerProof } from './ledger-check.js';

/**
 * @param anchorPaths files or folders of anchors; missing ones have none
 * @throws InvalidAnchor
 */
export async function loadLedgerProof(
  pool: Pool,
  sealer: Sealer,
  anchorPaths: readonly string[],
): Promise<Required<LedgerProof>> {
  const anchors = anchorPaths.flatMap((path) => new AnchorFile(path).read());
  return { keys: await loadLedgerKeys(pool, sealer), anchors };
}
