import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { QueuedOrder } from '#desk/queue.contract';

/** A row of the list. `isGone`: the order has left the queue, and its place is kept. */
export type SteadyOrder = Readonly<{ order: QueuedOrder; isGone: boolean }>;

export type SteadyOrders = Readonly<{
  rows: readonly SteadyOrder[];
  /** Orders that wait to be shown. */
  added: number;
  /** For the element around the rows. */
  over: Readonly<{ onPointerMove: (event: PointerEvent) => void; onPointerLeave: () => void }>;
  /** Shows the list as it is. */
  release: () => void;
  /** After a decision of this person: the order may leave at once. */
  settle: (orderId: string) => void;
}>;

/** While the mouse is over the rows, none of them moves because somebody else did something: a click hits what was aimed at. */
export function useSteadyOrders(orders: readonly QueuedOrder[]): SteadyOrders {
  const [held, setHeld] = useState<readonly QueuedOrder[] | null>(null);
  const settled = useRef(new Set<string>());
  const release = () => setHeld(null);
  // Whoever uses the keyboard does not aim.
  useEffect(() => {
    document.addEventListener('keydown', release);
    return () => document.removeEventListener('keydown', release);
  }, []);
  const now = new Map(orders.map((order) => [order.id, order]));
  const left = held?.filter(({ id }) => now.has(id) || !settled.current.has(id)) ?? [];
  // Without a row nothing can be aimed at.
  const kept = left.length > 0 ? left : orders;
  const shown = new Set(kept.map(({ id }) => id));
  return {
    rows: kept.map((order) => ({ order: now.get(order.id) ?? order, isGone: !now.has(order.id) })),
    added: orders.filter(({ id }) => !shown.has(id)).length,
    over: {
      onPointerMove: ({ pointerType }) => {
        if (pointerType === 'mouse') setHeld((before) => before ?? orders);
      },
      onPointerLeave: release,
    },
    release,
    settle: (orderId) => settled.current.add(orderId),
  };
}
