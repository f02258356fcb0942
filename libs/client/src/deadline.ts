/** Aborts its signal when the time passes without an `extend`, or when the outer signal is aborted. Always call `end`. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly passOn = () => this.controller.abort(this.outer?.reason);
  private timer: NodeJS.Timeout | undefined;

  // AbortSignal.any leaks memory for every request on a signal that lives as long as the process (seen on Node 20).
  constructor(
    private readonly ms: number,
    private readonly outer?: AbortSignal,
  ) {
    if (outer?.aborted) this.passOn();
    outer?.addEventListener('abort', this.passOn, { once: true });
    this.extend();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  extend(): void {
    this.hold();
    const timedOut = () => this.controller.abort(new DOMException('No answer in time', 'TimeoutError'));
    this.timer = setTimeout(timedOut, this.ms);
  }

  hold(): void {
    clearTimeout(this.timer);
  }

  /** Aborts the signal too, which ends any request that still uses it. */
  end(): void {
    this.hold();
    this.outer?.removeEventListener('abort', this.passOn);
    this.controller.abort();
  }
}
