import { Pause } from './pause.js';

/** A session with the server of the lock. It loses the lock when it ends, however it ends. */
export type LockSession<Client> = Readonly<{
  client: Client;
  /** Whether the lock is this session's now. */
  tryLock(): Promise<boolean>;
  unlock(): Promise<void>;
}>;

export interface SessionLock<Client> {
  /** Opens a session, and closes it when `use` is over. If the session was lost, it throws the reason. */
  session(use: (session: LockSession<Client>) => Promise<void>): Promise<void>;
}

/** The session that holds the lock, as its work sees it. */
export type Held<Client> = Readonly<{
  client: Client;
  /** True once the work should finish what it has in hand and return. */
  stopping(): boolean;
  /** Something went well: the next failure is the first one again. */
  succeeded(): void;
  /** Waits so many milliseconds, or until somebody calls `wake` or `stop`. */
  pause(ms: number): Promise<void>;
}>;

export type SingletonOptions<Client> = Readonly<{
  lock: SessionLock<Client>;
  /** Must not throw. */
  onError: (error: unknown) => void;
}>;

// A standby looks this often, so that a takeover takes at most 2 s.
const STANDBY_MS = 1_000;
const RETRY_AFTER_MS = [100, 200, 500, 1_000, 2_000] as const;

/**
 * Work of which there must be one in all processes (leader election by a lock). It runs on the very session that holds the
 * lock: when that is lost, the work cannot write any more, so there is never a moment with two. Errors go to `onError`, then
 * it tries again, for ever.
 *
 * @example
 * class Tidying extends SingletonWorker<pg.Client> {
 *   protected override async work({ client, stopping, succeeded, pause }: Held<pg.Client>): Promise<void> {
 *     while (!stopping()) {
 *       await client.query('delete from …');
 *       succeeded();
 *       await pause(1_000);
 *     }
 *   }
 * }
 */
export abstract class SingletonWorker<Client> {
  readonly #options: SingletonOptions<Client>;
  readonly #retry = new Pause();
  // One of its own: hints come by the hundred, also to a process that only stands by.
  readonly #pause = new Pause();
  #stopping = false;
  #running: Promise<void> | undefined;
  #holding = false;
  #failures = 0;
  #turns = 0;
  #onTurn: (outcome: 'succeeded' | 'failed') => void = () => undefined;

  constructor(options: SingletonOptions<Client>) {
    this.#options = options;
  }

  /** Whether the lock is ours just now. */
  get holding(): boolean {
    return this.#holding;
  }

  /** How often the work has got somewhere, failed, or looked whether another process still does it. */
  get turns(): number {
    return this.#turns;
  }

  /** `listener` is told of every turn of the work; it must not throw. */
  onTurn(listener: (outcome: 'succeeded' | 'failed') => void): void {
    this.#onTurn = listener;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Finishes what is in hand and gives the lock back: another process goes on. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#retry.wake();
    this.#pause.wake();
    await this.#running;
  }

  /** A hint that there is something to do: cuts the pause of the work short, or else its next one. */
  wake(): void {
    this.#pause.wake();
  }

  /** Returns only when `stopping()`; whatever it throws ends the session, and with it the lock. */
  protected abstract work(held: Held<Client>): Promise<void>;

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#options.lock.session((session) => this.#hold(session));
      } catch (error) {
        this.#turns += 1;
        this.#onTurn('failed');
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
      this.#turns += 1;
      await this.#retry.wait(STANDBY_MS);
    }
    this.#holding = true;
    try {
      await this.work({
        client: session.client,
        stopping: () => this.#stopping,
        succeeded: () => {
          this.#turns += 1;
          this.#failures = 0;
          this.#onTurn('succeeded');
        },
        pause: (ms) => this.#pause.wait(ms),
      });
      await session.unlock();
    } finally {
      this.#holding = false;
    }
  }
}
