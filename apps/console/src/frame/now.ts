import { useSyncExternalStore } from 'react';

// One timer for every time on the page.
const EVERY_MS = 1_000;
const listeners = new Set<() => void>();
let now = Date.now();

let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(tick, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

const sinceEpoch = (everyMs: number) => () => Math.floor(now / everyMs) * everyMs;

/** The time in milliseconds, rounded down to `everyMs`, so that a display of minutes is not drawn again each second. */
export function useNow(everyMs = 10_000): number {
  return useSyncExternalStore(subscribe, sinceEpoch(everyMs));
}

// A little more than the time in which seconds are told.
const NEAR_MS = 6 * 60_000;

/** The time for a clock that runs until then: to the second when that is near. */
export function useClock(until: string): number {
  return useNow(Math.abs(Date.parse(until) - now) < NEAR_MS ? 1_000 : 10_000);
}
