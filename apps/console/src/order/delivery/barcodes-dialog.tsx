import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { LONGEST_BARCODE, LONGEST_BARCODE_REASON } from '#fulfilment/ticket.limits';
import type { OrderDetail } from '#orders/order.contract';
import { ApiError } from '../../api/api-error.js';
import { CONFLICT } from '../../api/error-codes.js';
import { enterBarcodes } from '../../api/seat-delivery.js';
import { DialogForm } from '../../frame/dialog-form.js';
import { errorText } from '../../words/error-text.js';
import type { ActionDialogProps } from '../edit/action-dialog-props.js';
import { useGone } from '../../frame/use-gone.js';
import { barcodeFaults, NOTHING_TYPED, type TypedBarcode, typedBarcodes } from './barcode-faults.js';
import { deliveryWords } from './delivery-words.js';
import { useSeatChange } from './use-seat-change.js';

const words = deliveryWords.barcodes;

type Seat = NonNullable<OrderDetail['delivery']['seats']>[number];

/** One field for each seat that has no barcode. Refused ones come first: then it asks for another one, and for the reason. */
export function BarcodesDialog({ order, action, onClose, onDone, onGone }: ActionDialogProps) {
  const { seats: all = [] } = order.delivery;
  const isAgain = all.some(({ barcode }) => barcode === 'refused');
  const seats = all.filter(({ barcode }) => barcode === (isAgain ? 'refused' : 'none'));
  const [typed, setTyped] = useState<Readonly<Record<string, TypedBarcode>>>({});
  const [wasSent, setSent] = useState(false);
  const entered = typedBarcodes(seats, typed);
  const faults = barcodeFaults(entered);
  const enter = useSeatChange(order.id, enterBarcodes.bind(null, order.id), () => onDone(action));
  useGone(seats.length === 0, enter, () => onGone(deliveryWords.gone(action.label)));
  // With several barcodes the server does not say which one it is.
  const taken = entered.length === 1 && isTaken(enter.error) ? { barcode: errorText(enter.error) } : undefined;
  const faultsOf = (seat: string, isFirst: boolean): Partial<TypedBarcode> => {
    if (!wasSent) return {};
    if (entered.length === 0) return isFirst ? NOTHING : {};
    return { ...(entered[0]?.seat === seat && taken), ...faults[seat] };
  };
  const submit = () => {
    setSent(true);
    if (entered.length > 0 && Object.keys(faults).length === 0) enter.mutate(entered);
  };
  return (
    <DialogForm
      title={action.label}
      submit={deliveryWords.apply}
      cancel={deliveryWords.cancel}
      typed={typed}
      error={taken ? null : enter.error}
      isPending={enter.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>{isAgain ? words.again : words.follows}</li>
      </ul>
      {seats.map((seat, index) => (
        <SeatFields
          key={seat.seat}
          seat={seat}
          isFirst={index === 0}
          typed={typed[seat.seat] ?? NOTHING_TYPED}
          faults={faultsOf(seat.seat, index === 0)}
          onType={(one) => setTyped({ ...typed, [seat.seat]: one })}
        />
      ))}
    </DialogForm>
  );
}

const isTaken = (error: unknown): boolean => error instanceof ApiError && error.has(CONFLICT);

const NOTHING = { barcode: words.nothing };

type FieldsProps = Readonly<{
  seat: Seat;
  isFirst: boolean;
  typed: TypedBarcode;
  faults: Partial<TypedBarcode>;
  onType: (typed: TypedBarcode) => void;
}>;

function SeatFields({ seat: { seat, barcode }, isFirst, typed, faults, onType }: FieldsProps) {
  const isRefused = barcode === 'refused';
  return (
    <>
      <TextInput
        label={isRefused ? words.otherOf(seat) : words.barcodeOf(seat)}
        autoComplete="off"
        maxLength={LONGEST_BARCODE}
        value={typed.barcode}
        error={faults.barcode}
        onChange={({ currentTarget }) => onType({ ...typed, barcode: currentTarget.value })}
        {...(isFirst && { 'data-autofocus': true })}
      />
      {isRefused && (
        <TextInput
          label={words.reasonOf(seat)}
          description={words.reasonHint}
          autoComplete="off"
          maxLength={LONGEST_BARCODE_REASON}
          value={typed.reason}
          error={faults.reason}
          onChange={({ currentTarget }) => onType({ ...typed, reason: currentTarget.value })}
        />
      )}
    </>
  );
}
