import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock';

export type CountsPace = Readonly<{
  /** Counts are not read again before they are so old. */
  freshMs: number;
  /** Nor before so many times what reading them took. */
  share: number;
  /** While they are at most twice as old as that, nobody waits for counts that take so long to read. */
  slowMs: number;
}>;

type Known<Counts> = Readonly<{ counts: Counts; readAt: number; costMs: number }>;

const MOST_KNOWN = 1_000;

/** Counts that many readers ask for: one read of the database answers all who come while it runs, and who come soon after it. */
export class SharedCounts<Counts> {
  readonly #known = new LRUCache<string, Known<Counts>>({ max: MOST_KNOWN });
  readonly #running = new Map<string, Promise<Counts>>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly pace: CountsPace,
  ) {}

  /** @param key all that `read` depends on, such as what the caller may see */
  async of(key: string, read: () => Promise<Counts>): Promise<Counts> {
    const { freshMs, share, slowMs } = this.pace;
    const known = this.#known.get(key);
    const age = known ? this.clock.monotonic() - known.readAt : Infinity;
    const fresh = Math.max(freshMs, share * (known?.costMs ?? 0));
    if (known && age < fresh) return known.counts;
    const running = this.#running.get(key) ?? this.read(key, read);
    if (!known || known.costMs < slowMs || age > 2 * fresh) return await running;
    running.catch(() => undefined);
    return known.counts;
  }

  /** Whoever has changed an order sees that in the next counts. */
  forget(): void {
    this.#known.clear();
    // They may have begun before the change.
    this.#running.clear();
  }

  private read(key: string, read: () => Promise<Counts>): Promise<Counts> {
    const readAt = this.clock.monotonic();
    const isCurrent = () => this.#running.get(key) === running;
    const running: Promise<Counts> = read()
      .then((counts) => {
        if (isCurrent()) this.#known.set(key, { counts, readAt, costMs: this.clock.monotonic() - readAt });
        return counts;
      })
      .finally(() => isCurrent() && this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}
