import DataLoader from 'dataloader';
import { useEffect, useSyncExternalStore } from 'react';
import type { EventName } from '#desk/event-list.contract';
import { ask } from './http.js';

const HOUR_MS = 60 * 60 * 1_000;

// The server answers no more at once.
const MOST = 50;
const GATHER_MS = 10;

/** One request for the events of all rows that come into view together. */
const names = new DataLoader<string, EventName | null>(
  async (ids) => {
    const { events } = await ask('GET events/names', { query: { ids } });
    const found = new Map(events.map((event) => [event.id, event]));
    return ids.map((id) => found.get(id) ?? null);
  },
  { cache: false, maxBatchSize: MOST, batchScheduleFn: (send) => setTimeout(send, GATHER_MS) },
);

type Known = Readonly<{ event: EventName | null; at: number }>;
const known = new Map<string, Known>();
const asked = new Set<string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ids of the catalogue are numbers. After a failure the next row with this event asks again. */
async function load(eventId: string): Promise<void> {
  asked.add(eventId);
  try {
    known.set(eventId, { event: /^\d+$/.test(eventId) ? await names.load(eventId) : null, at: Date.now() });
    for (const listener of listeners) listener();
  } catch {
    // The row shows the id instead.
  }
  asked.delete(eventId);
}

/** Before another person signs in. */
export const forgetEvents = (): void => known.clear();

/**
 * The event of a listing; null if the catalogue lacks it. Undefined until it is known. Not a query, because each row of a list has one and an observer
 * takes longer than the row.
 */
export function useEvent(eventId: string): EventName | null | undefined {
  const found = useSyncExternalStore(subscribe, () => known.get(eventId));
  useEffect(() => {
    const isFresh = found !== undefined && Date.now() - found.at < HOUR_MS;
    if (!isFresh && !asked.has(eventId)) void load(eventId);
    // An answer is no reason to look again.
  }, [eventId]);
  return found?.event;
}
