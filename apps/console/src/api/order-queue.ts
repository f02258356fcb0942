import { queryOptions } from '@tanstack/react-query';
import { ask } from './http.js';

// Due times pass, and shows move, without an event of the order.
const EVERY_MS = 30_000;

/** Where the order waits, and until when. Read again when the order changes, because `version` is part of the key. */
export const orderQueueQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['order', id, 'queue', version],
    queryFn: ({ signal }) => ask('GET orders/{id}/queue', { path: { id }, signal }),
    refetchInterval: EVERY_MS,
    retry: false,
  });
