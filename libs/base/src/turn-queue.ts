/**
 * Runs one waiting callback in each turn of the event loop, oldest first. What else arrives is handled in between, however many
 * callbacks wait. `restMs` says how long the process does nothing for this queue before the next one; 0 for no rest.
 */
export class TurnQueue {
  #waiting: (() => void)[] = [];
  #next = 0;
  #isScheduled = false;
  readonly #restMs: () => number;

  constructor(restMs: () => number = () => 0) {
    this.#restMs = restMs;
  }

  get length(): number {
    return this.#waiting.length - this.#next;
  }

  /** `callback` must not throw. */
  add(callback: () => void): void {
    this.#waiting.push(callback);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const rest = this.#restMs();
    if (rest > 0) setTimeout(() => this.#runNext(), rest);
    else setImmediate(() => this.#runNext());
  }

  #runNext(): void {
    this.#isScheduled = false;
    const callback = this.#waiting[this.#next];
    this.#next += 1;
    if (this.length === 0) {
      this.#waiting = [];
      this.#next = 0;
    } else {
      this.#schedule();
    }
    callback?.();
  }
}
