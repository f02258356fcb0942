import type { QueuedOrder } from '#desk/queue.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { CONFIRMED } from './order.js';

/** An order that waits for its broker for long enough. */
export const waitingOrder = (id: string, more: Partial<QueuedOrder> = {}): QueuedOrder => ({
  ...CONFIRMED,
  id,
  status: { status: 'pending', status_message: 'Waits for the broker', status_code: 1001 },
  confirm_by: '2099-01-01T00:00:00.000Z',
  delivery: { type: 'download', next_action: 'confirm', acts: 'staff', due_at: null },
  queue: 'to_confirm',
  due_at: '2099-01-01T00:00:00.000Z',
  overdue: false,
  snoozed_until: null,
  escalated_at: null,
  notes: 0,
  ...more,
});

/** What staff can do to it. */
export const answer = (action: 'accept' | 'approve'): OrderAction => ({
  action,
  label: action === 'accept' ? 'Confirm' : 'Approve',
  main: true,
  status_code: 2000,
  status_message: 'Confirmed',
  effects: ['ping'],
  needs: [],
  allowed: true,
});
