import { setTimeout as sleep } from 'node:timers/promises';

/** The kit's external dependencies. A test can replace them to control time and the network. */
export type Dependencies = Readonly<{
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Waits between tries; rejects when the signal is aborted. Request timeouts use their own timers. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** From 0 (inclusive) to 1 (exclusive). */
  random: () => number;
}>;

const REAL: Dependencies = {
  // Looked up at each call, so a later replacement of the global fetch takes effect here.
  fetch: (url, init) => globalThis.fetch(url, init),
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
};

export function resolveDependencies(given: Partial<Dependencies> = {}): Dependencies {
  return { ...REAL, ...given };
}
