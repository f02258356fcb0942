import { Button, FileButton, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addTickets, type ChosenTicket } from '../../api/tickets.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { byteText } from '../../words/formats.js';
import { LONGEST_BARCODE, LONGEST_SEAT } from '#fulfilment/ticket.limits';
import { ticketFileWords as words } from './ticket-file-words.js';

const FIELDS = [
  { name: 'seat', labelOf: words.seatOf, most: LONGEST_SEAT },
  { name: 'barcode', labelOf: words.barcodeOf, most: LONGEST_BARCODE },
] as const;

type Props = Readonly<{ orderId: string; onClose: () => void; onDone: (count: number) => void }>;

/** Several files at once, each with its seat and barcode. */
export function AddDialog({ orderId, onClose, onDone }: Props) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<readonly ChosenTicket[]>([]);
  const [missing, setMissing] = useState('');
  const add = useMutationOnce({
    mutationFn: () => addTickets(orderId, chosen),
    onSuccess: () => {
      onDone(chosen.length);
      return client.invalidateQueries({ queryKey: ['order', orderId] });
    },
  });
  const choose = (files: readonly File[]) => {
    setMissing('');
    setChosen([...chosen, ...files.map((file) => ({ file, barcode: '', seat: '' }))]);
  };
  const change = (at: number, change: Partial<ChosenTicket>) =>
    setChosen(chosen.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <DialogForm
      title={words.add}
      submit={words.upload}
      cancel={words.cancel}
      error={add.error}
      typed={chosen.map(({ file, ...typed }) => ({ ...typed, name: file.name }))}
      isPending={add.isPending}
      onSubmit={() => (chosen.length === 0 ? setMissing(words.nothing) : add.mutate())}
      onClose={onClose}
    >
      <p className="soft">{words.hint}</p>
      <div className="row">
        <FileButton multiple onChange={choose} accept=".pdf,.png,.jpg,.jpeg,.pkpass">
          {(props) => (
            <Button variant="default" {...props}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        {missing !== '' && (
          <span role="alert" className="alert">
            {missing}
          </span>
        )}
      </div>
      <ul className="ticket-files">
        {chosen.map(({ file, ...typed }, at) => (
          <li key={`${at} ${file.name}`} className="ticket-file chosen">
            <div className="row">
              <span className="ticket-file-name">{file.name}</span>
              <span className="soft small">{byteText(file.size)}</span>
              <button
                type="button"
                className="link-button"
                aria-label={`${words.leaveOut}: ${file.name}`}
                onClick={() => setChosen(chosen.filter((_, index) => index !== at))}
              >
                {words.leaveOut}
              </button>
            </div>
            <div className="row ticket-file-fields">
              {FIELDS.map(({ name, labelOf, most }) => (
                <TextInput
                  key={name}
                  size="xs"
                  label={words[name]}
                  aria-label={labelOf(file.name)}
                  value={typed[name]}
                  maxLength={most}
                  onChange={({ currentTarget }) => change(at, { [name]: currentTarget.value })}
                />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </DialogForm>
  );
}
