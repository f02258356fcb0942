import { Button, Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { addNote } from '../api/desk.js';
import { Failure } from '../frame/failure.js';
import { useUnsaved } from '../frame/unsaved.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { LONGEST_NOTE } from '#orders/order.limits';
import { orderWords as words } from './order-words.js';
import { MentionBox } from './people/mention-box.js';
import { useMentions } from './people/use-mentions.js';

type Props = Readonly<{
  orderId: string;
  /** Whether the person chooses who sees the note. Brokers do not. */
  hasChoice: boolean;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** The page shows the past. What was written stays for the way back. */
  isPast: boolean;
}>;

/** Opens in place. A note that could not be saved stays in its field. */
export function NoteForm({ orderId, hasChoice, open, onOpen, isPast }: Props) {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [partner, setPartner] = useState(false);
  const [missing, setMissing] = useState('');
  const isForBrokers = partner || !hasChoice;
  const mentions = useMentions({ orderId, text, onText: setText, isForBrokers });
  const save = useMutationOnce({
    mutationFn: () => {
      const visibility = partner ? 'partner' : 'internal';
      return addNote(orderId, { text: text.trim(), visibility, mentions: mentions.mentioned });
    },
    onSuccess: () => {
      setText('');
      setPartner(false);
      onOpen(false);
      // Not awaited: the next note may be sent at once.
      void client.invalidateQueries({ queryKey: ['order', orderId] });
    },
  });
  useUnsaved(save.isPending ? 'sending' : text.trim() === '' ? undefined : 'written');
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return setMissing(words.noteEmpty);
    setMissing('');
    save.mutate();
  };
  if (isPast) return null;
  const readers = words.noteReaders[isForBrokers ? 'partner' : 'internal'];
  return (
    <>
      <p role="status" className={save.isSuccess && !open ? 'small' : 'visually-hidden'}>
        {save.isSuccess && !open ? words.noteSaved : ''}
      </p>
      {open ? (
        <form className="stack note-form" onSubmit={submit} noValidate>
          <MentionBox
            mentions={mentions}
            label={words.note}
            description={`${readers} ${words.noteMention} ${words.noteKeys}`}
            value={text}
            error={missing}
            rows={3}
            autoFocus
            maxLength={LONGEST_NOTE}
            onText={setText}
            onKey={({ key, ctrlKey, metaKey }) => {
              if (key === 'Enter' && (ctrlKey || metaKey)) submit();
              if (key === 'Escape') onOpen(false);
            }}
          />
          {hasChoice && (
            <Checkbox
              size="xs"
              label={words.notePartner}
              checked={partner}
              onChange={({ currentTarget }) => setPartner(currentTarget.checked)}
            />
          )}
          {save.error && <Failure error={save.error} />}
          <div className="row">
            <Button type="submit" loading={save.isPending}>
              {words.saveNote}
            </Button>
            <Button variant="default" onClick={() => onOpen(false)}>
              {words.dialog.cancel}
            </Button>
          </div>
        </form>
      ) : (
        <Button variant="default" size="compact-sm" className="note-button" onClick={() => onOpen(true)}>
          {words.addNote}
        </Button>
      )}
    </>
  );
}
