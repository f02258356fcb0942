import { printLabel, labelAddress } from '../api/seat-delivery.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { saveFrom } from '../frame/save-file.js';
import { frame } from '../words/frame.js';
import { AnswerDialog } from '../order/answer-dialog.js';
import { deliveryWords } from '../order/delivery/delivery-words.js';
import { useSeatChange } from '../order/delivery/use-seat-change.js';
import { AddDialog } from '../order/ticket-files/add-dialog.js';
import { ticketFileWords } from '../order/ticket-files/ticket-file-words.js';
import type { Remedy } from './remedies.js';

type Props = Readonly<{ orderId: string; remedy: Remedy; onClose: () => void; onDone: (news: string) => void }>;

/** Asks what the order's own page would ask. */
export function RemedyDialog({ orderId, remedy: { does }, onClose, onDone }: Props) {
  if (does === 'label') return <LabelDialog orderId={orderId} onClose={onClose} onDone={onDone} />;
  if (does !== 'files') return <AnswerDialog orderId={orderId} answer={does} onClose={onClose} onDone={onDone} />;
  const added = (count: number) => onDone(ticketFileWords.added(count));
  return <AddDialog orderId={orderId} onClose={onClose} onDone={added} />;
}

function LabelDialog({ orderId, onClose, onDone }: Omit<Props, 'remedy'>) {
  const print = useSeatChange(
    orderId,
    () => printLabel(orderId),
    () => {
      saveFrom(labelAddress(orderId), deliveryWords.labelFile);
      onDone(deliveryWords.labelMade);
    },
  );
  return (
    <ConfirmDialog
      title={deliveryWords.label}
      apply={deliveryWords.label}
      cancel={frame.cancel}
      error={print.error}
      busy={print.isPending}
      onApply={() => print.mutate(undefined)}
      onClose={onClose}
    >
      {deliveryWords.labelHint}
    </ConfirmDialog>
  );
}
