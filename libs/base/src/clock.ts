export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;

  /** Milliseconds since an arbitrary moment. Nobody can set this clock, so it measures durations. */
  monotonic(): number {
    return performance.now();
  }

  /** ISO 8601 in UTC with milliseconds, as in events. */
  iso(): string {
    return new Date(this.now()).toISOString();
  }
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}
