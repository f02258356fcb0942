import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#base/clock';
import { Sealer } from '#base/sealing';
import { Settings } from '#base/settings';
import { EventArchive } from '#event-store/event-archive';
import { type AnchorSettings, type AnchorSource, anchorSources } from './anchor-places.js';
import { loadLedgerKeys } from '#event-store/ledger-keys';
import type { SignedHead } from '#event-store/signed-heads';
import type { LedgerProof } from './ledger-check.js';

/** Of a service. */
@Injectable()
export class LedgerProofs {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(Settings) private readonly settings: AnchorSettings,
    private readonly archive: EventArchive,
  ) {}

  /** @throws InvalidAnchor, and the errors of reading a source */
  async load(): Promise<LedgerProof> {
    const sources = anchorSources(this.settings, this.clock);
    return { ...(await loadLedgerProof(this.pool, this.sealer, sources)), archive: this.archive };
  }
}

/** @throws InvalidAnchor, and the errors of reading a source */
export async function loadLedgerProof(
  pool: Pool,
  sealer: Sealer,
  sources: readonly AnchorSource[],
): Promise<Required<Omit<LedgerProof, 'archive'>>> {
  const anchors: SignedHead[] = [];
  for (const source of sources) anchors.push(...(await source.read()));
  return { keys: await loadLedgerKeys(pool, sealer), anchors };
}
