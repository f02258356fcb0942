import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OrderSummary } from '#orders/order.contract';
import { orderQuery } from '../api/desk.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import type { OrderList } from './use-order-list.js';

type Keys = Readonly<{ search: () => void; help: () => void }>;

/** Which row the keys act on, which are selected, and what can be done with one. */
export function useOrderRows({ orders, question, isOld, show }: OrderList, keys: Keys) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [active, setActive] = useState(-1);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const lastSelected = useRef<string>(undefined);
  useEffect(() => setActive(-1), [question]);
  const open = useCallback(
    (order: OrderSummary) => void navigate({ to: '/orders/$id', params: { id: order.id } }),
    [navigate],
  );
  const toggle = useCallback((id: string) => {
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
    lastSelected.current = id;
  }, []);
  /** From the order that was selected last to the active one. */
  const selectRange = (to: OrderSummary) => {
    const from = orders.findIndex(({ id }) => id === lastSelected.current);
    const [first, last] = [Math.min(from, active), Math.max(from, active)];
    const ids = from < 0 ? [to.id] : orders.slice(first, last + 1).map(({ id }) => id);
    setSelected((before) => new Set([...before, ...ids]));
    lastSelected.current = to.id;
  };
  const prefetch = useCallback((order: OrderSummary) => void client.prefetchQuery(orderQuery(order.id)), [client]);
  const move = (by: number) => {
    const to = Math.max(0, Math.min(orders.length - 1, active + by));
    setActive(to);
    const order = orders[to];
    if (order) prefetch(order);
  };
  const withActive = (act: (order: OrderSummary) => void) => () => {
    const order = orders[active];
    if (order && !isOld) act(order);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: withActive(open),
    x: withActive(({ id }) => toggle(id)),
    X: withActive(selectRange),
    e: withActive(({ product }) => show({ filters: [{ field: 'event_id', op: '=', values: [product.event_id] }] })),
    '/': keys.search,
    '?': keys.help,
  });
  return { active, setActive, selected, setSelected, toggle, open, prefetch };
}

export type OrderRows = ReturnType<typeof useOrderRows>;
