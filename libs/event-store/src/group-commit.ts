import { inSizes, LARGEST_BATCH } from './append-batches.js';
import type { AppendedRows } from './append-statement.js';

/** `key` names the contended row that the append changes; `shape` is that of its statement. */
type Waiting = Readonly<{
  key: string;
  shape: string;
  append: AppendedRows;
  since: number;
  resolve: (isWritten: boolean) => void;
  reject: (error: unknown) => void;
}>;

type Group = readonly [AppendedRows, ...AppendedRows[]];

/**
 * `write` sends a group in one statement that never waits for a lock. `isRolledBack` tells of its error whether certainly nothing was
 * written.
 */
type Sending = Readonly<{ write(group: Group): Promise<void>; isRolledBack(error: unknown): boolean }>;

// Two keep a server of few processors busy. With more, the groups would be smaller.
const MOST_AT_ONCE = 2;

// A group takes milliseconds. If it does not, the others are sent alone, where their wait for a connection has a limit.
const LONGEST_WAIT_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Group commit: while statements are on their way, the appends that arrive wait and share the next statement. A group has one shape and
 * changes each contended row once, so each of its appends decides on what was committed before.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private readonly keysInFlight = new Set<string>();
  private groupsInFlight = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly sending: Sending) {}

  /**
   * @returns false if nothing was written, and the append should be sent alone: somebody else has locked the row, an append of the
   * group failed, or it has waited for 5 s
   * @throws what `write` throws, if it is unknown whether the group was written
   */
  write(append: Pick<Waiting, 'key' | 'shape' | 'append'>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...append, since: performance.now(), resolve, reject });
      this.sendNext();
      if (this.waiting.length > 0) this.timer ??= setInterval(() => this.releaseOverdue(), LOOK_EVERY_MS).unref();
    });
  }

  /** Whether an append that changes this row is on its way or waits. */
  isBusy(key: string): boolean {
    return this.keysInFlight.has(key) || this.waiting.some((one) => one.key === key);
  }

  private releaseOverdue(): void {
    const latest = performance.now() - LONGEST_WAIT_MS;
    const overdue = this.waiting.filter(({ since }) => since <= latest);
    this.waiting = this.waiting.filter(({ since }) => since > latest);
    for (const { resolve } of overdue) resolve(false);
    if (this.waiting.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private sendNext(): void {
    while (this.groupsInFlight < MOST_AT_ONCE) {
      const group = this.nextGroup();
      if (!group) return;
      void this.send(group);
    }
  }

  /** Those that have waited longest, and only as many as have a prepared statement. */
  private nextGroup(): readonly [Waiting, ...Waiting[]] | undefined {
    const fitting = new Map<string, Waiting>();
    const shape = this.waiting.find(({ key }) => !this.keysInFlight.has(key))?.shape;
    for (const one of this.waiting) {
      if (one.shape === shape && !this.keysInFlight.has(one.key) && !fitting.has(one.key)) fitting.set(one.key, one);
      if (fitting.size === LARGEST_BATCH) break;
    }
    const [group] = inSizes([...fitting.values()]);
    if (group) this.waiting = this.waiting.filter((one) => !group.includes(one));
    return group;
  }

  private async send(group: readonly [Waiting, ...Waiting[]]): Promise<void> {
    this.groupsInFlight += 1;
    for (const { key } of group) this.keysInFlight.add(key);
    const [first, ...others] = group;
    try {
      await this.sending.write([first.append, ...others.map(({ append }) => append)]);
      for (const { resolve } of group) resolve(true);
    } catch (error) {
      if (this.sending.isRolledBack(error)) for (const { resolve } of group) resolve(false);
      else this.fail(group, error);
    } finally {
      this.groupsInFlight -= 1;
      for (const { key } of group) this.keysInFlight.delete(key);
      this.sendNext();
    }
  }

  /** After a lost connection nobody waits behind another one that may be dead too. */
  private fail(group: readonly Waiting[], error: unknown): void {
    for (const { reject } of group) reject(error);
    for (const { resolve } of this.waiting.splice(0)) resolve(false);
  }
}
