import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Refund } from '#money/refund.contract';
import type { OrderDetail } from '#orders/order.contract';
import { answerRefund, type RefundAnswer } from '../api/refunds.js';
import { DialogForm } from '../frame/dialog-form.js';
import { NoteField } from '../frame/note-field.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { money } from '../words/formats.js';
import { cardText } from './payment-source.js';
import { refundWords } from './refund-words.js';

const words = refundWords.dialog;

type Props = Readonly<{
  order: OrderDetail;
  refund: Refund;
  answer: RefundAnswer;
  onClose: () => void;
  onDone: () => void;
}>;

/** Lets a refund go ahead that waits, or ends it. */
export function RefundAnswerDialog({ order, refund, answer, onClose, onDone }: Props) {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const send = useMutationOnce({
    mutationFn: () => answerRefund(order.id, refund.id, answer, note.trim()),
    onSuccess: onDone,
    // A refusal means that the order is not as it was shown.
    onSettled: () => client.invalidateQueries({ queryKey: ['order', order.id] }),
  });
  const { title, name, keep, follows } = refundWords.answer[answer];
  return (
    <DialogForm
      title={title}
      submit={name(money(refund.amount, refund.currency))}
      cancel={keep}
      isFinal={answer === 'approve'}
      typed={note}
      error={send.error}
      isPending={send.isPending}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <p>{follows(money(refund.amount, refund.currency), cardText(order.payment))}</p>
      <NoteField label={words.note} hint={words.noteHint} note={note} onChange={setNote} hasFocus />
    </DialogForm>
  );
}
