import { isKeyed } from '#event-store/hash-chain';
import type { FeedEntry } from '#event-store/feed-head';
import type { Differences } from '../differences.js';

/** While an upgrade is rolled out, processes of the earlier release still record events without a key. */
const ROLLOUT_MS = 3_600_000;

export type UnkeyedProgress = Readonly<{
  count: number;
  newestKeyedMs: number | null;
  firstKeyedMs: number | null;
  isUpgraded: boolean;
}>;

/** Finds events whose hashes anybody can compute, after events whose hashes had a key. Entries come in the order of the feed. */
export class UnkeyedHashes {
  /** Before the first keyed one, or during the rollout. */
  count = 0;
  /** The time of the newest event with a keyed hash, which nobody can forge. */
  newestKeyedMs: number | undefined;
  #firstKeyedMs: number | undefined;
  #isUpgraded = false;

  constructor(
    private readonly differences: Differences,
    progress?: UnkeyedProgress,
  ) {
    if (!progress) return;
    this.count = progress.count;
    this.newestKeyedMs = progress.newestKeyedMs ?? undefined;
    this.#firstKeyedMs = progress.firstKeyedMs ?? undefined;
    this.#isUpgraded = progress.isUpgraded;
  }

  get progress(): UnkeyedProgress {
    return {
      count: this.count,
      newestKeyedMs: this.newestKeyedMs ?? null,
      firstKeyedMs: this.#firstKeyedMs ?? null,
      isUpgraded: this.#isUpgraded,
    };
  }

  check({ hash, recorded_at, stream, stream_position }: FeedEntry): void {
    // That the log does not have the event is found elsewhere.
    if (!hash || !recorded_at) return;
    if (isKeyed(hash)) {
      const at = Number(recorded_at);
      this.#firstKeyedMs ??= at;
      this.newestKeyedMs = Math.max(this.newestKeyedMs ?? at, at);
      return;
    }
    const isFirst = this.#firstKeyedMs === undefined;
    if (isFirst) this.#isUpgraded = true;
    if (isFirst || (this.#isUpgraded && this.#keyedForMs() < ROLLOUT_MS)) {
      this.count += 1;
      return;
    }
    const problem = 'the hash of the event has no key, although those of earlier events have one';
    this.differences.add({ kind: 'ledger', id: stream, at: stream_position, problem });
  }

  #keyedForMs(): number {
    return (this.newestKeyedMs ?? 0) - (this.#firstKeyedMs ?? 0);
  }
}
