import { useSyncExternalStore } from 'react';
import { isObject } from '../api/is-object.js';

/** How lists of orders look for this person on this device. */
export type Display = Readonly<{ columns: readonly string[]; compact: boolean }>;

const KEY = 'willcall.orders';
const AT_FIRST: Display = { columns: [], compact: false };
const listeners = new Set<() => void>();
let display = read();

function read(): Display {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (!isObject(stored)) return AT_FIRST;
    const { columns, compact } = stored;
    return {
      columns: Array.isArray(columns) ? columns.filter((name) => typeof name === 'string') : [],
      compact: compact === true,
    };
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
