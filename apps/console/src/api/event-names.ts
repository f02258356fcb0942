import { queryOptions, useQuery } from '@tanstack/react-query';
import DataLoader from 'dataloader';
import type { EventName, EventNames } from '#contracts/backoffice/event-list';
import { ask } from './http.js';

const HOUR_MS = 60 * 60 * 1_000;

// The server answers no more at once.
const MOST = 50;
const GATHER_MS = 10;

/** One request for the events of all rows that come into view together. */
const names = new DataLoader<string, EventName | null>(
  async (ids) => {
    const { events } = await ask<EventNames>(`events/names?ids=${ids.map(encodeURIComponent).join(',')}`);
    const found = new Map(events.map((event) => [event.id, event]));
    return ids.map((id) => found.get(id) ?? null);
  },
  { cache: false, maxBatchSize: MOST, batchScheduleFn: (send) => setTimeout(send, GATHER_MS) },
);

/** The event of a listing; null if the catalogue lacks it. Ids of the catalogue are numbers. */
const eventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event-name', eventId],
    queryFn: () => (/^\d+$/.test(eventId) ? names.load(eventId) : null),
    staleTime: HOUR_MS,
    gcTime: HOUR_MS,
    retry: false,
  });

export function useEvent(eventId: string): EventName | null | undefined {
  return useQuery(eventQuery(eventId)).data;
}
