import { useQueryClient } from '@tanstack/react-query';
import { use, useEffect, useState } from 'react';
import { orderQuery } from '../api/desk.js';
import { Failure } from '../frame/failure.js';
import { SkeletonRows } from '../frame/skeleton-rows.js';
import { OrderView } from '../order/order-view.js';
import { useOrderNow } from '../order/use-live-order.js';
import type { VersionChoice } from '../order/use-shown-version.js';
import { queueWords as words } from './queue-words.js';

type Props = Readonly<{ id: string; /** The order that is shown next. */ nextId: string | undefined }>;

/** The page of an order beside the list. Give it the order as `key`: the address of the list does not say which version is shown. */
export function OrderBeside({ id, nextId }: Props) {
  const client = useQueryClient();
  const View = use(OrderView);
  const { data: now, error, refetch } = useOrderNow(id);
  const [asked, setAsked] = useState<VersionChoice['asked']>({});
  useEffect(() => {
    if (now && nextId !== undefined) void client.prefetchQuery(orderQuery(nextId));
  }, [client, now === undefined, nextId]);
  return (
    <section className="order-beside" aria-label={words.beside(id)} tabIndex={0}>
      {now && <View now={now} versions={{ asked, ask: setAsked }} isBeside />}
      {!now && error === null && <SkeletonRows />}
      {!now && error !== null && <Failure error={error} retry={() => void refetch()} />}
    </section>
  );
}
