import type { OrderDetail } from '#orders/order.contract';
import { statusReasons } from './edit/order-desk-words.js';

const SHOWN = ['rejected', 'exception'];

/** Why the order ended or is stuck, with what was written when it happened. */
export function StatusReason({ order: { status, status_history } }: Readonly<{ order: OrderDetail }>) {
  if (!status || !SHOWN.includes(status.status)) return null;
  const note = status_history.at(-1)?.note;
  const reason = statusReasons[status.status_code];
  if (reason === undefined && !note) return null;
  return (
    <p className={`status-reason ${status.status}`}>
      {reason}
      {note && <q>{note}</q>}
    </p>
  );
}
