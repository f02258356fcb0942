import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { OrderDetail } from '#orders/order.contract';
import { instantOf } from '../words/time-zone.js';
import { orderAsOfQuery, orderAtQuery } from '../api/desk.js';

/** The version of an order that the address names, and the one that it is compared with. */
export function useShownVersion(now: OrderDetail) {
  const search = useSearch({ from: '/frame/orders/$id' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const asked = Number(search.version);
  const version = Number.isInteger(asked) && asked >= 1 && asked < now.version ? asked : now.version;
  const isPast = version !== now.version;
  const other = Number(search.compare);
  const compared = Number.isInteger(other) && other >= 1 && other <= now.version && other !== version ? other : null;
  const { data: then, isPlaceholderData: isStale } = useQuery({
    ...orderAsOfQuery(now.id, version),
    enabled: isPast,
    placeholderData: keepPreviousData,
  });
  const { timeline } = search;
  const go = (target: number, comparedTo: number | null, replace = false) =>
    void navigate({
      to: '/orders/$id',
      params: { id: now.id },
      search: {
        ...(timeline !== undefined && { timeline }),
        ...(target !== now.version && { version: String(target) }),
        ...(comparedTo !== null && comparedTo !== target && { compare: String(comparedTo) }),
      },
      replace,
    });
  const show = (to: number) => {
    const target = Math.max(1, Math.min(now.version, to));
    go(target, compared, isPast && target !== now.version);
  };
  return {
    order: isPast ? (then ?? now) : now,
    version,
    isPast,
    // Neither of another version, nor of now, while the version is on its way.
    isOld: isPast && (isStale || !then),
    compared,
    show,
    /** At the end of the day, by the reader's clock. On a day before the order there was nothing: its first version is shown. */
    showDay: async (day: string) => {
      const end = Math.min(instantOf(`${day}T23:59:59`).getTime(), Date.now());
      const then = await client.fetchQuery(orderAtQuery(now.id, new Date(end).toISOString())).catch(() => undefined);
      show(then?.version ?? 1);
    },
    compare: (comparedTo: number | null) => go(version, comparedTo),
  };
}
