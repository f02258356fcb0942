import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { orderQuery } from '../api/desk.js';
import { onOrderChanges } from '../live/live-changes.js';

const WITH_OPEN_PINGS_MS = 2_000;
const AFTER_ERROR_MS = 2_000;

/** The order as it is now. */
export function useOrderNow(id: string) {
  useLiveOrder(id);
  return useQuery({ ...orderQuery(id), refetchInterval: ({ state }) => pollingOf(state) });
}

/** Reads the order again when somebody has changed it. */
function useLiveOrder(id: string): void {
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

/** Attempts to deliver a ping are not announced, so the page asks while one is open. */
function pollingOf({ data, error }: Asked): number | false {
  if (error !== null) return AFTER_ERROR_MS;
  return data?.pings.some(({ state }) => state === 'pending') ? WITH_OPEN_PINGS_MS : false;
}
