import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent } from 'react';
import type { Refund } from '#money/refund.contract';
import type { OrderDetail } from '#orders/order.contract';
import { isKeyOf, keysOf } from '../api/keys-of.js';
import { refundPreviewQuery, requestRefund } from '../api/refunds.js';
import { DialogForm } from '../frame/dialog-form.js';
import { Failure } from '../frame/failure.js';
import { NoteField } from '../frame/note-field.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { money } from '../words/formats.js';
import { isRefundable } from './is-refundable.js';
import { RefundFollows } from './refund-follows.js';
import { RefundReasonField } from './refund-reason-field.js';
import { refundWords } from './refund-words.js';
import { useGone } from '../frame/use-gone.js';
import { useRefundChoice } from './use-refund-choice.js';

const words = refundWords.dialog;

type Props = Readonly<{
  order: OrderDetail;
  onClose: () => void;
  onDone: (refund: Refund) => void;
  /** Nothing can be refunded any more; says so. */
  onGone: (why: string) => void;
}>;

/** Says what goes back, to whom and who bears it, and asks for it only by the button that names the amount. */
export function RefundDialog({ order, onClose, onDone, onGone }: Props) {
  const client = useQueryClient();
  const typing = useRefundChoice(order);
  const { typed, choice } = typing;
  const preview = useQuery({
    ...refundPreviewQuery(order.id, order.version, choice),
    placeholderData: keepPreviousData,
  });
  const note = typed.note.trim();
  const send = useMutationOnce({
    mutationFn: (wanted: NonNullable<typeof choice>) =>
      requestRefund(order.id, { ...wanted, ...(note !== '' && { note }) }),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ['order', order.id] }),
  });
  useGone(!isRefundable(order), send, () => onGone(words.gone));
  const found = choice && !preview.error ? preview.data : undefined;
  const isSeen = found !== undefined && !preview.isPlaceholderData && typing.isSettled;
  return (
    <DialogForm
      title={words.title}
      submit={found ? words.apply(money(found.amount, found.currency)) : words.applyUnseen}
      cancel={words.keep}
      isFinal
      typed={typed}
      error={send.error}
      isPending={send.isPending}
      disabled={!isSeen}
      onSubmit={() => choice && send.mutate(choice)}
      onClose={onClose}
    >
      <RefundFields order={order} {...typing} />
      {choice && preview.error ? (
        <Failure error={preview.error} />
      ) : (
        choice && <RefundFollows preview={found} isOld={!isSeen} />
      )}
    </DialogForm>
  );
}

type FieldsProps = Readonly<{ order: OrderDetail }> & ReturnType<typeof useRefundChoice>;
type Changed = ChangeEvent<HTMLInputElement | HTMLSelectElement>;

function RefundFields({ order, typed, type, ticketsLeft, isAmountWrong }: FieldsProps) {
  const { payment } = order;
  const currency = payment?.currency;
  return (
    <>
      {ticketsLeft > 0 && (
        <NativeSelect
          label={words.what}
          value={typed.kind}
          onChange={({ currentTarget: { value } }: Changed) => isKeyOf(words.kinds, value) && type({ kind: value })}
        >
          <Options names={words.kinds} />
        </NativeSelect>
      )}
      {typed.kind === 'amount' ? (
        <TextInput
          label={words.amount(currency ?? '')}
          description={words.amountHint(money(payment?.refundable ?? 0, currency))}
          inputMode="decimal"
          autoComplete="off"
          value={typed.amount}
          error={isAmountWrong && words.amountWrong}
          onChange={({ currentTarget: { value } }: Changed) => type({ amount: value })}
          onFocus={({ currentTarget }) => currentTarget.select()}
          data-autofocus
        />
      ) : (
        <>
          <NativeSelect
            label={words.tickets}
            value={typed.tickets}
            onChange={({ currentTarget: { value } }: Changed) => type({ tickets: Number(value) })}
          >
            {Array.from({ length: ticketsLeft }, (_, index) => (
              <option key={index}>{index + 1}</option>
            ))}
          </NativeSelect>
          <Checkbox
            size="xs"
            label={words.keepFees}
            description={words.keepFeesHint}
            checked={typed.keepFees}
            onChange={({ currentTarget: { checked } }) => type({ keepFees: checked })}
          />
        </>
      )}
      <RefundReasonField reason={typed.reason} onChange={(reason) => type({ reason })} />
      <NoteField label={words.note} hint={words.noteHint} note={typed.note} onChange={(note) => type({ note })} />
    </>
  );
}

const Options = <Key extends string>({ names }: Readonly<{ names: Readonly<Record<Key, string>> }>) =>
  keysOf(names).map((key) => (
    <option key={key} value={key}>
      {names[key]}
    </option>
  ));
