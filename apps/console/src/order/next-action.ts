import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';

// The tickets are on their way, or handed over.
const SENT = [2002, 2003, 2004];

const SENDS: Readonly<Record<string, OrderAction['action']>> = { ship: 'ship', download: 'deliver' };

/**
 * The action that brings the order on: its button is filled, and one key opens it. Undefined where nothing is to be done.
 * @param allowed what the caller may do now, the likeliest first
 */
export function nextAction(order: OrderDetail, allowed: readonly OrderAction[]): OrderAction | undefined {
  const { status, fulfillment, delivery_method: method } = order;
  if (status === null || status.status === 'rejected') return undefined;
  if (status.status !== 'confirmed') return allowed.find(({ main }) => main);
  if (fulfillment !== null || SENT.includes(status.status_code)) return undefined;
  return allowed.find(({ action }) => action === SENDS[method.type]);
}
