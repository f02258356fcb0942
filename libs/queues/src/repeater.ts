/**
 * Does a task again and again in this process, with a pause between the end of one and the start of the next.
 * What a Redis that was emptied has lost is found by such tasks, so they need no queue.
 */
export class Repeater {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly task: () => Promise<void>,
    private readonly pauseMs: number,
    private readonly report: (fault: unknown) => void,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.current = this.task()
        .catch(this.report)
        .then(() => {
          if (!this.stopped) this.start();
        });
    }, this.pauseMs);
  }

  /** Waits for the task in hand. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.current;
  }
}
