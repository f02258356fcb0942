import type { OrderDetail } from '#contracts/backoffice/order';
import { useNow } from '../frame/now.js';
import { exactTime, timeLeft } from '../words/formats.js';
import { orderWords as words } from '../words/order.js';

/** `Waits for the broker until … (12:03 min left)` */
export function Waits({ order: { confirm_by } }: Readonly<{ order: OrderDetail }>) {
  const now = useNow(1_000);
  if (confirm_by === null) return null;
  const { text, late } = timeLeft(confirm_by, now);
  return (
    <span className={late ? 'late' : 'waits'}>
      {words.field.due} {exactTime(confirm_by)} ({late ? `${text} late` : `${text} left`})
    </span>
  );
}
