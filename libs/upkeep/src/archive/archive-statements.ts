/**
 * Orders that were placed and last changed before $1 and need nothing more, after the order $2. What is open stays in the log whole, because
 * statements of other features read its texts.
 */
export const CLOSED_ORDERS = `
  select o.id, 'order-' || o.id as stream from orders o
  where o.id > $2 and o.placed_at < $1 and o.updated_at < $1
    and o.next_action is null and o.due_at is null and o.payment_step is null
    and not exists (select from archived_streams a where a.stream = 'order-' || o.id)
    and not exists (select from pings p where p.order_id = o.id and p.state <> 'delivered')
    and not exists (select from disputes d where d.order_id = o.id and d.closed_at is null)
    and not exists (select from money_tasks t where t.order_id = o.id and t.done_at is null)
    and not exists (select from mails m where m.order_id = o.id and m.state in ('due', 'accepted'))
    and not exists (select from outbox q where q.stream = 'order-' || o.id)
  order by o.id limit $3`;

export const ADD_SEGMENT = `
  insert into archived_segments (key, first_stream, last_stream, streams, events, bytes, sha256, merkle_root)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

export const ADD_STREAMS = `
  insert into archived_streams (stream, segment, start, bytes, events, head)
  select stream, $1, start, bytes, events, head
  from unnest($2::text[], $3::bigint[], $4::int[], $5::int[], $6::bytea[]) as line (stream, start, bytes, events, head)`;

/** Events whose texts statements read: corrections, the money of orders, and what an import and a door said. They are few. */
const READ_BY_STATEMENTS = `
  e.type ~ '^(Refund|Dispute|Remittance|Payout)' or e.type in (
    'OrderImported', 'FulfillmentCorrected', 'PaymentCaptured', 'ProviderFeeCharged', 'BarcodeRefused')`;

/** What statements read of a purchase. */
const PURCHASE = `json_build_object('client_id', e.data -> 'client_id', 'duplicate_key', e.data -> 'duplicate_key',
  'product', json_build_object('event_id', e.data -> 'product' -> 'event_id', 'listing_id', e.data -> 'product' -> 'listing_id',
    'speculative', e.data -> 'product' -> 'speculative'))`;

/** Takes the texts of the archived events of the segment $1 out of the log. */
export const TAKE_TEXTS = `
  update events e set metadata = 'null', data = case e.type when 'PurchaseReceived' then ${PURCHASE} else 'null' end
  from archived_streams a
  where a.segment = $1 and e.stream = a.stream and e.position <= a.events and not (${READ_BY_STATEMENTS})`;
