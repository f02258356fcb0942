import { Modal, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OrderDetail } from '#contracts/backoffice/order';
import type { OrderAction } from '#contracts/backoffice/order-action';
import { ApiError } from '../api/api-error.js';
import { type ActionInput, applyAction, orderQuery } from '../api/desk.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { useHiddenBackground } from '../frame/use-hidden-background.js';
import { money } from '../words/formats.js';
import { orderWords } from '../words/order.js';
import { sentBefore } from './corrections.js';
import { cardText } from './money-card.js';

const words = orderWords.dialog;

type Props = Readonly<{
  order: OrderDetail;
  action: OrderAction;
  onClose: () => void;
  onDone: (action: OrderAction) => void;
}>;

/** Says what will follow, and does it only after `Apply`. If somebody else was faster, nothing that was typed is lost. */
export function ActionDialog({ order, action, onClose, onDone }: Props) {
  useHiddenBackground();
  const client = useQueryClient();
  const [input, setInput] = useState<ActionInput>(() => sentBefore(action, order));
  const [missing, setMissing] = useState<string | null>(null);
  const needed = action.needs.filter((need) => need !== 'note');
  const apply = useMutation({
    mutationFn: () => applyAction(order, action, input),
    onSuccess: (changed) => {
      client.setQueryData(orderQuery(order.id).queryKey, changed);
      void client.invalidateQueries({ queryKey: ['order', order.id] });
      onDone(action);
    },
    onError: (error) => {
      if (isStale(error)) void client.invalidateQueries({ queryKey: ['order', order.id] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const gap = needed.find((need) => !input[need]?.trim());
    setMissing(gap ?? null);
    if (gap === undefined) apply.mutate();
  };
  const field = (need: string) => ({
    label: orderWords.dialog.need[need] ?? need,
    value: input[need] ?? '',
    error: missing === need ? words.missing(orderWords.dialog.need[need] ?? need) : undefined,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      setInput((before) => ({ ...before, [need]: value }));
    },
  });
  return (
    <Modal opened onClose={onClose} title={action.label} size="md">
      <form className="stack" onSubmit={submit} noValidate>
        <Consequences order={order} action={action} />
        {needed.map((need, index) => (
          <TextInput key={need} {...field(need)} {...(index === 0 && { 'data-autofocus': true })} />
        ))}
        <Textarea {...field('note')} description={words.noteHint} minRows={2} rows={2} maxLength={2000} />
        {apply.error &&
          (isStale(apply.error) ? (
            <div className="alert" role="alert">
              {words.changed(order.status?.status_message ?? '–')}
            </div>
          ) : (
            <Failure error={apply.error} />
          ))}
        <FormButtons cancel={words.cancel} submit={words.apply} isPending={apply.isPending} onCancel={onClose} />
      </form>
    </Modal>
  );
}

const isStale = (error: unknown) => error instanceof ApiError && error.status === 412;

function Consequences({ order, action }: Readonly<{ order: OrderDetail; action: OrderAction }>) {
  const text = {
    amount: money(order.total),
    card: cardText(order.payment),
    tickets: orderWords.count(order.product.quantity),
  };
  const corrects = order.fulfillment !== null && action.action !== 'change_status';
  const sentences = action.effects.flatMap((effect) => words.effect[effect]?.(text) ?? []);
  return (
    <ul className="consequences">
      {order.status?.status_code !== action.status_code && (
        <li>{words.becomes(action.status_message ?? action.label)}</li>
      )}
      {corrects && <li>{words.corrected}</li>}
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {sentences.length === 0 && !corrects && <li>{words.nothing}</li>}
    </ul>
  );
}
