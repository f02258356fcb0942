/**
 * `everyMs` is the pause between two runs. With `idleMs` the pause is that long instead, unless the run before returned true, or a nudge says
 * that there is something to do. `firstAfterMs` is the pause before the first run.
 */
export type RepeaterPause = Readonly<{
  everyMs: number;
  idleMs?: number | undefined;
  firstAfterMs?: number | undefined;
}>;

/** Pauses between two runs. Does not use a queue, because these tasks find the work that a Redis data loss dropped from the queues. */
export class Repeater {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private isWoken = false;
  private isNudged = false;
  private isIdle = false;
  private stopped = false;
  private ended = 0;

  constructor(
    private readonly task: () => Promise<boolean | void>,
    private readonly pause: RepeaterPause,
    private readonly onError: (error: unknown) => void,
  ) {}

  get iterations(): number {
    return this.ended;
  }

  start(): void {
    this.wait(this.pause.firstAfterMs ?? this.pause.everyMs);
  }

  /** Starts the next run at once, or right after the current one. */
  wake(): void {
    if (this.stopped) return;
    if (this.timer) this.wait(0);
    else this.isWoken = true;
  }

  /**
   * Makes the pause the usual one, from now on if it is idle already. Not shorter, because whoever nudges is busy with what is urgent. Cheap,
   * so it may come hundreds of times a second.
   */
  nudge(): void {
    this.isNudged = true;
    if (this.isIdle && !this.stopped) this.wait(this.pause.everyMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.current;
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.isIdle = false;
    this.timer = setTimeout(() => this.run(), ms);
  }

  private run(): void {
    this.timer = undefined;
    this.isNudged = false;
    this.current = this.task()
      .catch(this.onError)
      .then((hasMore) => {
        this.ended += 1;
        if (!this.stopped) this.rest(hasMore === true);
      });
  }

  private rest(hasMore: boolean): void {
    const { everyMs, idleMs = everyMs } = this.pause;
    const isWoken = this.isWoken;
    this.isWoken = false;
    if (isWoken) return this.wait(0);
    if (hasMore || idleMs <= everyMs) return this.wait(everyMs);
    this.timer = setTimeout(() => {
      if (this.isNudged) return this.run();
      this.wait(idleMs - everyMs);
      this.isIdle = true;
    }, everyMs);
  }
}
