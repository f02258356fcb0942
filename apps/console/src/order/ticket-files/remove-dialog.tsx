import { useQueryClient } from '@tanstack/react-query';
import type { OrderTicket } from '#fulfilment/ticket.contract';
import { removeTicket } from '../../api/tickets.js';
import { ConfirmDialog } from '../../frame/confirm-dialog.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { ticketFileWords as words } from './ticket-file-words.js';

type Props = Readonly<{ orderId: string; ticket: OrderTicket; onClose: () => void }>;

export function RemoveDialog({ orderId, ticket, onClose }: Props) {
  const client = useQueryClient();
  const remove = useMutationOnce({
    mutationFn: () => removeTicket(orderId, ticket.id),
    onSuccess: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['order', orderId] });
    },
  });
  return (
    <ConfirmDialog
      title={words.removeTitle(ticket.name ?? words.erased)}
      apply={words.remove}
      cancel={words.cancel}
      error={remove.error}
      busy={remove.isPending}
      isFinal
      onApply={() => remove.mutate()}
      onClose={onClose}
    >
      {words.removeFollows}
    </ConfirmDialog>
  );
}
