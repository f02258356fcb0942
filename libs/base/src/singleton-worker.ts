import { Pause } from './pause.js';

/** A session with the lock server. However it ends, it loses the lock. */
export type LockSession<Client> = Readonly<{
  client: Client;
  tryLock(): Promise<boolean>;
  unlock(): Promise<void>;
}>;

export interface SessionLock<Client> {
  /** Opens a session and closes it after `use`. Throws the reason if the session is lost. */
  session(use: (session: LockSession<Client>) => Promise<void>): Promise<void>;
}

export type LockContext<Client> = Readonly<{
  client: Client;
  /** True once the work should finish its current step and return. */
  stopping(): boolean;
  succeeded(): void;
  /** Returns whether a wake-up ended it. */
  pause(ms: number): Promise<boolean>;
}>;

export type SingletonOptions<Client> = Readonly<{
  lock: SessionLock<Client>;
  onError: (error: unknown) => void;
}>;

// A standby tries this often, so a takeover takes at most 2 s.
const STANDBY_MS = 1_000;
const RETRY_AFTER_MS = [100, 200, 500, 1_000, 2_000] as const;

/**
 * Work that must run in only one of all processes (leader election by a lock). It runs on the session that holds the lock, so a worker that
 * loses the session cannot write any more. Errors go to `onError`, and the worker retries forever.
 */
export abstract class SingletonWorker<Client> {
  readonly #options: SingletonOptions<Client>;
  readonly #retry = new Pause();
  // Not the same pause: hundreds of wake-ups arrive, even while this process is only a standby.
  readonly #pause = new Pause();
  #stopping = false;
  #running: Promise<void> | undefined;
  #holdsLock = false;
  #failures = 0;
  #iterations = 0;
  #onIteration: (outcome: 'succeeded' | 'failed') => void = () => undefined;

  constructor(options: SingletonOptions<Client>) {
    this.#options = options;
  }

  get holdsLock(): boolean {
    return this.#holdsLock;
  }

  get iterations(): number {
    return this.#iterations;
  }

  /** `listener` must not throw. */
  onIteration(listener: (outcome: 'succeeded' | 'failed') => void): void {
    this.#onIteration = listener;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#retry.wake();
    this.#pause.wake();
    await this.#running;
  }

  wake(): void {
    this.#pause.wake();
  }

  /** Must return only when `stopping()`. An error ends the session and releases the lock. */
  protected abstract work(held: LockContext<Client>): Promise<void>;

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#options.lock.session((session) => this.#hold(session));
      } catch (error) {
        this.#iterations += 1;
        this.#onIteration('failed');
        this.#options.onError(error);
        const wait = RETRY_AFTER_MS[Math.min(this.#failures, RETRY_AFTER_MS.length - 1)];
        this.#failures += 1;
        if (!this.#stopping) await this.#retry.wait(wait ?? 0);
      }
    }
  }

  async #hold(session: LockSession<Client>): Promise<void> {
    while (!(await session.tryLock())) {
      if (this.#stopping) return;
      this.#iterations += 1;
      await this.#retry.wait(STANDBY_MS);
    }
    this.#holdsLock = true;
    try {
      await this.work({
        client: session.client,
        stopping: () => this.#stopping,
        succeeded: () => {
          this.#iterations += 1;
          this.#failures = 0;
          this.#onIteration('succeeded');
        },
        pause: (ms) => this.#pause.wait(ms),
      });
      await session.unlock();
    } finally {
      this.#holdsLock = false;
    }
  }
}
