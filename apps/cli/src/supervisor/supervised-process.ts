/** Something that runs until it is stopped or ends by itself; `ended` then says how, in a few words. `kill` is for one that hangs. */
export type Running = { ended: Promise<string>; stop(): Promise<void>; kill(): void };

// A crash is over in an instant for those who wait; one that repeats must not keep the machine busy.
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;
// Whoever ran this long had started well: the waits begin anew.
const STEADY_AFTER_MS = 60_000;

/** Keeps one process running: started again, after growing waits, whenever it ends without having been told to. */
export class SupervisedProcess {
  /** How it last ended by itself. */
  lastEnd: string | undefined;
  readonly #stopping = new AbortController();
  #askToStop = (): void => undefined;
  readonly #stopAsked = new Promise<void>((done) => (this.#askToStop = done));
  #keeping: Promise<void> = Promise.resolve();
  #waitMs = FIRST_WAIT_MS;
  #running: Running | undefined;

  /** @param launch may give up, by throwing, once its signal is aborted: what it starts would be stopped at once. */
  constructor(
    readonly name: string,
    private readonly launch: (stopping: AbortSignal) => Promise<Running>,
    private readonly report: (line: string) => void = console.error,
  ) {}

  /** Fails when the first launch does. */
  async start(): Promise<void> {
    this.#keeping = this.#keep(await this.launch(this.#stopping.signal));
  }

  async stop(): Promise<void> {
    this.#askToStop();
    this.#stopping.abort();
    await this.#keeping;
  }

  /** Ends it without waiting for anything; to be called when `stop` takes too long. */
  kill(): void {
    this.#running?.kill();
  }

  async #keep(first: Running): Promise<void> {
    for (let running: Running | undefined = first; running; running = await this.#startAgain()) {
      this.#running = running;
      const began = Date.now();
      this.lastEnd = (await Promise.race([running.ended, this.#stopAsked])) ?? this.lastEnd;
      if (this.#stopping.signal.aborted) return running.stop();
      if (Date.now() - began > STEADY_AFTER_MS) this.#waitMs = FIRST_WAIT_MS;
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
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }
}
