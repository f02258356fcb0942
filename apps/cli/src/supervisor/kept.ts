import { setTimeout as sleep } from 'node:timers/promises';

/** Something that runs until it is stopped or ends by itself; `ended` then says how, in a few words. */
export type Running = { ended: Promise<string>; stop(): Promise<void> };

// A crash is over in an instant for those who wait; one that repeats must not keep the machine busy.
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;
// Whoever ran this long had started well: the waits begin anew.
const STEADY_AFTER_MS = 60_000;

/** Keeps one process running: started again, after growing waits, whenever it ends without having been told to. */
export class Kept {
  /** How it last ended by itself. */
  lastEnd: string | undefined;
  readonly #stop = new AbortController();
  #keeping: Promise<void> = Promise.resolve();
  #waitMs = FIRST_WAIT_MS;

  constructor(
    readonly name: string,
    private readonly launch: () => Promise<Running>,
    private readonly report: (line: string) => void = console.error,
  ) {}

  /** Fails when the first launch does. */
  async start(): Promise<void> {
    this.#keeping = this.#keep(await this.launch());
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#keeping;
  }

  async #keep(first: Running): Promise<void> {
    const stopAsked = new Promise<void>((done) => this.#stop.signal.addEventListener('abort', () => done()));
    for (let running: Running | undefined = first; running; running = await this.#startAgain()) {
      const began = Date.now();
      this.lastEnd = (await Promise.race([running.ended, stopAsked])) ?? this.lastEnd;
      if (this.#stop.signal.aborted) return running.stop();
      if (Date.now() - began > STEADY_AFTER_MS) this.#waitMs = FIRST_WAIT_MS;
    }
  }

  async #startAgain(): Promise<Running | undefined> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.report(`Willcall: ${this.name} ended (${this.lastEnd}), starting it again in ${this.#waitMs} ms`);
      await sleep(this.#waitMs, undefined, { signal }).catch(() => undefined);
      this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
      if (signal.aborted) break;
      try {
        return await this.launch();
      } catch (error) {
        this.lastEnd = error instanceof Error ? error.message : String(error);
      }
    }
    return undefined;
  }
}
