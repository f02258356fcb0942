import { MOST_COUNTED, WINDOW_MS } from './purchase-counts.js';

// After so many purchases the window forgets values that nobody has used for a day.
const FORGET_EVERY = 20_000;

/** Counts the purchases of the last 24 hours in memory, as `PurchaseCountQueries` does in the database. Add them oldest first. */
export class PurchaseWindow {
  readonly #times = new Map<string, number[]>();
  #added = 0;

  /** Returns how many purchases with this value there are now, this one included. */
  add(value: string, at: number): number {
    if ((this.#added += 1) % FORGET_EVERY === 0) this.#forget(at - WINDOW_MS);
    const times = this.#times.get(value) ?? [];
    this.#times.set(value, times);
    times.push(at);
    const first = times.findIndex((time) => time > at - WINDOW_MS);
    if (first > 0) times.splice(0, first);
    if (times.length > MOST_COUNTED + 1) times.shift();
    return times.length;
  }

  #forget(until: number): void {
    for (const [value, times] of this.#times) if ((times.at(-1) ?? 0) <= until) this.#times.delete(value);
  }
}
