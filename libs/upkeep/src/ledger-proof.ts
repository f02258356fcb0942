import type { Pool } from 'pg';
import type { Sealer } from '#base/sealing';
import type { AnchorSource } from './anchor-places.js';
import { loadLedgerKeys } from '#event-store/ledger-keys';
import type { SignedHead } from '#event-store/signed-heads';
import type { LedgerProof } from './ledger-check.js';

/** @throws InvalidAnchor, and the errors of reading a source */
export async function loadLedgerProof(
  pool: Pool,
  sealer: Sealer,
  sources: readonly AnchorSource[],
): Promise<Required<LedgerProof>> {
  const anchors: SignedHead[] = [];
  for (const source of sources) anchors.push(...(await source.read()));
  return { keys: await loadLedgerKeys(pool, sealer), anchors };
}
