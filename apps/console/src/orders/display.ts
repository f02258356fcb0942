import { useSyncExternalStore } from 'react';

/** How lists of orders look for this person on this device. */
export type Display = Readonly<{ columns: readonly string[]; compact: boolean }>;

const KEY = 'willcall.orders';
const AT_FIRST: Display = { columns: [], compact: false };
const listeners = new Set<() => void>();
let display = read();

function read(): Display {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Display>;
    const columns = Array.isArray(stored.columns) ? stored.columns.filter((name) => typeof name === 'string') : [];
    return { columns, compact: stored.compact === true };
  } catch {
    // The storage may be off, or hold something else.
    return AT_FIRST;
  }
}

export function setDisplay(change: Partial<Display>): void {
  display = { ...display, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(display));
  } catch {
    // The choice then lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDisplay(): Display {
  return useSyncExternalStore(subscribe, () => display);
}
