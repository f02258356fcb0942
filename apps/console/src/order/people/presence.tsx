import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask } from '../../api/http.js';
import { onPeopleNews } from '../../live/live-changes.js';
import { peopleWords as words } from './people-words.js';

/** The server believes for 30 s that somebody is there. */
const EVERY_MS = 10_000;

// To ask is to be there. A page that is not visible does not ask.
const presenceQuery = (id: string) =>
  queryOptions({
    queryKey: ['presence', id],
    queryFn: ({ signal }) => ask('GET orders/{id}/presence', { path: { id }, signal }),
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
    retry: false,
  });

/** Who else has the order open. */
export function Presence({ orderId }: Readonly<{ orderId: string }>) {
  const client = useQueryClient();
  const { data } = useQuery(presenceQuery(orderId));
  useEffect(
    () =>
      onPeopleNews(({ orders }) => {
        if (orders.includes(orderId) && !document.hidden)
          void client.invalidateQueries({ queryKey: presenceQuery(orderId).queryKey });
      }),
    [client, orderId],
  );
  const names = data?.people.map(({ name }) => name) ?? [];
  const hasStaff = data !== undefined && data.unnamed_staff > 0;
  const isAlone = names.length === 0 && !hasStaff;
  return (
    <span role="status" className="presence" title={isAlone ? undefined : `${words.hereHint}: ${names.join(', ')}`}>
      {isAlone ? '' : words.here(names, hasStaff)}
    </span>
  );
}
