import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OrderDetail } from '#contracts/backoffice/order';
import { hearsChanges } from '../api/connection.js';
import { onOrderChanges } from '../live/live-changes.js';

const WITH_OPEN_PINGS_MS = 2_000;
const UNHEARD_MS = 2_000;
const BESIDE_MS = 5_000;

/** Asks for the order again when somebody has changed it. */
export function useLiveOrder(id: string): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onOrderChanges((news) => {
        const isAbout = news.kind === 'missed' || news.changes.some(({ order_id: changed }) => changed === id);
        if (isAbout) void client.invalidateQueries({ queryKey: ['order', id] });
      }),
    [client, id],
  );
}

type Asked = Readonly<{ data: OrderDetail | undefined; error: unknown }>;

/** Attempts to deliver a ping, tags and who takes care of the order are no changes of it, so nobody announces them. */
export function pollingOf({ data, error }: Asked): number {
  if (error !== null || !hearsChanges()) return UNHEARD_MS;
  return data?.pings.some(({ state }) => state === 'pending') ? WITH_OPEN_PINGS_MS : BESIDE_MS;
}
