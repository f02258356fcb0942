import { isLockTimeout, markNoEffect } from './database-errors.js';

export class TooManyWaiters extends Error {
  constructor() {
    super('too many statements wait for the same row');
  }
}

// Twice as long as a request may wait for the row lock itself.
const MAX_WAIT_MS = 5_000;
const DEFAULT_CONNECTIONS = 10;

type Waiting = Readonly<{ start: () => void; reject: (error: unknown) => void }>;
type LockQueue = { running: number; waiting: Waiting[] };

const limiters = new WeakMap<object, KeyedLimiter>();

/** Callers that lock the same row get at most half of a pool's connections, so other rows stay usable. The others wait without one. */
export class KeyedLimiter {
  private readonly queues = new Map<string, LockQueue>();

  private constructor(private readonly atOnce: number) {}

  static of(pool: object): KeyedLimiter {
    const existing = limiters.get(pool);
    if (existing) return existing;
    const connections = (pool as { options?: { max?: number } }).options?.max ?? DEFAULT_CONNECTIONS;
    const limiter = new KeyedLimiter(Math.max(1, Math.floor(connections / 2)));
    limiters.set(pool, limiter);
    return limiter;
  }

  isBusy(key: string): boolean {
    return this.queues.has(key);
  }

  /** @throws TooManyWaiters after 5 s in the queue; the error of `work`; or the lock error of another caller for the same key */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return await this.runAll([key], async () => {
      try {
        return await work();
      } catch (error) {
        if (isLockTimeout(error)) this.rejectWaiting(key, error);
        throw error;
      }
    });
  }

  /**
   * Waits in the queues of all keys one after the other. The keys must differ. If a lock is not available, the other callers keep waiting,
   * because it is unknown which key it was. @throws like `run`
   */
  async runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const entered: string[] = [];
    try {
      // All callers wait in the same order, so no two wait for each other.
      for (const key of keys.toSorted()) {
        const waiting = this.enter(key);
        if (waiting) await waiting;
        entered.push(key);
      }
      return await work();
    } finally {
      for (const key of entered) this.leave(key);
    }
  }

  private enter(key: string): Promise<void> | undefined {
    const queue = this.queues.get(key) ?? { running: 0, waiting: [] };
    this.queues.set(key, queue);
    if (queue.running >= this.atOnce) return this.waitInQueue(queue);
    queue.running += 1;
    return undefined;
  }

  /** The others would wait just as long for the same lock. */
  private rejectWaiting(key: string, error: unknown): void {
    for (const { reject } of this.queues.get(key)?.waiting.splice(0) ?? []) reject(error);
  }

  /** `running` stays the same when the place passes from one caller to the next. */
  private async waitInQueue(queue: LockQueue): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const late = () => {
        queue.waiting = queue.waiting.filter((other) => other !== waiting);
        const error = new TooManyWaiters();
        markNoEffect(error);
        reject(error);
      };
      const timer = setTimeout(late, MAX_WAIT_MS);
      const ended = (act: () => void) => {
        clearTimeout(timer);
        act();
      };
      const waiting: Waiting = {
        start: () => ended(resolve),
        reject: (error) => ended(() => reject(error as Error)),
      };
      queue.waiting.push(waiting);
    });
  }

  private leave(key: string): void {
    const queue = this.queues.get(key);
    if (!queue) return;
    const next = queue.waiting.shift();
    if (next) return next.start();
    queue.running -= 1;
    if (queue.running === 0) this.queues.delete(key);
  }
}
