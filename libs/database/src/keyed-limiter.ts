import { markUndone } from './database-faults.js';

/** Nothing was done: too many others wait for the same row. */
export class TooManyWaiters extends Error {
  constructor() {
    super('too many statements wait for the same row');
  }
}

// As long as a request may wait for the row's lock itself, twice.
const WAITS_AT_MOST_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';
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
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    if (line.running >= this.atOnce) await this.turn(line);
    else line.running += 1;
    try {
      return await work();
    } catch (fault) {
      // Those in the line would wait for the same lock as long.
      if ((fault as { code?: unknown }).code === LOCK_NOT_AVAILABLE) {
        for (const { refuse } of line.waiting.splice(0)) refuse(fault);
      }
      throw fault;
    } finally {
      this.leave(key, line);
    }
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

  private leave(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) return next.start();
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }
}
