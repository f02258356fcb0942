/** What webhooks tell of an order's money, beside its status: by the type of the message, that of the event. */
const EVENTS = {
  'refund.succeeded': 'RefundSucceeded',
  'refund.failed': 'RefundFailed',
  'dispute.opened': 'DisputeOpened',
  'dispute.closed': 'DisputeClosed',
} as const;

export const MONEY_STREAM_COLUMNS = 'position, id, order_id, type, occurred_at, transaction_id, traceparent, data';

const TYPES = Object.entries(EVENTS)
  .map(([type, event]) => `('${event}', '${type}')`)
  .join(', ');

const EVENT_TYPES = Object.values(EVENTS)
  .map((event) => `'${event}'`)
  .join(', ');

const amount = `trim_scale((asked.data ->> 'amount_cents')::numeric / 100)`;
const REFUND = `jsonb_build_object('refund_id', e.data ->> 'refund_id', 'reference', e.data ->> 'reference', 'amount', ${amount},
  'currency', asked.data ->> 'currency', 'quantity', asked.data -> 'quantity', 'reason', asked.data ->> 'reason',
  'origin', asked.data ->> 'origin', 'failure', case when e.type = 'RefundFailed' then e.data ->> 'reason' end)`;
const DISPUTE = `jsonb_build_object('dispute_id', e.data ->> 'dispute_id', 'reference', asked.data ->> 'reference',
  'kind', asked.data ->> 'kind', 'inquiry', asked.data -> 'inquiry', 'reason', asked.data ->> 'reason', 'amount', ${amount},
  'currency', asked.data ->> 'currency', 'due_at', asked.data ->> 'due_at', 'state', coalesce(e.data ->> 'state', 'open'))`;

/**
 * Joins the feed (as `f`) and the events of refunds and disputes, with what was asked for first. Another installation told of those of imported
 * orders.
 */
export const MONEY_STREAM_ROWS = moneyRowsOf('');

/** @param fence `offset 0` keeps the planner from turning the lookups into a join */
export function moneyRowsOf(fence: '' | 'offset 0'): string {
  return `
  select f.position, 'mny_' || substr(f.stream, 11) || '_' || f.stream_position as id, substr(f.stream, 7) as order_id, told.type,
    e.recorded_at as occurred_at, e.metadata ->> 'transaction_id' as transaction_id,
    e.metadata ->> 'traceparent' as traceparent,
    case when e.data ->> 'refund_id' is null then ${DISPUTE} else ${REFUND} end as data
  from feed f
  cross join lateral (
    select * from events
    where stream = f.stream and position = f.stream_position and type in (${EVENT_TYPES}) ${fence}) as e
  join (values ${TYPES}) as told (event, type) on told.event = e.type
  cross join lateral (
    select before.data from events before
    where before.stream = f.stream and before.position <= f.stream_position and (
      before.type = 'RefundRequested' and before.data ->> 'refund_id' = e.data ->> 'refund_id'
      or before.type = 'DisputeOpened' and before.data ->> 'dispute_id' = e.data ->> 'dispute_id')
      and not exists (
        select from events import where import.stream = f.stream and import.position = 1 and import.type = 'OrderImported'
          and f.stream_position <= 1 + (import.data ->> 'events')::int)
    order by before.position desc limit 1) as asked
  where f.stream like 'order-%'`;
}
