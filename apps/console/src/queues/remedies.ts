import type { QueuedOrder } from '#desk/queue.contract';
import type { AskedAction } from '../order/answer-dialog.js';
import { isUnderReview } from '../api/queues.js';
import { queueWords } from './queue-words.js';

const words = queueWords.remedy;

type NextAction = QueuedOrder['delivery']['next_action'];

/** What most likely brings an order on: an action with its dialog, files of tickets, or the label of a parcel. */
export type Remedy = Readonly<{ name: string; does: AskedAction | 'files' | 'label' }>;

const BY_NEXT_ACTION: Partial<Readonly<Record<NextAction, Remedy>>> = {
  upload_tickets: { name: words.files, does: 'files' },
  upload_links: { name: words.link, does: 'deliver' },
  enter_tracking: { name: words.tracking, does: 'ship' },
  print_label: { name: words.label, does: 'label' },
  transfer: { name: words.transfer, does: 'transfer' },
  retransfer: { name: words.retransfer, does: 'transfer' },
  enter_barcodes: { name: words.barcodes, does: 'enter_barcodes' },
  reenter_barcodes: { name: words.barcodesAgain, does: 'enter_barcodes' },
  wait_for_acceptance: { name: words.acceptance, does: 'record_acceptance' },
  wait_for_pickup: { name: words.pickup, does: 'record_pickup' },
};

const APPROVAL: Remedy = { name: words.approve, does: 'approve' };
const OTHER_TICKETS: Remedy = { name: words.otherTickets, does: 'offer_replacement' };

/** Undefined if only others can bring it on. Orders that wait for their broker have buttons of their own. */
export function remedyOf(order: QueuedOrder): Remedy | undefined {
  const { status, delivery } = order;
  const { next_action: next, acts } = delivery;
  if (next === 'done') return status?.status === 'exception' && acts === 'staff' ? OTHER_TICKETS : undefined;
  return isUnderReview(order) ? APPROVAL : BY_NEXT_ACTION[next];
}
