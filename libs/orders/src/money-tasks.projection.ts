import { isStatusEvent, type OrderEvent } from '#domain/order-events';
import { dollarsOf } from '#domain/money';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderIdOf } from '#domain/order-stream';
import { isOpenDispute } from '#domain/payment-amounts';
import type { RecordedEvent } from '#event-store/event';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';

type TaskKind = 'capture_failed' | 'hold_expires' | 'refund_failed' | 'difference' | 'dispute' | 'unknown';
type Context = AppendContext<Order, OrderEvent>;
type Recorded = RecordedEvent<OrderEvent>;

/** The columns of table `money_tasks` that follow from events. `ours` and `theirs` are JSON: an amount, a text or null. */
const COLUMNS = {
  id: 'text',
  subject: 'text',
  kind: 'text',
  order_id: 'text',
  reference: 'text',
  due_at: 'timestamptz',
  ours: 'text',
  theirs: 'text',
  opened_at: 'timestamptz',
} as const;

type TaskRow = Readonly<Record<keyof typeof COLUMNS, string | null>>;

/** A hold has a task from so long before its end on: a person can still capture it within a day of work. */
export const HOLD_WARNING_MS = 24 * 3_600_000;

/** A refund that takes longer has a task. Providers make one within minutes if they can make it at all. */
export const LATE_REFUND_MS = 3_600_000;

/** What a task is about: there is never a second one about it. `part` tells things of the same order apart. */
function taskSubject(kind: TaskKind, orderId: string, part = ''): string {
  return `${kind}/${orderId}/${part}`;
}

const names = Object.keys(COLUMNS).join(', ');

/** Work about money that only a person can do. What a person has ended opens again with news about it. */
export const openedMoneyTasksProjection: InlineProjection<Order, OrderEvent> = {
  name: 'opened_money_tasks',
  columns: COLUMNS,
  statement: (rows) => `
    insert into money_tasks (${names})
    select id, subject, kind, order_id, reference, due_at, ours::jsonb, theirs::jsonb, opened_at from ${rows}
    on conflict (subject) do update set due_at = excluded.due_at, reference = excluded.reference, ours = excluded.ours,
      theirs = excluded.theirs, opened_at = excluded.opened_at, done_at = null, done_by = null
    returning 1`,
  rows: openedTasks,
};

/** Tasks that have settled themselves. */
export const settledMoneyTasksProjection: InlineProjection<Order, OrderEvent> = {
  name: 'settled_money_tasks',
  columns: { subject: 'text', at: 'timestamptz' },
  statement: (rows) => `
    update money_tasks t set done_at = settled_money_tasks.at from ${rows}
    where t.subject = settled_money_tasks.subject and t.done_at is null returning 1`,
  rows: settledTasks,
};

function openedTasks({ stream, appended, after }: Context): TaskRow[] {
  const orderId = orderIdOf(stream);
  if (orderId === undefined || !after.known) return [];
  const rows = appended.flatMap((event) => openedBy(event, orderId, after) ?? []);
  // One statement cannot write a row twice.
  return [...new Map(rows.map((row) => [row.subject, row])).values()];
}

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

function settledTasks({ stream, before, appended, after }: Context): object[] {
  const orderId = orderIdOf(stream);
  if (orderId === undefined || !before.known || !after.known) return [];
  const parts = appended.flatMap((event) => settledBy(event, before, after));
  const last = appended.at(-1);
  if (last && isUnknown(before) && after.payment.is !== 'asked') {
    parts.push({ kind: 'unknown', part: '', at: last.recorded_at });
  }
  const bySubject = new Map(parts.map(({ kind, part, at }) => [taskSubject(kind, orderId, part), at]));
  return [...bySubject].map(([subject, at]) => ({ subject, at }));
}

type Settled = Readonly<{ kind: TaskKind; part: string; at: string }>;

/** Only what may have a task: an append without one should cost nothing. */
function settledBy({ type, data, recorded_at: at }: Recorded, before: KnownOrder, after: KnownOrder): Settled[] {
  switch (type) {
    case 'PaymentCaptured':
    case 'PaymentReleased':
    case 'CaptureFailed': {
      const { payment } = before;
      const failed: Settled[] =
        type === 'PaymentCaptured' && 'capture_failed' in payment ? [{ kind: 'capture_failed', part: '', at }] : [];
      const end = payment.is === 'authorised' ? payment.capture_before : null;
      const isWarned = end !== null && Date.parse(at) >= Date.parse(end) - HOLD_WARNING_MS;
      return isWarned ? [...failed, { kind: 'hold_expires', part: '', at }] : failed;
    }
    case 'RefundSucceeded':
    case 'RefundFailed': {
      const refund = before.refunds.find(({ id }) => id === data.refund_id);
      const isLate = refund !== undefined && Date.parse(at) >= Date.parse(refund.created_at) + LATE_REFUND_MS;
      return isLate ? [{ kind: 'refund_failed', part: refund.created_at, at }] : [];
    }
    case 'DisputeClosed': {
      const isOpen = after.disputes.some((one) => one.dispute_id === data.dispute_id && isOpenDispute(one));
      return isOpen ? [] : [{ kind: 'dispute', part: data.dispute_id, at }];
    }
    default:
      return [];
  }
}

/** The provider has not said what became of the payment, and the order waits for that. */
function isUnknown({ payment, status }: KnownOrder): boolean {
  return payment.is === 'asked' && status?.status === 'exception';
}

const amountText = (cents: number) => JSON.stringify(dollarsOf(cents));
