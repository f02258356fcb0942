/** The source of time. Injected everywhere, so that a test can stop it or move it. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;

  /** Milliseconds since some moment in the past. Nobody can set it, so waits inside this process are measured with it. */
  monotonic(): number {
    return performance.now();
  }

  /** The present instant as ISO 8601 in UTC with milliseconds, the form in which events keep time. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}
