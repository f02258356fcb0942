import { useQuery } from '@tanstack/react-query';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { actionsQuery } from '../api/desk.js';
import { type Sending, useGone } from '../frame/use-gone.js';
import { orderWords } from './order-words.js';
import { isSameAction } from './use-order-actions.js';

type Asked = Readonly<{ order: OrderDetail; action: OrderAction; onGone: (why: string) => void }>;

/** Ends the dialog of an action that the order does not allow any more. */
export function useActionGone({ order, action, onGone }: Asked, sending: Sending): void {
  const { data: actions } = useQuery(actionsQuery(order.id, order.version));
  const isGone = actions !== undefined && !actions.some((one) => one.allowed && isSameAction(one, action));
  const { gone } = orderWords.dialog;
  useGone(isGone, sending, () => onGone(gone(action.label, order.status?.status_message ?? '–')));
}
