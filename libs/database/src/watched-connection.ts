import type pg from 'pg';

type Internals = Readonly<{
  readyForQuery?: boolean;
  processID: number | null;
  _ended: boolean;
  _queryQueue: readonly unknown[];
  getTransactionStatus(): string | null;
  connection: { stream: { bytesRead: number; writableLength: number; destroy(error?: Error): void } };
}>;

const HEARTBEAT_EVERY_MS = 3_000;
// Statements take milliseconds, so three quiet seconds are rare. A longer statement costs one probe every three seconds.
const QUIET_AFTER_MS = 3_000;
const QUIET_AFTER_TEST_MS = 750;

/** A connection as DeadPeerDetector sees it: whether somebody waits for it, and for how long nothing has come. */
export class WatchedConnection {
  /** It need not be asked about before. */
  askAt = -Infinity;
  #progress = '';
  #changedAt = performance.now();
  #accused: Readonly<{ at: number; stateChanged: string }> | undefined;
  #received = 0;
  #isTested = false;

  /** @param listens so it would never wait for an answer */
  constructor(
    private readonly client: pg.ClientBase,
    private readonly listens: boolean,
  ) {}

  get pid(): number {
    return this.#internals.processID ?? 0;
  }

  get hasEnded(): boolean {
    return this.#internals._ended;
  }

  get hasProgressed(): boolean {
    return this.#progressNow() !== this.#progress;
  }

  get silentMs(): number {
    return performance.now() - this.#changedAt;
  }

  /** False if only `test` waits for an answer. */
  get isMissed(): boolean {
    return this.listens || !this.#isTested || this.#internals._queryQueue.length > 0;
  }

  /** True if an answer is awaited for long. Call it several times a second. */
  isQuiet(): boolean {
    const progress = this.#progressNow();
    if (progress !== this.#progress) {
      this.#progress = progress;
      const { bytesRead } = this.#internals.connection.stream;
      if (bytesRead !== this.#received) this.#isTested = false;
      this.#received = bytesRead;
      this.#accused = undefined;
      this.#changedAt = performance.now();
      return false;
    }
    const { silentMs } = this;
    if (this.#isBusy) return silentMs >= (this.#isTested ? QUIET_AFTER_TEST_MS : QUIET_AFTER_MS);
    if (this.listens && silentMs >= HEARTBEAT_EVERY_MS) this.#ask();
    return false;
  }

  /** It is not dead, or nobody can tell. @param askAfterMs until it may be asked about; otherwise it counts as heard from now */
  acquit(askAfterMs?: number): void {
    this.#accused = undefined;
    this.#isTested = false;
    if (askAfterMs === undefined) this.#changedAt = performance.now();
    else this.askAt = performance.now() + askAfterMs;
  }

  /** Returns true from the time on when the session has looked dead for so long and has done nothing in between. */
  accuse(stateChanged: string, forMs: number): boolean {
    const now = performance.now();
    if (this.#accused?.stateChanged === stateChanged) return now >= this.#accused.at + forMs;
    this.#accused = { at: now, stateChanged };
    this.askAt = now + forMs;
    return false;
  }

  /** Makes a connection that may be dead wait for an answer, unless something has come since then. */
  test(): void {
    if (this.silentMs < QUIET_AFTER_MS || this.#isBusy) return;
    this.#isTested = this.#ask();
  }

  /** Does not wait for the server. */
  destroy(error?: Error): void {
    this.#internals.connection.stream.destroy(error);
  }

  /** Not inside a transaction: that would reset its idle timeout. */
  #ask(): boolean {
    if (this.#internals.getTransactionStatus() !== 'I') return false;
    this.client.query('select').catch(() => undefined);
    return true;
  }

  get #isBusy(): boolean {
    return this.#internals.readyForQuery === false;
  }

  get #internals(): Internals {
    return this.client as unknown as Internals;
  }

  #progressNow(): string {
    const { bytesRead, writableLength } = this.#internals.connection.stream;
    return `${this.#isBusy} ${bytesRead} ${writableLength}`;
  }
}
