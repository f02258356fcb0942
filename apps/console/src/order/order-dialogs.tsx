import type { ReactNode } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { lazyPart } from '../frame/lazy-part.js';
import { answerWords } from '../words/answers.js';
import type { ActionDialogProps } from './edit/action-dialog-props.js';
import { replacementWords } from './replacement-words.js';
import { isSameAction, useOrderActions } from './use-order-actions.js';

const ActionDialog = lazyPart(async () => (await import('./action-dialog.js')).ActionDialog);
const ReplacementDialog = lazyPart(async () => (await import('./replacement-dialog.js')).ReplacementDialog);
const OpenDisputeDialog = lazyPart(async () => (await import('./open-dispute-dialog.js')).OpenDisputeDialog);
const EraseDialog = lazyPart(async () => (await import('./edit/erase-dialog.js')).EraseDialog);

/** Those that are done seat by seat. */
const SEAT_DIALOGS: Partial<Readonly<Record<OrderAction['action'], typeof ActionDialog>>> = {
  transfer: lazyPart(async () => (await import('./delivery/transfer-dialog.js')).TransferDialog),
  record_acceptance: lazyPart(async () => (await import('./delivery/acceptance-dialog.js')).AcceptanceDialog),
  enter_barcodes: lazyPart(async () => (await import('./delivery/barcodes-dialog.js')).BarcodesDialog),
};

type ChosenProps = Omit<ActionDialogProps, 'onDone'> & Readonly<{ onDone: (news: string) => void }>;

/** The dialog of an action. What will follow may change with the order. */
export function ChosenDialog({ order, action: chosen, onClose, onDone, onGone }: ChosenProps) {
  const action = useOrderActions(order)?.find((one) => isSameAction(one, chosen)) ?? chosen;
  const Asking = SEAT_DIALOGS[action.action] ?? ActionDialog;
  const props = { order, action, onClose, onGone };
  if (action.action === 'offer_replacement')
    return <ReplacementDialog {...props} onDone={() => onDone(replacementWords.done)} />;
  return <Asking {...props} onDone={({ label }) => onDone(answerWords.done(label))} />;
}

type Props = Readonly<{
  order: OrderDetail;
  asked: OrderAction | 'erase' | 'dispute' | null;
  onClose: () => void;
  /** Says what was done. */
  onDone: (news: ReactNode) => void;
}>;

/** Each action asks in a dialog of its own. */
export function OrderDialogs({ order, asked, onClose, onDone }: Props) {
  if (asked === null) return null;
  const done = (news: ReactNode) => {
    onClose();
    onDone(news);
  };
  if (asked === 'erase') return <EraseDialog order={order} onClose={onClose} onDone={done} />;
  if (asked === 'dispute') return <OpenDisputeDialog orderId={order.id} onClose={onClose} onDone={done} />;
  return <ChosenDialog order={order} action={asked} onClose={onClose} onDone={done} onGone={done} />;
}
