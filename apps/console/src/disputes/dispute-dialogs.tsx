import { Checkbox, NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dispute } from '#money/dispute.contract';
import { acceptDispute, closeDispute, sendEvidence } from '../api/disputes.js';
import { isKeyOf, keysOf } from '../api/keys-of.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { DialogForm } from '../frame/dialog-form.js';
import { NoteField } from '../frame/note-field.js';
import { useNow } from '../frame/now.js';
import { useGone } from '../frame/use-gone.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { money } from '../words/formats.js';
import { canBeAnswered, canBeClosed } from './dispute-text.js';
import { disputeWords as words } from './dispute-words.js';

type Props = Readonly<{ dispute: Dispute; onClose: () => void; onDone: (news: string) => void }>;
type Answer = Readonly<{ isGone: boolean; news: string; onDone: (news: string) => void }>;

/**
 * Changes the dispute, shows it as it is then, and reads its list and its order again. Ends if the dispute cannot be answered in this way any
 * more.
 */
function useAnswer(dispute: Dispute, answer: () => Promise<Dispute>, { isGone, news, onDone }: Answer) {
  const client = useQueryClient();
  const sending = useMutationOnce({
    mutationFn: answer,
    onSuccess: (changed) => {
      client.setQueryData(['dispute', dispute.id], changed);
      onDone(news);
    },
    // A refusal means that the dispute is not as it was shown.
    onSettled: () =>
      Promise.all(
        [['dispute', dispute.id], ['list'], ['order', dispute.order_id]].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
  useGone(isGone, sending, () => onDone(words.gone));
  return sending;
}

const noted = (note: string) => (note.trim() === '' ? {} : { note: note.trim() });

export function EvidenceDialog({ dispute, onClose, onDone }: Props) {
  const [isDraft, setDraft] = useState(false);
  const [note, setNote] = useState('');
  const { send: text } = words;
  const send = useAnswer(dispute, () => sendEvidence(dispute.id, { submit: !isDraft, ...noted(note) }), {
    isGone: !canBeAnswered(dispute, useNow()),
    news: isDraft ? text.doneDraft : text.done,
    onDone,
  });
  return (
    <DialogForm
      title={text.title}
      submit={isDraft ? text.submitDraft : text.submit}
      cancel={words.cancel}
      typed={note}
      error={send.error}
      isPending={send.isPending}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <ul className="consequences">
        {(isDraft ? [text.draftFollows] : [text.follows, text.final]).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Checkbox
        size="xs"
        label={text.draft}
        description={text.draftHint}
        checked={isDraft}
        onChange={({ currentTarget }) => setDraft(currentTarget.checked)}
      />
      <NoteField label={words.note} hint={words.noteHint} note={note} onChange={setNote} hasFocus />
    </DialogForm>
  );
}

export function AcceptDialog({ dispute, onClose, onDone }: Props) {
  const { accept: text } = words;
  const accept = useAnswer(dispute, () => acceptDispute(dispute.id), {
    isGone: !canBeAnswered(dispute, useNow()),
    news: text.done,
    onDone,
  });
  return (
    <ConfirmDialog
      title={text.title}
      apply={text.submit}
      cancel={words.cancel}
      error={accept.error}
      busy={accept.isPending}
      isFinal
      onApply={() => accept.mutate()}
      onClose={onClose}
    >
      {dispute.inquiry ? text.followsInquiry : text.follows(money(dispute.amount, dispute.currency))}
    </ConfirmDialog>
  );
}

export function CloseDialog({ dispute, onClose, onDone }: Props) {
  const [end, setEnd] = useState<keyof typeof words.close.ends>('won');
  const [note, setNote] = useState('');
  const { close: text } = words;
  const close = useAnswer(dispute, () => closeDispute(dispute.id, { state: end, ...noted(note) }), {
    isGone: !canBeClosed(dispute),
    news: text.done,
    onDone,
  });
  return (
    <DialogForm
      title={text.title}
      submit={text.submit}
      cancel={words.cancel}
      typed={{ end, note }}
      error={close.error}
      isPending={close.isPending}
      onSubmit={() => close.mutate()}
      onClose={onClose}
    >
      <NativeSelect
        label={text.end}
        value={end}
        data={keysOf(text.ends).map((value) => ({ value, label: text.ends[value] }))}
        onChange={({ currentTarget: { value } }) => isKeyOf(text.ends, value) && setEnd(value)}
        data-autofocus
      />
      <NoteField label={words.note} hint={words.noteHint} note={note} onChange={setNote} />
      <p>{text.follows}</p>
    </DialogForm>
  );
}
