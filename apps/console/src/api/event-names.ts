import { queryOptions, useQuery } from '@tanstack/react-query';
import { isNotFound } from './api-error.js';
import { ask } from './http.js';

export type EventName = Readonly<{
  title: string;
  datetime_local: string;
  venue?: Readonly<{ name?: string | null }> | null;
}>;

const HOUR_MS = 60 * 60 * 1_000;

/** The event of a listing; null if the catalogue lacks it. */
const eventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId],
    queryFn: async (): Promise<EventName | null> => {
      if (!/^\d+$/.test(eventId)) return null;
      try {
        return await ask<EventName>(`catalogue/events/${eventId}`);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    staleTime: HOUR_MS,
    gcTime: HOUR_MS,
    retry: false,
  });

export function useEvent(eventId: string): EventName | null | undefined {
  return useQuery(eventQuery(eventId)).data;
}
