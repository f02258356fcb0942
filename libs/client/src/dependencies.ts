import { setTimeout as sleep } from 'node:timers/promises';

/** What the kit takes from outside, so that a test can hold time still and stand in for the network. */
export type Dependencies = Readonly<{
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Waits between tries; rejects when the signal is aborted. Deadlines of single requests are timers of their own. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** From 0 (inclusive) to 1 (exclusive). */
  random: () => number;
}>;

const REAL: Dependencies = {
  // Looked up at each call: whoever replaces the global one later means this one too.
  fetch: (url, init) => globalThis.fetch(url, init),
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
};

/** The real ones, but for those that are given. */
export function resolveDependencies(given: Partial<Dependencies> = {}): Dependencies {
  return { ...REAL, ...given };
}
