import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';

const SENT_BY = { ship: 'ship', download: 'deliver' } as const;

/** True if the action replaces what was sent before, such as a tracking number. */
export function corrects(action: OrderAction, { fulfillment, status }: OrderDetail): boolean {
  return (
    fulfillment !== null && action.action === SENT_BY[fulfillment.type] && action.status_code === status?.status_code
  );
}

/** The first values of the fields of a correction: what was sent. */
export function sentBefore(action: OrderAction, order: OrderDetail): Readonly<Record<string, string>> {
  const { fulfillment } = order;
  return fulfillment && corrects(action, order) ? { ...fulfillment.data } : {};
}
