/** A running process. `ended` resolves with the reason in a few words. `kill` is for one that hangs. */
export type Running = { ended: Promise<string>; stop(): Promise<void>; kill(): void };

// The first restart is quick. A repeated crash must not keep the machine busy.
const MIN_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 30_000;
// After this long the start counts as successful, and the backoff starts again.
const STEADY_AFTER_MS = 60_000;

/** Keeps one process running. Restarts it with exponential backoff whenever it ends without a stop. */
export class SupervisedProcess {
  /** Why it last ended without a stop. */
  lastEnd: string | undefined;
  readonly #stopping = new AbortController();
  #askToStop = (): void => undefined;
  readonly #stopAsked = new Promise<void>((done) => (this.#askToStop = done));
  #keeping: Promise<void> = Promise.resolve();
  #waitMs = MIN_BACKOFF_MS;
  #running: Running | undefined;

  /** @param launch may throw once its signal is aborted, because the process would be stopped at once. */
  constructor(
    readonly name: string,
    private readonly launch: (stopping: AbortSignal) => Promise<Running>,
    private readonly report: (line: string) => void = console.error,
  ) {}

  /** Rejects if the first launch fails. */
  async start(): Promise<void> {
    this.#keeping = this.#keep(await this.launch(this.#stopping.signal));
  }

  async stop(): Promise<void> {
    this.#askToStop();
    this.#stopping.abort();
    await this.#keeping;
  }

  /** Kills it at once. Call this if `stop` takes too long. */
  kill(): void {
    this.#running?.kill();
  }

  async #keep(first: Running): Promise<void> {
    for (let running: Running | undefined = first; running; running = await this.#startAgain()) {
      this.#running = running;
      const began = Date.now();
      this.lastEnd = (await Promise.race([running.ended, this.#stopAsked])) ?? this.lastEnd;
      if (this.#stopping.signal.aborted) return running.stop();
      if (Date.now() - began > STEADY_AFTER_MS) this.#waitMs = MIN_BACKOFF_MS;
    }
  }

  async #startAgain(): Promise<Running | undefined> {
    while (!this.#stopping.signal.aborted) {
      this.report(`Willcall: ${this.name} ended (${this.lastEnd}), starting it again in ${this.#waitMs} ms`);
      await this.#wait();
      if (this.#stopping.signal.aborted) break;
      try {
        return await this.launch(this.#stopping.signal);
      } catch (error) {
        this.lastEnd = error instanceof Error ? error.message : String(error);
      }
    }
    return undefined;
  }

  async #wait(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([new Promise((done) => (timer = setTimeout(done, this.#waitMs))), this.#stopAsked]);
    clearTimeout(timer);
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_BACKOFF_MS);
  }
}
