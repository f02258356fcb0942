import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { orderQuery } from '../../api/desk.js';

/**
 * The version that a person had seen when a dialog opened. The page behind it follows the changes of colleagues, so sending its version
 * would overwrite changes that the person has not seen. After a refusal, `renew` takes over the newest version.
 */
export function useSeenVersion({ id, version: opened }: OrderDetail) {
  const client = useQueryClient();
  const [version, setVersion] = useState(opened);
  const renew = async () => {
    const newest = await client.fetchQuery({ ...orderQuery(id), staleTime: 0 }).catch(() => undefined);
    // Without an answer the next try is refused again.
    if (newest) setVersion(newest.version);
    await client.invalidateQueries({ queryKey: ['order', id] });
  };
  return { version, renew };
}
