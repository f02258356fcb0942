import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';

/** Of the dialog of any action. */
export type ActionDialogProps = Readonly<{
  order: OrderDetail;
  action: OrderAction;
  onClose: () => void;
  onDone: (action: OrderAction) => void;
  /** A colleague's act has made it impossible; says so. */
  onGone: (why: string) => void;
}>;
