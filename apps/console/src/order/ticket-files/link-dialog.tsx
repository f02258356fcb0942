import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OrderTicket } from '#fulfilment/ticket.contract';
import { linkTicket } from '../../api/tickets.js';
import { CopyButton } from '../../frame/copy-button.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { Time } from '../../frame/time.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { ticketFileWords as words } from './ticket-file-words.js';

type Props = Readonly<{ orderId: string; ticket: OrderTicket; onClose: () => void }>;

/** Makes an address that opens the file, and shows it once. */
export function LinkDialog({ orderId, ticket, onClose }: Props) {
  const [minutes, setMinutes] = useState('1440');
  const make = useMutationOnce({ mutationFn: () => linkTicket(orderId, ticket.id, Number(minutes)) });
  const made = make.data;
  return (
    <DialogForm
      title={words.linkTitle(ticket.name ?? words.erased)}
      submit={words.makeLink}
      cancel={words.close}
      error={make.error}
      typed={null}
      isPending={make.isPending}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <p className="soft">{words.linkHint}</p>
      <NativeSelect
        label={words.linkFor}
        value={minutes}
        onChange={({ currentTarget }) => setMinutes(currentTarget.value)}
        data={Object.entries(words.minutes).map(([value, label]) => ({ value, label }))}
      />
      {made && (
        <>
          <div className="row ticket-link">
            <TextInput
              label={words.linkAddress}
              value={made.url}
              readOnly
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <CopyButton text={made.url} what={words.linkAddress} />
          </div>
          <p role="status" className="small">
            {words.expires} <Time at={made.expires_at} />
          </p>
        </>
      )}
    </DialogForm>
  );
}
