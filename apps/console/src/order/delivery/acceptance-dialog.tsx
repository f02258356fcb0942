import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { isKeyOf, keysOf } from '../../api/keys-of.js';
import { answerTransfers } from '../../api/seat-delivery.js';
import { DialogForm } from '../../frame/dialog-form.js';
import type { ActionDialogProps } from '../edit/action-dialog-props.js';
import { useGone } from '../../frame/use-gone.js';
import { deliveryWords } from './delivery-words.js';
import { useSeatChange } from './use-seat-change.js';
import { useSourceName } from './use-source-name.js';

const words = deliveryWords.acceptance;

type Answer = keyof typeof words.answers;

/** Records what became of the transfers that wait for the buyer. Most buyers accept all of them. */
export function AcceptanceDialog({ order, action, onClose, onDone, onGone }: ActionDialogProps) {
  const sourceName = useSourceName();
  const waiting = (order.delivery.seats ?? []).flatMap(({ transfer }) =>
    transfer?.state === 'sent' ? [transfer] : [],
  );
  const [picked, setPicked] = useState<Readonly<Record<string, Answer>>>({});
  const [wasSent, setSent] = useState(false);
  const record = useSeatChange(order.id, answerTransfers.bind(null, order.id), () => onDone(action));
  useGone(waiting.length === 0, record, () => onGone(deliveryWords.gone(action.label)));
  const answerOf = (id: string): Answer => picked[id] ?? 'accepted';
  const answers = waiting.flatMap(({ id }) => {
    const answer = answerOf(id);
    return answer === 'none' ? [] : [[id, answer] as const];
  });
  const submit = () => {
    setSent(true);
    if (answers.length > 0) record.mutate(answers);
  };
  return (
    <DialogForm
      title={action.label}
      submit={deliveryWords.apply}
      cancel={deliveryWords.cancel}
      typed={picked}
      error={record.error}
      isPending={record.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className="consequences">
        {words.follows.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {waiting.map(({ id, seat, source, confirmation_number: number }, index) => (
        <NativeSelect
          key={id}
          label={words.seat(seat)}
          description={[sourceName(source), ...(number === null ? [] : [number])].join(' · ')}
          value={answerOf(id)}
          data={keysOf(words.answers).map((value) => ({ value, label: words.answers[value] }))}
          error={index === 0 && wasSent && answers.length === 0 && words.nothing}
          onChange={({ currentTarget: { value } }) => {
            if (isKeyOf(words.answers, value)) setPicked({ ...picked, [id]: value });
          }}
          {...(index === 0 && { 'data-autofocus': true })}
        />
      ))}
    </DialogForm>
  );
}
