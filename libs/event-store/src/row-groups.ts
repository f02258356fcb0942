import { isLockTimeout } from '#database/database-errors';
import type { KeyedLimiter } from '#database/keyed-limiter';
import { inSizes, LARGEST_BATCH } from './append-batches.js';
import type { AppendedRows } from './append-statement.js';

type Group = readonly [AppendedRows, ...AppendedRows[]];

/**
 * `write` sends a group in one statement, which changes the row once for all, and waits for its lock. `isRolledBack` tells of its error
 * whether certainly nothing was written.
 */
type Sending = Readonly<{ write(group: Group): Promise<void>; isRolledBack(error: unknown): boolean }>;

type Waiting = Readonly<{
  shape: string;
  append: AppendedRows;
  resolve: () => void;
  reject: (error: unknown) => void;
}>;

/**
 * Appends that wait for the same contended row, such as that of a listing on sale. Whichever has its turn takes others of its shape along.
 * If they do not fit together, each is decided alone, in the order of arrival.
 */
export class RowGroups {
  private readonly waiting = new Map<string, Set<Waiting>>();

  constructor(
    private readonly limiter: KeyedLimiter,
    private readonly sending: Sending,
  ) {}

  /** @throws like `KeyedLimiter.run`, and what `write` throws of the append itself */
  write(key: string, shape: string, append: AppendedRows): Promise<void> {
    return new Promise((resolve, reject) => {
      const one: Waiting = { shape, append, resolve, reject };
      const queue = this.waiting.get(key) ?? new Set();
      this.waiting.set(key, queue.add(one));
      this.limiter
        .run(key, async () => {
          // Otherwise another one has taken it along, and says how it ended.
          if (queue.has(one)) await this.send(takenFrom(queue, one));
        })
        .catch((error: unknown) => {
          if (queue.delete(one)) reject(error);
        })
        .finally(() => {
          if (queue.size === 0 && this.waiting.get(key) === queue) this.waiting.delete(key);
        });
    });
  }

  /** Throws only an error that all who wait for the row share. */
  private async send(group: readonly [Waiting, ...Waiting[]]): Promise<void> {
    const [first, ...others] = group;
    try {
      await this.sending.write([first.append, ...others.map(({ append }) => append)]);
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (others.length > 0 && this.sending.isRolledBack(error) && !isLockTimeout(error)) {
        return await this.sendAlone(group);
      }
      for (const { reject } of group) reject(error);
      if (isLockTimeout(error)) throw error;
    }
  }

  private async sendAlone(group: readonly Waiting[]): Promise<void> {
    for (const [index, one] of group.entries()) {
      try {
        await this.sending.write([one.append]);
        one.resolve();
      } catch (error) {
        if (!isLockTimeout(error)) {
          one.reject(error);
          continue;
        }
        for (const { reject } of group.slice(index)) reject(error);
        throw error;
      }
    }
  }
}

/** The one whose turn it is and those that have waited longest, as many as have a prepared statement. */
function takenFrom(queue: Set<Waiting>, one: Waiting): readonly [Waiting, ...Waiting[]] {
  const others = [...queue].filter((other) => other !== one && other.shape === one.shape);
  const [group = [one] as const] = inSizes([one, ...others.slice(0, LARGEST_BATCH - 1)]);
  for (const taken of group) queue.delete(taken);
  return group;
}
