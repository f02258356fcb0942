import { useQueryClient } from '@tanstack/react-query';
import type { OrderTicket } from '#fulfilment/ticket.contract';
import { ticketFileAddress } from '../../api/tickets.js';
import { Dialog } from '../../frame/dialog.js';
import { ticketFileWords as words } from './ticket-file-words.js';

type Props = Readonly<{ orderId: string; ticket: OrderTicket; onClose: () => void }>;

/** Shows a picture. Browsers show other files themselves, after a download. */
export function TicketViewer({ orderId, ticket, onClose }: Props) {
  const client = useQueryClient();
  const name = ticket.name ?? words.erased;
  return (
    <Dialog title={name} size="xl" typed={null} onClose={onClose}>
      <div className="stack">
        <img
          className="ticket-picture"
          src={ticketFileAddress(orderId, ticket)}
          alt={name}
          onLoad={() => void client.invalidateQueries({ queryKey: ['order', orderId, 'timeline'] })}
        />
        <p className="soft small">
          SHA-256 <span className="mono">{ticket.sha256}</span>
        </p>
        <p className="soft small">{words.opened}</p>
      </div>
    </Dialog>
  );
}
