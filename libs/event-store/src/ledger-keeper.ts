import type pg from 'pg';
import { AdvisoryLock } from '#database/advisory-lock';
import type { ConnectionConfig } from '#database/pool';
import type { Sealer } from '#base/sealing';
import type { Clock } from '#base/clock';
import { type LockContext, SingletonWorker } from '#base/singleton-worker';
import { LedgerKey } from './hash-chain.js';
import { Anchoring, type AnchorTarget } from './anchoring.js';
import { readAuditHead } from './ledger/audit-head.js';
import { EMPTY_FEED, ENTRIES_BY_KEY, type FeedEntry, type FeedHead, headAfter, readFeedEntries } from './feed-head.js';
import { loadLedgerKeys, storeLedgerKeys } from './ledger-keys.js';
import { appendToLedger, lastOfLedger, signHead } from './signed-heads.js';

export type LedgerKeeperOptions = Readonly<{
  connection: ConnectionConfig;
  clock: Clock;
  sealer: Sealer;
  anchors: readonly AnchorTarget[];
  /** Must not throw. */
  onError: (error: unknown) => void;
  /** Called for each anchor that a place did not take. */
  onFailure?: (place: AnchorTarget['place']) => void;
  /** Called after each step, for metrics. */
  onStep?: (state: LedgerState) => void;
}>;

/** `anchoredAt`: when the place whose last anchor is oldest got it. */
export type LedgerState = Readonly<{ position: number; anchoredAt: string | undefined }>;

// At most one row a second. For this long the removal of what was appended goes unnoticed.
const WAIT_MS = 1_000;
const BATCH = 2_000;

/**
 * Chains the feed: reads its new entries and signs the head after them and that of the audit log, under a key that the database does not
 * have. Starts with the first entry, so an old log is chained too, in the background. Writes each minute's head to all places of the anchors
 * as well. One process does it.
 */
export class LedgerKeeper extends SingletonWorker<pg.Client> {
  readonly #options: LedgerKeeperOptions;
  readonly #anchorings: readonly Anchoring[];

  constructor(options: LedgerKeeperOptions) {
    super({ lock: new AdvisoryLock(options.connection, 'ledger'), onError: options.onError });
    this.#options = options;
    this.#anchorings = options.anchors.map((target) => new Anchoring(target, options));
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
      if (last && !isBehind) for (const anchoring of this.#anchorings) anchoring.offer(last);
      succeeded();
      onStep?.(this.#state(feed));
      // Rests as long as it worked, so that an old log is chained without slowing down the others.
      await pause(isBehind ? Math.min(WAIT_MS, clock.monotonic() - began) : WAIT_MS);
    }
    const final = last;
    if (final) await Promise.all(this.#anchorings.map((anchoring) => anchoring.finish(final)));
  }

  #state({ position }: FeedHead): LedgerState {
    const times = this.#anchorings.map(({ written }) => (written ? Date.parse(written.at) : NaN));
    const oldest = Math.min(...times);
    return { position, anchoredAt: Number.isFinite(oldest) ? new Date(oldest).toISOString() : undefined };
  }
}
