/**
 * Runs a task again and again in this process, with a pause between the end of one run and the start of the next. It needs no
 * queue, because such tasks find what an emptied Redis has lost.
 */
export class Repeater {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private hurried = false;
  private stopped = false;
  private ended = 0;

  constructor(
    private readonly task: () => Promise<void>,
    private readonly pauseMs: number,
    private readonly report: (fault: unknown) => void,
  ) {}

  /** How often the task has ended, well or badly. */
  get turns(): number {
    return this.ended;
  }

  start(): void {
    this.wait(this.pauseMs);
  }

  /** The next time comes at once, where one is under way after that. */
  hurry(): void {
    if (this.stopped) return;
    if (this.timer) this.wait(0);
    else this.hurried = true;
  }

  /** Waits for the task in hand. */
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
        .catch(this.report)
        .then(() => {
          this.ended += 1;
          if (!this.stopped) this.wait(this.hurried ? 0 : this.pauseMs);
          this.hurried = false;
        });
    }, ms);
  }
}
