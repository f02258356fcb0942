import DataLoader from 'dataloader';
import { useEffect, useSyncExternalStore } from 'react';
import type { ShowName } from '#desk/show-list.contract';
import { MOST_VALUES } from '#web/several.limits';
import { ask } from './http.js';

const HOUR_MS = 60 * 60 * 1_000;

const GATHER_MS = 10;

/** One request for the shows of all rows that come into view together. */
const names = new DataLoader<string, ShowName | null>(
  async (ids) => {
    const { events: shows } = await ask('GET events/names', { query: { ids } });
    const found = new Map(shows.map((show) => [show.id, show]));
    return ids.map((id) => found.get(id) ?? null);
  },
  { cache: false, maxBatchSize: MOST_VALUES, batchScheduleFn: (send) => setTimeout(send, GATHER_MS) },
);

type Known = Readonly<{ show: ShowName | null; at: number }>;
const known = new Map<string, Known>();
const asked = new Set<string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ids of the catalogue are numbers. After a failure the next row with this show asks again. */
async function load(showId: string): Promise<void> {
  asked.add(showId);
  try {
    known.set(showId, { show: /^\d+$/.test(showId) ? await names.load(showId) : null, at: Date.now() });
    for (const listener of listeners) listener();
  } catch {
    // The row shows the id instead.
  }
  asked.delete(showId);
}

/** Before another person signs in. */
export const forgetShows = (): void => known.clear();

/**
 * The show of a listing; null if the catalogue lacks it. Undefined until it is known. Not a query, because each row of a list has one and an observer
 * takes longer than the row.
 */
export function useShow(showId: string): ShowName | null | undefined {
  const found = useSyncExternalStore(subscribe, () => known.get(showId));
  useEffect(() => {
    const isFresh = found !== undefined && Date.now() - found.at < HOUR_MS;
    if (!isFresh && !asked.has(showId)) void load(showId);
    // An answer is no reason to look again.
  }, [showId]);
  return found?.show;
}
