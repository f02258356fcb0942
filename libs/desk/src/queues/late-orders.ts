import { storedCondition } from '#orders/order-condition.contract';
import type { Sealer } from '#base/sealing';
import type { Clock } from '#base/clock';
import { conditionSql, type Parameters } from '#orders/condition-sql';
import { searchContext } from '#orders/order-finder';
import { CLOCK_BEGAN, marks } from '#orders/queue-clock';
import { isPlaceQueue } from './work-queue.js';
import type { EscalatingQueue } from './work-queues.js';

const EVERYTHING = { sellers: undefined, buyers: true } as const;

/**
 * The open orders (`order_id`, `since`) that are in a queue for longer than its escalation says and that are not escalated there: all, or
 * those among `ids`. A snoozed order waits until it is back.
 */
export function lateOrders(
  queue: EscalatingQueue,
  clock: Clock,
  sealer: Sealer,
  parameters: Parameters,
  ids?: readonly string[],
): string {
  const before = (minutes: number) =>
    `${parameters.add(clock.iso())}::timestamptz - make_interval(mins => ${parameters.add(minutes)}::int)`;
  const among = ids ? ` and w.order_id = any(${parameters.add(ids)}::text[])` : '';
  if (isPlaceQueue(queue)) {
    const { stays, began } = queue.id === 'overdue' ? OVERDUE : STAYING;
    return `select w.order_id, w.since from work_items w
      where ${stays(parameters.add(queue.id))} and w.escalated_at is null and w.place is not null
        and ${began} <= ${before(queue.escalation.after_minutes)}${among}${ids ? '' : ` order by ${began}`}`;
  }
  const { id, where, due, escalation } = queue;
  const context = searchContext(EVERYTHING, clock, sealer);
  // A condition may hold for all orders that ever were.
  return `select o.id as order_id, ${CLOCK_BEGAN[due.field]} as since
    from work_items w join orders o on o.id = w.order_id
    where w.place is not null and ${CLOCK_BEGAN[due.field]} <= ${before(due.minutes + escalation.after_minutes)}
      and ${conditionSql(storedCondition(where), context, parameters)}
      and not exists (select from own_escalations e where ${marks(parameters.add(id), due.field)})${among}`;
}

// Each reads only what is due, through its index.
const STAYING = { stays: (queue: string) => `w.queue = ${queue}`, began: 'w.since' };
const OVERDUE = { stays: (queue: string) => `w.place = ${queue}`, began: 'w.due_at' };
