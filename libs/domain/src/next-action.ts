import {
  type DeliveredOrder,
  deliveryTypeOf,
  hasRefusedSeat,
  isHandedOver,
  isOpenTransfer,
  lastTransferOf,
} from './handover.js';
import { isStatusEvent, type OrderEvent } from './order-events.js';
import { REVIEW_QUEUE } from './order-access.js';
import { seatsOf } from './seats.js';

/** What has to happen next to an order. */
export const NEXT_ACTIONS = [
  'confirm',
  'upload_tickets',
  'upload_links',
  'transfer',
  'enter_barcodes',
  'reenter_barcodes',
  'print_label',
  'wait_for_pickup',
  'enter_tracking',
  'wait_for_acceptance',
  'retransfer',
  'done',
] as const;
export type NextActionName = (typeof NEXT_ACTIONS)[number];

/** Whose turn it is. */
export const ACTORS = ['seller', 'staff', 'buyer', 'carrier', 'nobody'] as const;
export type Actor = (typeof ACTORS)[number];

/** The list of work that an order stands in until its clock lapses. `waiting`: in none until then. */
export type OrderQueue = 'to_confirm' | 'review' | 'to_ship' | 'to_deliver' | 'exceptions' | 'waiting';

export type NextAction = Readonly<{ action: NextActionName; acts: Actor; queue: OrderQueue | null }>;

/** `since`: when the action began. Null if that was with the last status. */
export type NextStep = NextAction & Readonly<{ since: string | null }>;

export const NOTHING_TO_DO: NextAction = { action: 'done', acts: 'nobody', queue: null };

/** Contract, section 13.3. */
function nextAction(order: DeliveredOrder): NextAction {
  const { status, purchase, replacement, underReview } = order;
  const seller = purchase.seller === undefined ? 'staff' : 'seller';
  if (status === null || status.status === 'rejected') return NOTHING_TO_DO;
  if (hasRefusedSeat(order)) return { action: 'reenter_barcodes', acts: seller, queue: 'exceptions' };
  if (status.status === 'pending') {
    return underReview
      ? { action: 'confirm', acts: 'staff', queue: REVIEW_QUEUE }
      : { action: 'confirm', acts: seller, queue: 'to_confirm' };
  }
  const own = deliveryAction(order);
  if (status.status === 'exception' && !hasFailedTransfer(order)) {
    return { action: own, acts: replacement?.state === 'open' ? 'buyer' : 'staff', queue: 'exceptions' };
  }
  const actor = ACTOR_OF[own];
  const acts = own === 'wait_for_pickup' && deliveryTypeOf(order) === 'will_call' ? 'buyer' : actor;
  return { action: own, acts: acts === 'seller' ? seller : acts, queue: QUEUE_OF[own] };
}

const ACTOR_OF: Readonly<Record<NextActionName, Actor>> = {
  confirm: 'seller',
  upload_tickets: 'seller',
  upload_links: 'seller',
  transfer: 'seller',
  enter_barcodes: 'seller',
  reenter_barcodes: 'seller',
  print_label: 'seller',
  wait_for_pickup: 'carrier',
  enter_tracking: 'seller',
  wait_for_acceptance: 'buyer',
  retransfer: 'seller',
  done: 'nobody',
};

const QUEUE_OF: Readonly<Record<NextActionName, OrderQueue | null>> = {
  confirm: 'to_confirm',
  upload_tickets: 'to_deliver',
  upload_links: 'to_deliver',
  transfer: 'to_deliver',
  enter_barcodes: 'to_deliver',
  reenter_barcodes: 'exceptions',
  print_label: 'to_ship',
  wait_for_pickup: 'waiting',
  enter_tracking: 'to_ship',
  wait_for_acceptance: 'waiting',
  retransfer: 'exceptions',
  done: null,
};

/** What the delivery needs next, whatever the status says. */
function deliveryAction(order: DeliveredOrder): NextActionName {
  const { purchase, delivery } = order;
  const isSent = !delivery.parcel.failed && (delivery.declared || isHandedOver(order));
  switch (deliveryTypeOf(order)) {
    case 'ship':
      if (isSent) return 'done';
      return purchase.delivery_form === 'label' ? LABEL_ACTION[delivery.parcel.label] : 'enter_tracking';
    case 'transfer':
      return transferAction(order, isSent);
    case 'will_call':
      return isSent ? 'done' : 'wait_for_pickup';
    case 'download':
      return isSent ? 'done' : DOWNLOAD_ACTION[downloadForm(order)];
  }
}

const LABEL_ACTION = { none: 'print_label', printed: 'wait_for_pickup', picked_up: 'enter_tracking' } as const;
const DOWNLOAD_ACTION = { files: 'upload_tickets', links: 'upload_links', barcodes: 'enter_barcodes' } as const;

function downloadForm({ purchase: { delivery_form: form } }: DeliveredOrder): keyof typeof DOWNLOAD_ACTION {
  return form === 'links' || form === 'barcodes' ? form : 'files';
}

function transferAction(order: DeliveredOrder, isSent: boolean): NextActionName {
  const last = seatsOf(order).map((seat) => lastTransferOf(order, seat));
  if (!isSent && last.includes(undefined)) return 'transfer';
  if (hasFailedTransfer(order)) return 'retransfer';
  return last.some((transfer) => transfer?.state === 'sent') ? 'wait_for_acceptance' : 'done';
}

function hasFailedTransfer(order: DeliveredOrder): boolean {
  return seatsOf(order).some((seat) => {
    const last = lastTransferOf(order, seat);
    return last !== undefined && !isOpenTransfer(last);
  });
}

const OWN_CLOCK: readonly NextActionName[] = ['retransfer', 'reenter_barcodes'];

/** What is next after an event. @param order after the event, still with the action before it */
export function nextStepAfter(
  order: DeliveredOrder & Readonly<{ next: NextStep }>,
  event: OrderEvent & Readonly<{ recorded_at: string }>,
): NextStep {
  const next = nextAction(order);
  if (isStatusEvent(event)) return { ...next, since: null };
  // Of a problem, the clock began with its status.
  const isProblem = next.queue === 'exceptions' && !OWN_CLOCK.includes(next.action);
  return { ...next, since: isProblem || next.action === order.next.action ? order.next.since : event.recorded_at };
}
