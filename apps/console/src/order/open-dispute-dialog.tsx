import { NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { openDispute } from '../api/disputes.js';
import { isKeyOf, keysOf } from '../api/keys-of.js';
import { DialogForm } from '../frame/dialog-form.js';
import { NoteField } from '../frame/note-field.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { openDisputeWords as words } from './open-dispute-words.js';

type Props = Readonly<{ orderId: string; onClose: () => void; onDone: (news: ReactNode) => void }>;

/** Opens a dispute that no bank decides. */
export function OpenDisputeDialog({ orderId, onClose, onDone }: Props) {
  const client = useQueryClient();
  const [kind, setKind] = useState<keyof typeof words.kinds>('denied_entry');
  const [note, setNote] = useState('');
  const open = useMutationOnce({
    mutationFn: () => openDispute(orderId, { kind, ...(note.trim() !== '' && { note: note.trim() }) }),
    onSuccess: ({ id }) =>
      onDone(
        <>
          {words.done}{' '}
          <Link to="/disputes/$id" params={{ id }}>
            {words.link}
          </Link>
        </>,
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ['order', orderId] }),
  });
  return (
    <DialogForm
      title={words.title}
      submit={words.submit}
      cancel={words.cancel}
      typed={{ kind, note }}
      error={open.error}
      isPending={open.isPending}
      onSubmit={() => open.mutate()}
      onClose={onClose}
    >
      <NativeSelect
        label={words.kind}
        value={kind}
        data={keysOf(words.kinds).map((value) => ({ value, label: words.kinds[value] }))}
        onChange={({ currentTarget: { value } }) => isKeyOf(words.kinds, value) && setKind(value)}
        data-autofocus
      />
      <NoteField label={words.note} hint={words.noteHint} note={note} onChange={setNote} />
      <ul className="consequences">
        <li>{words.follows[kind]}</li>
        <li>{words.nothingElse}</li>
      </ul>
    </DialogForm>
  );
}
