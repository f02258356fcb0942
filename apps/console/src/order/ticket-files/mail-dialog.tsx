import { NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderMail } from '#fulfilment/mail.contract';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderTicket } from '#fulfilment/ticket.contract';
import { mailPreviewQuery, sendMail } from '../../api/mails.js';
import { ticketsQuery } from '../../api/tickets.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { mailWords as words } from './mail-words.js';
import { keysOf } from '../../api/keys-of.js';

type Props = Readonly<{ order: OrderDetail; onClose: () => void; onDone: () => void }>;
type Kind = OrderMail['kind'];

/** Which tickets have no file. One file may hold several tickets, so fewer files than tickets are only a warning. */
function missingText(files: readonly OrderTicket[], tickets: number): string {
  if (files.length === 0) return words.noFiles(tickets);
  const seats = files.flatMap(({ seat }) => seat ?? []);
  return files.length < tickets ? words.fewFiles(files.length, tickets, seats) : '';
}

/** Shows what the buyer would read, and sends it. Tickets without a file cannot be sent, and the dialog says so before anybody tries. */
export function MailDialog({ order, onClose, onDone }: Props) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Kind>();
  const tickets = useQuery(ticketsQuery(order.id, order.version));
  const files = tickets.data?.filter(({ withdrawn_at: withdrawn }) => withdrawn === null);
  const hasNoFiles = files?.length === 0;
  // What a caller misses.
  const kind = chosen ?? (files?.length ? 'tickets' : 'confirmation');
  const isRefused = kind === 'tickets' && hasNoFiles;
  // If the files could not be read, the server still refuses in words.
  const preview = useQuery({
    ...mailPreviewQuery(order.id, kind),
    enabled: !tickets.isPending && !isRefused,
  });
  const send = useMutationOnce({
    mutationFn: () => sendMail(order.id, kind),
    onSuccess: () => {
      onDone();
      return client.invalidateQueries({ queryKey: ['order', order.id] });
    },
  });
  const warning = kind === 'tickets' && files ? missingText(files, order.product.quantity) : '';
  const labelOf = (one: Kind) => (one === 'tickets' && hasNoFiles ? words.kindWithoutFiles : words.kind[one]);
  return (
    <DialogForm
      title={words.send}
      submit={words.apply}
      cancel={words.cancel}
      error={send.error ?? preview.error}
      typed={null}
      isPending={send.isPending}
      disabled={!preview.data || preview.error !== null}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <NativeSelect
        label={words.what}
        value={kind}
        data={keysOf(words.kind).map((value) => ({ value, label: labelOf(value) }))}
        onChange={({ currentTarget }) => {
          setChosen(keysOf(words.kind).find((one) => one === currentTarget.value));
          send.reset();
        }}
        data-autofocus
      />
      <p role="status" className={warning === '' ? 'visually-hidden' : 'news warning'}>
        {warning}
      </p>
      {preview.data && !preview.error && (
        <section aria-label={words.preview} className="stack">
          <p className="small">
            <span className="soft">{words.to}</span> {preview.data.to}
            <br />
            <span className="soft">{words.subject}</span> {preview.data.subject}
          </p>
          <pre className="mail-text" role="group" aria-label={words.text} tabIndex={0}>
            {preview.data.text}
          </pre>
          <p className="soft small">{words.previewHint}</p>
        </section>
      )}
    </DialogForm>
  );
}
