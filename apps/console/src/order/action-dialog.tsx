import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { type ActionInput, applyAction } from '../api/desk.js';
import { keysOf } from '../api/keys-of.js';
import { Dialog } from '../frame/dialog.js';
import { FormButtons } from '../frame/form-buttons.js';
import { useNow } from '../frame/now.js';
import { answerWords, denials } from '../words/answers.js';
import { minuteTime, money, timeLeft } from '../words/formats.js';
import { wordFor } from '../words/word-for.js';
import { orderWords } from './order-words.js';
import { corrects, sentBefore } from './corrections.js';
import type { ActionDialogProps } from './edit/action-dialog-props.js';
import { ChangeFailure } from './edit/change-failure.js';
import { useActionGone } from './use-action-gone.js';
import { useOrderChange } from './edit/use-order-change.js';
import { useSeenVersion } from './edit/use-seen-version.js';
import { LONGEST_CHANGE_NOTE } from '#orders/order.limits';
import { cardText } from './payment-source.js';

const words = orderWords.dialog;
const REASONS = keysOf(denials);

const nameOf = (need: string) => wordFor(words.need, need) ?? need;

/** Says what will follow, and does it only after `Apply`. If somebody else was faster, it keeps the texts. */
export function ActionDialog({ order, action, onClose, onDone, onGone }: ActionDialogProps) {
  const [texts, setTexts] = useState<ActionInput['texts']>(() => sentBefore(action, order));
  const [reason, setReason] = useState<ActionInput['reason']>('denied');
  const [missing, setMissing] = useState<string | null>(null);
  const needed = action.needs.filter((need) => need !== 'note' && need !== 'reason');
  const carriers = useId();
  const isDenial = action.action === 'deny';
  // A correction usually changes the last field: the link or the tracking number.
  const firstNeed = corrects(action, order) ? needed.at(-1) : needed[0];
  const { version, renew } = useSeenVersion(order);
  const apply = useOrderChange(
    order.id,
    () => applyAction({ ...order, version }, action, { texts, reason }),
    () => onDone(action),
    renew,
  );
  useActionGone({ order, action, onGone }, apply);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const gap = needed.find((need) => !texts[need]?.trim());
    setMissing(gap ?? null);
    if (gap === undefined) apply.mutate(undefined);
  };
  const field = (need: string) => ({
    label: nameOf(need),
    description: wordFor(words.needHint, need),
    value: texts[need] ?? '',
    error: missing === need ? words.missing(nameOf(need)) : undefined,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      setTexts((before) => ({ ...before, [need]: value }));
    },
  });
  const becomes = isDenial ? denials[reason].status : action.status_message;
  return (
    <Dialog title={action.label} size="md" typed={{ texts, reason }} isPending={apply.isPending} onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        <Consequences order={order} action={action} becomes={becomes} />
        {isDenial && <ReasonField reason={reason} onChange={setReason} />}
        {!isDenial &&
          needed.map((need) => (
            <TextInput
              key={need}
              {...field(need)}
              {...(need === 'carrier' && { list: carriers })}
              {...(need === firstNeed && { 'data-autofocus': true })}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
          ))}
        <datalist id={carriers}>
          {action.carriers?.map((carrier) => (
            <option key={carrier}>{carrier}</option>
          ))}
        </datalist>
        {!isParcelPickup(action, order) && (
          <Textarea
            {...field('note')}
            {...(!isDenial && needed.length === 0 && { 'data-autofocus': true })}
            description={words.noteHint}
            minRows={2}
            rows={2}
            maxLength={LONGEST_CHANGE_NOTE}
          />
        )}
        <ChangeFailure error={apply.error} stale={words.changed(order.status?.status_message ?? '–')} />
        <FormButtons {...buttonsOf(order, action)} isPending={apply.isPending} />
      </form>
    </Dialog>
  );
}

/** That the carrier has a parcel is a time and no more. */
const isParcelPickup = ({ action }: OrderAction, { delivery }: OrderDetail): boolean =>
  action === 'record_pickup' && delivery.type === 'ship';

type Reason = ActionInput['reason'];

function ReasonField({ reason, onChange }: Readonly<{ reason: Reason; onChange: (reason: Reason) => void }>) {
  return (
    <NativeSelect
      label={words.need.reason}
      value={reason}
      onChange={({ currentTarget }) => onChange(REASONS.find((one) => one === currentTarget.value) ?? reason)}
      data-autofocus
    >
      {REASONS.map((one) => (
        <option key={one} value={one}>
          {denials[one].name}
        </option>
      ))}
    </NativeSelect>
  );
}

/** What ends an order says so on its button, and is red. */
function buttonsOf(order: OrderDetail, action: OrderAction) {
  if (!isFinal(action)) return { cancel: words.cancel, submit: words.apply };
  const amount = amountOf(order, action);
  const how = (['refund', 'void'] as const).find((effect) => action.effects.includes(effect));
  return { cancel: words.keep, submit: how ? words.final[how](amount) : action.label, isFinal: true };
}

/** Nothing leads back from a rejected order. */
const isFinal = ({ status_code: code = 0 }: OrderAction): boolean => code >= 3000 && code < 4000;

/** What goes back to the buyer. */
function amountOf({ total, payment }: OrderDetail, { returned }: OrderAction): string {
  return money(returned ?? total, payment?.currency);
}

type ConsequencesProps = Readonly<{ order: OrderDetail; action: OrderAction; becomes: string | undefined }>;

function Consequences({ order, action, becomes }: ConsequencesProps) {
  const now = useNow(1_000);
  const text = {
    amount: amountOf(order, action),
    card: cardText(order.payment),
    tickets: orderWords.count(order.product.quantity),
  };
  const isCorrection = corrects(action, order);
  const sentences = action.effects.flatMap((effect) => words.effect[effect]?.(text) ?? []);
  return (
    <ul className="consequences">
      {order.status?.status_code !== action.status_code && <li>{words.becomes(becomes ?? action.label)}</li>}
      {isCorrection && <li>{words.corrected}</li>}
      {isParcelPickup(action, order) && <li>{words.parcelGone}</li>}
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {sentences.length === 0 && !isCorrection && <li>{words.nothing}</li>}
      {action.until !== undefined && (
        <li>{answerWords.until(minuteTime(action.until, now), timeLeft(action.until, now).text)}</li>
      )}
    </ul>
  );
}
