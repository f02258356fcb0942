import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderTicket } from '#fulfilment/ticket.contract';
import { makeWalletPasses, ticketsQuery } from '../api/tickets.js';
import { Failure } from '../frame/failure.js';
import { lazyPart } from '../frame/lazy-part.js';
import { ticketFileWords as words } from './ticket-files/ticket-file-words.js';
import { Card, FilesSkeleton } from './card.js';
import { useSeatChange } from './delivery/use-seat-change.js';
import { TicketFileRow } from './ticket-files/ticket-file-row.js';

const AddDialog = lazyPart(async () => (await import('./ticket-files/add-dialog.js')).AddDialog);
const LinkDialog = lazyPart(async () => (await import('./ticket-files/link-dialog.js')).LinkDialog);
const RemoveDialog = lazyPart(async () => (await import('./ticket-files/remove-dialog.js')).RemoveDialog);
const TicketViewer = lazyPart(async () => (await import('./ticket-files/ticket-viewer.js')).TicketViewer);

type Shown = Readonly<{ dialog: 'add' } | { dialog: 'link' | 'remove' | 'view'; ticket: OrderTicket }>;

/** The files of the order's tickets, as they are now. `mayAct` is false without the permission, and in the past. */
export function TicketFilesCard({ order, mayAct }: Readonly<{ order: OrderDetail; mayAct: boolean }>) {
  const { data: tickets, error } = useQuery({
    ...ticketsQuery(order.id, order.version),
    placeholderData: keepPreviousData,
  });
  const [shown, setShown] = useState<Shown | null>(null);
  const [done, setDone] = useState('');
  const close = () => setShown(null);
  const makePasses = useSeatChange(
    order.id,
    (seats: readonly string[]) => makeWalletPasses(order.id, seats),
    (seats) => setDone(words.passesMade(seats.length)),
  );
  const withBarcode = (order.delivery.seats ?? []).flatMap(({ seat, barcode }) => (barcode === 'given' ? [seat] : []));
  const mayAdd = mayAct && order.status !== null && order.status.status !== 'rejected';
  return (
    <Card
      title={words.title}
      aside={
        mayAdd && (
          <div className="row">
            {withBarcode.length > 0 && (
              <Button
                variant="default"
                size="compact-sm"
                loading={makePasses.isPending}
                onClick={() => makePasses.mutate(withBarcode)}
              >
                {words.makePasses}
              </Button>
            )}
            <Button variant="default" size="compact-sm" onClick={() => setShown({ dialog: 'add' })}>
              {words.add}
            </Button>
          </div>
        )
      }
    >
      {error && <Failure error={error} />}
      {makePasses.error && <Failure error={makePasses.error} />}
      <p role="status" className={done === '' ? 'visually-hidden' : 'small'}>
        {done}
      </p>
      {tickets?.length === 0 && <p className="soft">{words.none}</p>}
      {!tickets && !error && <FilesSkeleton />}
      <ul className="ticket-files">
        {tickets?.map((ticket) => (
          <TicketFileRow
            key={ticket.id}
            orderId={order.id}
            ticket={ticket}
            mayAct={mayAct}
            onShow={(dialog) => setShown({ dialog, ticket })}
          />
        ))}
      </ul>
      {shown?.dialog === 'add' && (
        <AddDialog
          orderId={order.id}
          onClose={close}
          onDone={(count) => {
            close();
            setDone(words.added(count));
          }}
        />
      )}
      {shown?.dialog === 'link' && <LinkDialog orderId={order.id} ticket={shown.ticket} onClose={close} />}
      {shown?.dialog === 'remove' && <RemoveDialog orderId={order.id} ticket={shown.ticket} onClose={close} />}
      {shown?.dialog === 'view' && <TicketViewer orderId={order.id} ticket={shown.ticket} onClose={close} />}
    </Card>
  );
}
