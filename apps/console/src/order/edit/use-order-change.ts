import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OrderDetail } from '#contracts/backoffice/order';
import { orderQuery } from '../../api/desk.js';
import { isStale } from '../../api/order-changes.js';

/** A change of one order that answers with the order. If it is refused because a colleague was faster, the page shows that change. */
export function useOrderChange<Input>(
  orderId: string,
  change: (input: Input) => Promise<OrderDetail>,
  onDone: () => void = () => undefined,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) => {
      client.setQueryData(orderQuery(orderId).queryKey, changed);
      void client.invalidateQueries({ queryKey: ['order', orderId] });
      onDone();
    },
    onError: (error) => {
      if (isStale(error)) void client.invalidateQueries({ queryKey: ['order', orderId] });
    },
  });
}
