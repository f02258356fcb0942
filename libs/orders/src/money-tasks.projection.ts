import { eventsOfStatus, isStatusEvent, type OrderEvent } from '#domain/order-events';
import { dollarsOf } from '#domain/money';
import { evolveAll, type KnownOrder, type Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import { isOpenDispute } from '#domain/payment-amounts';
import type { RecordedEvent } from '#event-store/event';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';

type TaskKind = 'capture_failed' | 'hold_expires' | 'refund_failed' | 'difference' | 'dispute' | 'unknown';
/** A refund that is late has another task than one that failed. */
type TaskTopic = TaskKind | 'late_refund';
type Context = AppendContext<Order, OrderEvent>;
type Recorded = RecordedEvent<OrderEvent>;

/** The columns of table `money_tasks` that follow from events. `ours` and `theirs` are JSON: an amount, a text or null. */
export const MONEY_TASK_COLUMNS = {
  id: 'text',
  subject: 'text',
  kind: 'text',
  order_id: 'text',
  reference: 'text',
  due_at: 'timestamptz',
  ours: 'text',
  theirs: 'text',
  opened_at: 'timestamptz',
  done_at: 'timestamptz',
} as const;

type TaskRow = Readonly<Record<keyof typeof MONEY_TASK_COLUMNS, string | null> & { subject: string }>;

/** A hold has a task from so long before its end on: a person can still capture it within a day of work. */
export const HOLD_WARNING_MS = 24 * 3_600_000;

/** A refund that takes longer has a task. Providers make one within minutes if they can make it at all. */
export const LATE_REFUND_MS = 3_600_000;

/** What a task is about: there is never a second one about it. `part` tells things of the same order apart. */
function taskSubject(topic: TaskTopic, orderId: string, part = ''): string {
  return `${topic}/${orderId}/${part}`;
}

/** SQL: whether a row follows from events alone. Other tasks are opened by time, or by a comparison with a provider's list. */
export const IS_EVENT_BORN = `split_part(subject, '/', 1) in ('capture_failed', 'refund_failed', 'dispute', 'unknown')`;

const names = Object.keys(MONEY_TASK_COLUMNS).join(', ');

/** Work about money that only a person can do. What a person has ended opens again with news about it. */
export const openedMoneyTasksProjection: InlineProjection<Order, OrderEvent> = {
  name: 'opened_money_tasks',
  columns: MONEY_TASK_COLUMNS,
  statement: (rows) => `
    insert into money_tasks (${names})
    select id, subject, kind, order_id, reference, due_at, ours::jsonb, theirs::jsonb, opened_at, done_at from ${rows}
    on conflict (subject) do update set due_at = excluded.due_at, reference = excluded.reference, ours = excluded.ours,
      theirs = excluded.theirs, opened_at = excluded.opened_at, done_at = excluded.done_at, done_by = null
    returning 1`,
  rows: moneyTaskRows,
};

/** Tasks that have settled themselves. */
export const settledMoneyTasksProjection: InlineProjection<Order, OrderEvent> = {
  name: 'settled_money_tasks',
  columns: { subject: 'text', at: 'timestamptz' },
  statement: (rows) => `
    update money_tasks t set done_at = settled_money_tasks.at from ${rows}
    where t.subject = settled_money_tasks.subject and t.done_at is null returning 1`,
  rows: (context) => [...changedTasks(context).settled].map(([subject, at]) => ({ subject, at })),
};

/** The tasks that the appended events open, as these leave them. Of a whole stream: all that events have opened. */
export function moneyTaskRows(context: Context): readonly TaskRow[] {
  return [...changedTasks(context).opened.values()];
}

/** By subject. One statement cannot write a row twice, so a task is in one of the two. */
type ChangedTasks = Readonly<{
  opened: ReadonlyMap<string, TaskRow>;
  /** When tasks of earlier appends were settled. */
  settled: ReadonlyMap<string, string>;
}>;

function changedTasks({ stream, before, appended }: Context): ChangedTasks {
  const opened = new Map<string, TaskRow>();
  const settled = new Map<string, string>();
  const orderId = orderIdOf(stream);
  if (orderId === undefined || !mayChangeTasks(before, appended)) return { opened, settled };
  let past = before.known ? pastOf(before) : undefined;
  evolveAll(before, appended, (order, event) => {
    for (const { topic, part } of past ? settledBy(event, past, order) : []) {
      const subject = taskSubject(topic, orderId, part);
      const row = opened.get(subject);
      if (!row) settled.set(subject, event.recorded_at);
      else if (row.done_at === null) opened.set(subject, { ...row, done_at: event.recorded_at });
    }
    const row = openedBy(event, orderId, order);
    if (row) {
      // It is the same task when it opens again.
      opened.set(row.subject, { ...row, id: opened.get(row.subject)?.id ?? row.id });
      settled.delete(row.subject);
    }
    past = pastOf(order);
  });
  return { opened, settled };
}

const CONCERNING: ReadonlySet<OrderEvent['type']> = new Set<OrderEvent['type']>([
  'PaymentCaptured',
  'PaymentReleased',
  'CaptureFailed',
  'RefundSucceeded',
  'RefundFailed',
  'DisputeOpened',
  'DisputeClosed',
  ...eventsOfStatus('exception'),
]);

/** Most appends concern no task, and should cost nothing. */
function mayChangeTasks(before: Order, appended: readonly Recorded[]): boolean {
  return (before.known && isUnknown(before)) || appended.some(({ type }) => CONCERNING.has(type));
}

/** Of the order before an event. The fold changes one copy of an order from event to event, but each of these it replaces. */
type Past = Pick<KnownOrder, 'payment' | 'status' | 'refunds'>;

const pastOf = ({ payment, status, refunds }: KnownOrder): Past => ({ payment, status, refunds });

function openedBy(event: Recorded, orderId: string, order: KnownOrder): TaskRow | undefined {
  const row = (kind: TaskKind, part: string, about: Readonly<Partial<TaskRow>>): TaskRow => ({
    id: event.event_id.replace(/^evt_/, 'tsk_'),
    subject: taskSubject(kind, orderId, part),
    kind,
    order_id: orderId,
    reference: null,
    due_at: null,
    ours: null,
    theirs: null,
    done_at: null,
    ...about,
    opened_at: event.recorded_at,
  });
  switch (event.type) {
    case 'CaptureFailed': {
      if (order.payment.is === 'captured') return undefined;
      const ours = amountText(order.purchase.total_cents);
      return row('capture_failed', '', { reference: event.data.reference, ours });
    }
    case 'RefundFailed': {
      const refund = order.refunds.find(({ id }) => id === event.data.refund_id);
      if (refund?.state !== 'failed') return undefined;
      return row('refund_failed', refund.id, { reference: refund.reference, ours: amountText(refund.amount_cents) });
    }
    case 'DisputeOpened': {
      const { dispute_id: id, kind, reference, due_at, amount_cents: cents } = event.data;
      const isOpen = order.disputes.some((dispute) => dispute.dispute_id === id && isOpenDispute(dispute));
      return kind === 'card' && isOpen
        ? row('dispute', id, { reference, due_at, theirs: amountText(cents) })
        : undefined;
    }
    default: {
      if (!isStatusEvent(event) || !isUnknown(order)) return undefined;
      const { payment } = order;
      const reference = (payment.is === 'asked' && payment.prepared?.reference) || null;
      return row('unknown', '', { reference, ours: amountText(order.purchase.total_cents) });
    }
  }
}

type Settled = Readonly<{ topic: TaskTopic; part: string }>;

function settledBy(event: Recorded, past: Past, after: KnownOrder): Settled[] {
  const isKnownNow = isUnknown(past) && after.payment.is !== 'asked';
  return [...settledStep(event, past, after), ...(isKnownNow ? [{ topic: 'unknown', part: '' } as const] : [])];
}

/** Only what may have a task. */
function settledStep({ type, data, recorded_at: at }: Recorded, past: Past, after: KnownOrder): Settled[] {
  switch (type) {
    case 'PaymentCaptured':
    case 'PaymentReleased':
    case 'CaptureFailed': {
      const { payment } = past;
      const failed: Settled[] =
        type === 'PaymentCaptured' && 'capture_failed' in payment ? [{ topic: 'capture_failed', part: '' }] : [];
      const end = payment.is === 'authorised' ? payment.capture_before : null;
      const isWarned = end !== null && Date.parse(at) >= Date.parse(end) - HOLD_WARNING_MS;
      return isWarned ? [...failed, { topic: 'hold_expires', part: '' }] : failed;
    }
    case 'RefundSucceeded':
    case 'RefundFailed': {
      const refund = past.refunds.find(({ id }) => id === data.refund_id);
      const isLate = refund !== undefined && Date.parse(at) >= Date.parse(refund.created_at) + LATE_REFUND_MS;
      return isLate ? [{ topic: 'late_refund', part: refund.created_at }] : [];
    }
    case 'DisputeClosed': {
      const isOpen = after.disputes.some((one) => one.dispute_id === data.dispute_id && isOpenDispute(one));
      return isOpen ? [] : [{ topic: 'dispute', part: data.dispute_id }];
    }
    default:
      return [];
  }
}

/** The provider has not said what became of the payment, and the order waits for that. */
function isUnknown({ payment, status }: Past): boolean {
  return payment.is === 'asked' && status?.status === 'exception';
}

const amountText = (cents: number) => JSON.stringify(dollarsOf(cents));
