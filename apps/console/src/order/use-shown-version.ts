import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { OrderDetail } from '#orders/order.contract';
import { instantOf } from '../words/time-zone.js';
import { orderAsOfQuery, orderAtQuery } from '../api/desk.js';

/** The version that somebody asked for, and the one to compare it with. */
type AskedVersion = Readonly<{ version: number; compared: number }>;

/** What was asked for, and the way to ask for others; `replace`: going back does not lead there. */
export type VersionChoice = Readonly<{
  asked: Partial<AskedVersion>;
  ask: (asked: Partial<AskedVersion>, replace: boolean) => void;
}>;

/** On the page of an order the address says it. */
export function useVersionInAddress(id: string): VersionChoice {
  const search = useSearch({ from: '/frame/orders/$id' });
  const { timeline, version, compare } = search;
  const navigate = useNavigate();
  return {
    asked: { version: Number(version), compared: Number(compare) },
    ask: (asked, replace) =>
      void navigate({
        to: '/orders/$id',
        params: { id },
        search: {
          ...(timeline !== undefined && { timeline }),
          ...(asked.version !== undefined && { version: String(asked.version) }),
          ...(asked.compared !== undefined && { compare: String(asked.compared) }),
        },
        replace,
      }),
  };
}

/** The version of an order that is shown, and the one that it is compared with. */
export function useShownVersion(
  now: OrderDetail,
  { asked: { version: asked = NaN, compared: other = NaN }, ask }: VersionChoice,
) {
  const client = useQueryClient();
  const version = Number.isInteger(asked) && asked >= 1 && asked < now.version ? asked : now.version;
  const isPast = version !== now.version;
  const compared = Number.isInteger(other) && other >= 1 && other <= now.version && other !== version ? other : null;
  const { data: then, isPlaceholderData: isStale } = useQuery({
    ...orderAsOfQuery(now.id, version),
    enabled: isPast,
    placeholderData: keepPreviousData,
  });
  const go = (target: number, comparedTo: number | null, replace = false) =>
    ask(
      {
        ...(target !== now.version && { version: target }),
        ...(comparedTo !== null && comparedTo !== target && { compared: comparedTo }),
      },
      replace,
    );
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
