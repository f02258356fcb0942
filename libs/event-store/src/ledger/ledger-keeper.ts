import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import type { Sealer } from '#crypto/sealing';
import type { Clock } from '#runtime/clock';
import { type LockContext, SingletonWorker } from '#runtime/singleton-worker';
import { LedgerKey } from '../hash-chain.js';
import type { AnchorFile } from './anchor-file.js';
import { readAuditHead } from './audit-head.js';
import { EMPTY_FEED, ENTRIES_BY_KEY, type FeedEntry, type FeedHead, headAfter, readFeedEntries } from './feed-head.js';
import { loadLedgerKeys, storeLedgerKeys } from './ledger-keys.js';
import { appendToLedger, lastOfLedger, type SignedHead, signHead } from './signed-heads.js';

export type LedgerKeeperOptions = Readonly<{
  connection: ConnectionConfig;
  clock: Clock;
  sealer: Sealer;
  anchors?: AnchorFile | undefined;
  /** Must not throw. */
  onError: (error: unknown) => void;
  /** Called after each step, for metrics. */
  onStep?: (state: LedgerState) => void;
}>;

export type LedgerState = Readonly<{ position: number; anchoredPosition: number; anchoredAt: string | undefined }>;

// At most one row a second. For this long the removal of what was appended goes unnoticed.
const WAIT_MS = 1_000;
const BATCH = 2_000;
const ANCHOR_EVERY_MS = 60_000;

/**
 * Chains the feed: reads its new entries and signs the head after them and that of the audit log, under a key that the database does not
 * have. Starts with the first entry, so an old log is chained too, in the background. Writes each minute's head to the anchors as well. One
 * process does it.
 */
export class LedgerKeeper extends SingletonWorker<pg.Client> {
  readonly #options: LedgerKeeperOptions;
  #anchored: SignedHead | undefined;
  #nextAnchorMs = 0;

  constructor(options: LedgerKeeperOptions) {
    super({ lock: new AdvisoryLock(options.connection, 'ledger'), onError: options.onError });
    this.#options = options;
  }

  protected override async work({ client, stopping, succeeded, pause }: LockContext<pg.Client>): Promise<void> {
    const { clock, sealer, onStep } = this.#options;
    const key = new LedgerKey(sealer.ledgerSecret);
    // A head that a crash takes away is computed again, and is the same.
    await client.query(`${ENTRIES_BY_KEY}; set synchronous_commit = off`);
    await storeLedgerKeys(client, sealer);
    let last = await lastOfLedger(client, await loadLedgerKeys(client, sealer));
    let feed: FeedHead = last ?? EMPTY_FEED;
    while (!stopping()) {
      const began = clock.monotonic();
      const entries = await readFeedEntries(client, { after: feed.position, limit: BATCH });
      const audit = await readAuditHead(client);
      if (entries.length > 0 || audit.position > (last?.audit.position ?? 0)) {
        feed = entries.reduce((head: FeedHead, entry: FeedEntry) => headAfter(head, entry), feed);
        last = signHead(feed, audit, clock.iso(), key);
        await appendToLedger(client, last);
      }
      const isBehind = entries.length === BATCH;
      if (last && !isBehind) await this.#anchor(last);
      succeeded();
      onStep?.(this.#state(feed));
      // Rests as long as it worked, so that an old log is chained without slowing down the others.
      await pause(isBehind ? Math.min(WAIT_MS, clock.monotonic() - began) : WAIT_MS);
    }
    if (last) await this.#anchor(last, true);
  }

  /** A failure is reported and does not stop the chain. */
  async #anchor(last: SignedHead, atOnce = false): Promise<void> {
    const { anchors, clock, onError } = this.#options;
    if (!anchors || last === this.#anchored) return;
    if (!atOnce && clock.monotonic() < this.#nextAnchorMs) return;
    this.#nextAnchorMs = clock.monotonic() + ANCHOR_EVERY_MS;
    try {
      await anchors.append(last);
      this.#anchored = last;
    } catch (error) {
      onError(error);
    }
  }

  #state({ position }: FeedHead): LedgerState {
    return { position, anchoredPosition: this.#anchored?.position ?? 0, anchoredAt: this.#anchored?.at };
  }
}
