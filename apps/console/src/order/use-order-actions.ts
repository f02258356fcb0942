import { useQuery } from '@tanstack/react-query';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { actionsQuery } from '../api/desk.js';

/**
 * What can be done with the order; undefined until it is known. While the actions of a new version are read, those of the version before stay:
 * a click or a key in that moment must not be lost. Its dialog takes the new ones over, or says that the action is gone.
 */
export function useOrderActions({ id, version }: OrderDetail): readonly OrderAction[] | undefined {
  const { data } = useQuery({
    ...actionsQuery(id, version),
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
  });
  return data;
}

export const isSameAction = (one: OrderAction, other: OrderAction): boolean =>
  one.action === other.action && one.status_code === other.status_code;
