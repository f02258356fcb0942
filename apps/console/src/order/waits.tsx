import type { OrderDetail } from '#orders/order.contract';
import { useNow } from '../frame/now.js';
import { exactTime, minuteTime, timeLeft } from '../words/formats.js';
import { frame } from '../words/frame.js';
import { orderWords as words } from './order-words.js';

/** The clock of an order that waits for the broker: `Waits for the broker until 14:32 (12:03 left)`. */
export function Waits({ order: { confirm_by } }: Readonly<{ order: OrderDetail }>) {
  const now = useNow(1_000);
  if (confirm_by === null) return null;
  const { text, late } = timeLeft(confirm_by, now);
  return (
    <time className={`clock${late ? ' late' : ''}`} dateTime={confirm_by} title={exactTime(confirm_by)}>
      {words.field.due} {minuteTime(confirm_by, now)} <strong>{late ? frame.late(text) : frame.left(text)}</strong>
    </time>
  );
}
