import { useQueryClient } from '@tanstack/react-query';
import { useMutationOnce } from '../../frame/use-mutation-once.js';

/** A change of some seats of an order. The page reads the order again, also after a failure: a part of the change may be recorded. */
export function useSeatChange<Input>(
  orderId: string,
  change: (input: Input) => Promise<unknown>,
  onDone: (input: Input) => void = () => undefined,
) {
  const client = useQueryClient();
  return useMutationOnce({
    mutationFn: change,
    onSuccess: (_, input) => onDone(input),
    onSettled: () => void client.invalidateQueries({ queryKey: ['order', orderId] }),
  });
}
