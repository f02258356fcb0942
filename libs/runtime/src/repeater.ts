/** Pauses between two runs. Does not use a queue, because these tasks find the work that a Redis data loss dropped from the queues. */
export class Repeater {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private isWoken = false;
  private stopped = false;
  private ended = 0;

  constructor(
    private readonly task: () => Promise<void>,
    private readonly pauseMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  get iterations(): number {
    return this.ended;
  }

  start(): void {
    this.wait(this.pauseMs);
  }

  /** Starts the next run at once, or right after the current one. */
  wake(): void {
    if (this.stopped) return;
    if (this.timer) this.wait(0);
    else this.isWoken = true;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.current;
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.current = this.task()
        .catch(this.onError)
        .then(() => {
          this.ended += 1;
          if (!this.stopped) this.wait(this.isWoken ? 0 : this.pauseMs);
          this.isWoken = false;
        });
    }, ms);
  }
}
