import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors.js';
import { keysOf, recordOf } from '../../api/keys-of.js';
import { sendTransfers, transferSourcesQuery } from '../../api/seat-delivery.js';
import { Choices } from '../../frame/choices.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { TextFields } from '../../frame/text-fields.js';
import type { ActionDialogProps } from '../edit/action-dialog-props.js';
import { useGone } from '../../frame/use-gone.js';
import { deliveryWords } from './delivery-words.js';
import { useSeatChange } from './use-seat-change.js';

const words = deliveryWords.transfer;
const TEXTS = keysOf(words.fields);
const HOLDER = keysOf(words.holderFields);
const FIELDS = ['seats', 'source', ...TEXTS, ...HOLDER] as const;

/** Records that tickets were sent to the buyer's account: all that are not sent yet, if nobody leaves some out. */
export function TransferDialog({ order, action, onClose, onDone, onGone }: ActionDialogProps) {
  const seats = order.delivery.seats ?? [];
  const unsent = seats.filter(({ transfer: last }) => last?.state !== 'sent' && last?.state !== 'accepted');
  const sources = useQuery(transferSourcesQuery);
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const [picked, setPicked] = useState<string>();
  const [texts, setTexts] = useState(() => recordOf(TEXTS, () => ''));
  const [holder, setHolder] = useState(() => recordOf(HOLDER, () => ''));
  const [wasSent, setSent] = useState(false);
  const names = unsent.map(({ seat }) => seat);
  const chosen = names.filter((seat) => !leftOut.includes(seat));
  const before = seats.find(({ transfer }) => transfer !== null)?.transfer?.source;
  const source = picked ?? before ?? sources.data?.[0]?.id;
  const send = useSeatChange(order.id, sendTransfers.bind(null, order.id), () => onDone(action));
  useGone(unsent.length === 0, send, () => onGone(deliveryWords.gone(action.label)));
  const hasHolder = HOLDER.some((field) => holder[field].trim() !== '');
  const missing = wasSent && hasHolder ? HOLDER.filter((field) => holder[field].trim() === '') : [];
  const refused = fieldErrors(send.error, FIELDS);
  const holderErrors = {
    ...refused,
    ...Object.fromEntries(missing.map((field) => [field, words.missing(words.holderFields[field].label)])),
  };
  const submit = () => {
    setSent(true);
    if (chosen.length === 0 || source === undefined) return;
    if (hasHolder && HOLDER.some((field) => holder[field].trim() === '')) return;
    send.mutate({
      seats: chosen,
      source,
      ...(texts.confirmation_number.trim() !== '' && { confirmation_number: texts.confirmation_number.trim() }),
      ...(texts.claim_url.trim() !== '' && { claim_url: texts.claim_url.trim() }),
      ...(hasHolder && {
        holder: {
          first_name: holder['holder.first_name'].trim(),
          last_name: holder['holder.last_name'].trim(),
          email: holder['holder.email'].trim(),
        },
      }),
    });
  };
  return (
    <DialogForm
      title={action.label}
      submit={deliveryWords.apply}
      cancel={deliveryWords.cancel}
      typed={{ leftOut, picked, texts, holder }}
      error={Object.keys(refused).length === 0 ? (send.error ?? sources.error) : null}
      isPending={send.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className="consequences">
        {words.follows(action.status_message ?? action.label).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Choices
        legend={words.seats}
        options={names}
        nameOf={words.seat}
        chosen={chosen}
        error={wasSent && chosen.length === 0 ? words.noSeat : refused.seats}
        onChange={(next) => setLeftOut(names.filter((seat) => !next.includes(seat)))}
      />
      <NativeSelect
        label={words.source}
        value={source ?? ''}
        data={(sources.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        error={refused.source}
        onChange={({ currentTarget }) => setPicked(currentTarget.value)}
        data-autofocus
      />
      <TextFields texts={words.fields} fields={TEXTS} typed={texts} errors={refused} onType={setTexts} />
      <Holder typed={holder} errors={holderErrors} onType={setHolder} />
    </DialogForm>
  );
}

type HolderField = (typeof HOLDER)[number];

type HolderProps = Readonly<{
  typed: Readonly<Record<HolderField, string>>;
  errors: Partial<Record<HolderField, string>>;
  onType: (typed: Record<HolderField, string>) => void;
}>;

/** Few transfers need it, so it is folded away until one of its fields is not right. */
function Holder({ typed, errors, onType }: HolderProps) {
  const [isOpen, setOpen] = useState(false);
  const hasFault = HOLDER.some((field) => errors[field] !== undefined);
  return (
    <details open={isOpen || hasFault} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.holder}</summary>
      <div className="stack">
        <p className="soft small">{words.holderHint}</p>
        <TextFields texts={words.holderFields} fields={HOLDER} typed={typed} errors={errors} onType={onType} />
      </div>
    </details>
  );
}
