import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { OrderSummary } from '#orders/order.contract';
import { orderQuery } from '../api/desk.js';
import { rowKeys } from '../frame/row-keys.js';
import { useSelection } from '../frame/use-selection.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import type { OrderList } from './use-order-list.js';

type Keys = Readonly<{ search: () => void; help: () => void }>;

/** Which row the keys act on, which are selected, and what can be done with one. */
export function useOrderRows({ orders, question, isOld, show }: OrderList, keys: Keys) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [active, setActive] = useState(-1);
  const { selected, setSelected, toggle } = useSelection(orders.map(({ id }) => id));
  useEffect(() => setActive(-1), [question]);
  const open = useCallback(
    (order: OrderSummary) => void navigate({ to: '/orders/$id', params: { id: order.id } }),
    [navigate],
  );
  const prefetch = useCallback((order: OrderSummary) => void client.prefetchQuery(orderQuery(order.id)), [client]);
  const move = (to: number) => {
    setActive(to);
    const order = orders[to];
    if (order) prefetch(order);
  };
  const withActive = (act: (order: OrderSummary) => void) => () => {
    const order = orders[active];
    if (order && !isOld) act(order);
  };
  useShortcuts({
    ...rowKeys({
      count: orders.length,
      active,
      move,
      open: withActive(open),
      select: (isRange) => withActive(({ id }) => toggle(id, isRange))(),
    }),
    e: withActive(({ product }) => show({ filters: [{ field: 'event_id', op: '=', values: [product.event_id] }] })),
    '/': keys.search,
    '?': keys.help,
  });
  return { active, setActive, selected, setSelected, toggle, open, prefetch };
}

export type OrderRows = ReturnType<typeof useOrderRows>;
