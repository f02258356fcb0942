import { useQueryClient } from '@tanstack/react-query';
import type { OrderTicket } from '#fulfilment/ticket.contract';
import { ticketFileAddress } from '../../api/tickets.js';
import { Time } from '../../frame/time.js';
import { byteText } from '../../words/formats.js';
import { ticketFileWords as words } from './ticket-file-words.js';

type Props = Readonly<{
  orderId: string;
  ticket: OrderTicket;
  mayAct: boolean;
  onShow: (dialog: 'link' | 'remove' | 'view') => void;
}>;

export function TicketFileRow({ orderId, ticket, mayAct, onShow }: Props) {
  const client = useQueryClient();
  const { name, type, size, barcode, seat, withdrawn_at: withdrawn } = ticket;
  const title = name ?? words.erased;
  const facts = [
    words.types[type] ?? type,
    byteText(size),
    ...(seat === null ? [] : [`${words.seat} ${seat}`]),
    ...(barcode === null ? [] : [`${words.barcode} ${barcode}`]),
  ];
  // The download is in the timeline.
  const refresh = () =>
    setTimeout(() => void client.invalidateQueries({ queryKey: ['order', orderId, 'timeline'] }), 500);
  return (
    <li className={withdrawn === null ? 'ticket-file' : 'ticket-file withdrawn'}>
      <div>
        <span className="ticket-file-name">{title}</span>
        <span className="second soft">{facts.join(' · ')}</span>
        <span className="second soft">
          {withdrawn === null ? (
            <>
              <Time at={ticket.attached_at} /> {words.addedBy(ticket.attached_by_name ?? ticket.attached_by)}
            </>
          ) : (
            <>
              {words.withdrawn} <Time at={withdrawn} />
            </>
          )}
        </span>
      </div>
      {mayAct && name !== null && withdrawn === null && (
        <div className="row ticket-file-acts">
          {type.startsWith('image/') ? (
            <button
              type="button"
              className="link-button"
              aria-label={`${words.open} ${title}`}
              onClick={() => onShow('view')}
            >
              {words.open}
            </button>
          ) : (
            <a
              href={ticketFileAddress(orderId, ticket)}
              download={title}
              aria-label={`${words.download} ${title}`}
              onClick={refresh}
            >
              {words.download}
            </a>
          )}
          <button
            type="button"
            className="link-button"
            aria-label={`${words.link}: ${title}`}
            onClick={() => onShow('link')}
          >
            {words.link}
          </button>
          <button
            type="button"
            className="link-button"
            aria-label={`${words.remove} ${title}`}
            onClick={() => onShow('remove')}
          >
            {words.remove}
          </button>
        </div>
      )}
    </li>
  );
}
