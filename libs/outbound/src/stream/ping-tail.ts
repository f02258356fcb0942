import { Pause } from '#base/pause';
import type { EntryPage, StreamedPing } from './ping-stream-reader.js';

export type Batch = Readonly<{ after: number; upTo: number; entries: readonly StreamedPing[] }>;

export type PingTailOptions = Readonly<{
  latest: (limit: number) => Promise<readonly StreamedPing[]>;
  read: (query: Readonly<{ after: number; limit: number }>) => Promise<EntryPage>;
  /** Must not throw. */
  onBatch: (batch: Batch) => void;
  /** Must not throw. */
  onError: (error: unknown) => void;
  /** While this returns false, the tail stops reading. */
  isNeeded: () => boolean;
  /** The shortest time between two reads. Entries of this time go to all readers in one batch. */
  intervalMs: () => number;
}>;

const BATCH = 500;
// Entries in memory for readers that are only slightly behind: about 500 KB.
const RECENT = 1_000;
// A notification may be lost together with the listening connection.
const POLL_EVERY_MS = 1_000;

/** Needs one query per batch, however many readers there are. */
export class PingTail {
  readonly #pause = new Pause();
  #following: Promise<void> | undefined;
  #beginning: Promise<void> | undefined;
  #stopping = false;
  #position = 0;
  #recent: readonly StreamedPing[] = [];
  #recentAfter = 0;
  #restores = 0;

  constructor(private readonly options: PingTailOptions) {}

  /** All entries up to here were passed to `onBatch`. */
  get position(): number {
    return this.#position;
  }

  /** Starts at the current end of the stream unless it follows already. `isNeeded` must be true before the call. */
  async follow(): Promise<void> {
    this.#beginning ??= this.#begin();
    await this.#beginning;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#pause.wake();
    await this.#following;
  }

  /** Call this after the database was restored. The next `follow` starts at the new end. */
  forget(): void {
    this.#restores += 1;
    this.#recent = [];
    this.#recentAfter = Infinity;
    this.#beginning = undefined;
    this.#pause.wake();
  }

  /** Call this when the stream has grown. Otherwise the tail polls every second. */
  wake(): void {
    this.#pause.wake();
  }

  /** Undefined if not all entries after the position are still in memory. */
  since(position: number): Batch | undefined {
    if (position < this.#recentAfter) return undefined;
    const entries = this.#recent.filter((entry) => entry.position > position);
    return { after: position, upTo: Math.max(position, this.#position), entries };
  }

  async #begin(): Promise<void> {
    const restores = this.#restores;
    try {
      // After a restart all readers reconnect at once. With recent entries in memory they need no queries of their own.
      const latest = await this.options.latest(RECENT + 1);
      if (restores !== this.#restores) return await this.follow();
      this.#recent = latest.slice(-RECENT);
      this.#recentAfter = latest.length > RECENT ? (latest[0]?.position ?? 0) : 0;
      this.#position = latest.at(-1)?.position ?? 0;
    } catch (error) {
      if (restores === this.#restores) this.#beginning = undefined;
      throw error;
    }
    this.#following = this.#follow(restores);
  }

  /** Once the tail is not needed, the next `follow` starts again at the end. */
  #isOver(restores: number): boolean {
    if (restores !== this.#restores) return true;
    const isOver = this.#stopping || !this.options.isNeeded();
    if (isOver) this.#beginning = undefined;
    return isOver;
  }

  async #follow(restores: number): Promise<void> {
    while (!this.#isOver(restores)) {
      const began = performance.now();
      const count = await this.#read(restores);
      const restMs = this.options.intervalMs() - (performance.now() - began);
      if (count > 0 && restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
      if (count < BATCH && !this.#stopping && restores === this.#restores) await this.#pause.wait(POLL_EVERY_MS);
    }
  }

  async #read(restores: number): Promise<number> {
    try {
      const after = this.#position;
      const { entries, next } = await this.options.read({ after, limit: BATCH });
      if (restores !== this.#restores) return 0;
      if (entries.length > 0) this.#publish({ after, upTo: next, entries });
      return entries.length;
    } catch (error) {
      this.options.onError(error);
      return 0;
    }
  }

  #publish(batch: Batch): void {
    const all = [...this.#recent, ...batch.entries];
    const dropped = all.length - RECENT;
    if (dropped > 0) this.#recentAfter = all[dropped - 1]?.position ?? batch.after;
    this.#recent = all.slice(-RECENT);
    this.#position = batch.upTo;
    this.options.onBatch(batch);
  }
}
