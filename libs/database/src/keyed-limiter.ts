import { isLockTimeout, markUndone } from './database-faults.js';

/** Nothing was done: too many others wait for the same row. */
export class TooManyWaiters extends Error {
  constructor() {
    super('too many statements wait for the same row');
  }
}

// As long as a request may wait for the row's lock itself, twice.
const WAITS_AT_MOST_MS = 5_000;
const DEFAULT_CONNECTIONS = 10;

type Waiting = Readonly<{ start: () => void; refuse: (fault: unknown) => void }>;
type Line = { running: number; waiting: Waiting[] };

const limiters = new WeakMap<object, KeyedLimiter>();

/**
 * Lets statements that take one row's lock use at most half of a pool. The others wait here without a connection, so that who
 * wants another row gets one.
 */
export class KeyedLimiter {
  private readonly lines = new Map<string, Line>();

  private constructor(private readonly atOnce: number) {}

  /** That of the pool: all who use the pool share it. */
  static of(pool: object): KeyedLimiter {
    const found = limiters.get(pool);
    if (found) return found;
    const connections = (pool as { options?: { max?: number } }).options?.max ?? DEFAULT_CONNECTIONS;
    const made = new KeyedLimiter(Math.max(1, Math.floor(connections / 2)));
    limiters.set(pool, made);
    return made;
  }

  /** @throws TooManyWaiters after 5 s in the line; the fault of `work`, also of another's whose lock was not available. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return await this.runAll([key], async () => {
      try {
        return await work();
      } catch (fault) {
        if (isLockTimeout(fault)) this.refuseWaiting(key, fault);
        throw fault;
      }
    });
  }

  /**
   * For a statement that takes the locks of several rows: it counts for each of them, and waits in their lines one after the
   * other. The keys must differ. A lock that was not available refuses nobody else, because it is unknown whose it was.
   *
   * @throws as `run`.
   */
  async runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const entered: string[] = [];
    try {
      // Everybody waits in the same order, so that no two wait for each other.
      for (const key of keys.toSorted()) {
        const turn = this.enter(key);
        if (turn) await turn;
        entered.push(key);
      }
      return await work();
    } finally {
      for (const key of entered) this.leave(key);
    }
  }

  /** Undefined when there was a place at once. */
  private enter(key: string): Promise<void> | undefined {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    if (line.running >= this.atOnce) return this.turn(line);
    line.running += 1;
    return undefined;
  }

  /** Those in the line would wait for the same lock as long. */
  private refuseWaiting(key: string, fault: unknown): void {
    for (const { refuse } of this.lines.get(key)?.waiting.splice(0) ?? []) refuse(fault);
  }

  /** The place of one who leaves goes to the next, so that `running` stays. */
  private async turn(line: Line): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const late = () => {
        line.waiting = line.waiting.filter((other) => other !== waiting);
        const fault = new TooManyWaiters();
        markUndone(fault);
        reject(fault);
      };
      const timer = setTimeout(late, WAITS_AT_MOST_MS);
      const ended = (act: () => void) => {
        clearTimeout(timer);
        act();
      };
      const waiting: Waiting = {
        start: () => ended(resolve),
        refuse: (fault) => ended(() => reject(fault as Error)),
      };
      line.waiting.push(waiting);
    });
  }

  private leave(key: string): void {
    const line = this.lines.get(key);
    if (!line) return;
    const next = line.waiting.shift();
    if (next) return next.start();
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }
}
