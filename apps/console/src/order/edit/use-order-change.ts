import { useQueryClient } from '@tanstack/react-query';
import type { OrderDetail } from '#orders/order.contract';
import { orderQuery } from '../../api/desk.js';
import { isStale } from '../../api/order-changes.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';

/** A change of one order, whose answer is the order. If a colleague was faster, it shows what the colleague changed, or calls `onStale`. */
export function useOrderChange<Input>(
  orderId: string,
  change: (input: Input) => Promise<OrderDetail>,
  onDone: () => void = () => undefined,
  onStale?: () => Promise<void>,
) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['order', orderId] });
  return useMutationOnce({
    mutationFn: change,
    onSuccess: (changed) => {
      client.setQueryData(orderQuery(orderId).queryKey, changed);
      void refresh();
      onDone();
    },
    // Waited for: whoever is told to look again and apply again must not send the old version once more.
    onError: async (error) => {
      if (isStale(error)) await (onStale ?? refresh)();
    },
  });
}
