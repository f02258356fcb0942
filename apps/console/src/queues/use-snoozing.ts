import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { QueuedOrder } from '#desk/queue.contract';
import { queuesQuery, snoozeOrder } from '../api/queues.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';

/** Lets an order leave its queue for a time, after a question, or brings it back. @param settle told which order has gone by it */
export function useSnoozing(settle: (orderId: string) => void) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<string | null>(null);
  const bringBack = useMutationOnce({
    keyOf: (order) => order,
    mutationFn: (order: string) => snoozeOrder(order, null),
    onSuccess: (_, order) => {
      settle(order);
      return client.invalidateQueries({ queryKey: queuesQuery.queryKey });
    },
  });
  return {
    /** The order that the dialog is about. */
    asked,
    error: bringBack.error,
    snooze: ({ id, snoozed_until: until }: QueuedOrder) => (until === null ? setAsked(id) : bringBack.mutate(id)),
    close: () => setAsked(null),
  };
}
