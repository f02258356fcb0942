/** An event that moves money at the provider $4 (its entry `l`, the event `e`) as the kind of its line in the provider's list. */
const KIND = `
  case e.type when 'PaymentCaptured' then 'charge' when 'RefundSucceeded' then 'refund' when 'RefundFailed' then 'refund_failed'
    when 'DisputeOpened' then 'dispute' when 'DisputeClosed' then 'dispute_reversed' when 'ProviderFeeCharged' then 'fee'
    when 'PayoutRecorded' then case when (e.data ->> 'amount_cents')::bigint < 0 then 'payout_failed' else 'payout' end end`;

const REFERENCE = `
  case e.type when 'PayoutRecorded' then regexp_replace(e.data ->> 'reference', '-failed$', '')
    when 'DisputeClosed' then (
      select d.reference from disputes d where d.order_id = substr(l.stream, 7) and d.id = e.data ->> 'dispute_id')
    else e.data ->> 'reference' end`;

// Samples that were removed: neither they nor their counter-entries were ever at a provider.
const OURS = `
  select ${KIND} as kind, ${REFERENCE} as reference, l.stream, l.recorded_at, l.currency, e.data ->> 'for' as fee_for,
    l.amounts[array_position(l.accounts, 'provider:' || $4)] as cents
  from ledger_entries l join events e on e.stream = l.stream and e.position = l.position
  where l.accounts @> array['provider:' || $4]
    and not exists (select from removed_samples r where r.order_id = substr(l.stream, 7))`;

/** What the provider says with a line of the kind. */
const SAID = `
  case kind when 'charge' then 'captured' when 'refund' then 'succeeded' when 'refund_failed' then 'failed' when 'dispute' then 'open'
    when 'dispute_reversed' then 'won' when 'payout_failed' then 'failed' end`;

const THEIR_STATE = `
  case when g.kind = 'refund' and exists (
      select from provider_lines p where p.reconciliation_id = $1 and p.reference = g.reference and p.kind = 'refund_failed')
    then 'failed' else ${SAID} end`;

// What is known of a thing whose line has no entry here. Null if nothing is.
const OUR_STATE = `
  case g.kind
    when 'charge' then (
      select o.summary #>> '{payment,state}' from orders o
      where o.id = g.order_id and coalesce(o.summary #>> '{payment,reference}', g.reference) = g.reference)
    when 'payout_failed' then case when g.has_begun then 'paid' end
    when 'dispute' then (
      select case when d.inquiry then 'inquiry' else d.state end from disputes d
      where d.order_id = g.order_id and d.reference = g.reference limit 1)
    when 'dispute_reversed' then (
      select d.state from disputes d where d.order_id = g.order_id and d.reference = g.reference limit 1)
    else case when g.has_begun then 'succeeded' else (
      select case e.type when 'RefundFailed' then 'failed' when 'RefundDeclined' then 'declined' when 'RefundSucceeded' then 'succeeded'
        else 'pending' end
      from events e
      where e.stream = g.stream and e.type like 'Refund%' and e.recorded_at < $6::timestamptz + interval '1 hour'
        and (e.data ->> 'refund_id' = g.refund_id or e.data ->> 'reference' = g.reference)
      order by e.position desc limit 1) end end`;

// The next step of the payment is about to record it, or an event that came just now. After an hour that is no excuse any more ($8).
const IN_FLIGHT = `
  g.at > $8 and g.order_id is not null and (
    exists (
      select from orders o where o.id = g.order_id and (
        o.payment_step in ('capture', 'void', 'return', 'refund', 'refund_outcome') or o.summary #>> '{payment,state}' = 'asked'))
    or exists (
      select from provider_events p
      where p.provider = $4 and p.state = 'waiting' and p.reference = coalesce(g.payment, g.reference)))`;

/** Cents as the JSON of an amount. */
const amount = (cents: string) => `to_jsonb(round(${cents} / 100.0, 2))`;

// A charge that no order explains may still be of one.
const PROPOSAL = (at: string, cents: string) => `(
  select 'Orders of this amount and day: ' || string_agg(id, ', ' order by id) from (
    select o.id from orders o
    where o.placed_at >= date_trunc('day', ${at}, 'UTC') and o.placed_at < date_trunc('day', ${at}, 'UTC') + interval '1 day'
      and o.total_cents = ${cents}
    order by o.placed_at limit 5) as alike having count(*) > 0)`;

const SUBJECT = (verdict: string, kind: string, reference: string) =>
  `'difference/provider/' || $4 || '/' || ${verdict} || '/' || ${kind} || '/' || ${reference}`;

const ADD = `
  insert into reconciliation_differences (reconciliation_id, subject, kind, order_id, reference, ours, theirs, proposal, at)`;

/** The last reference of the next batch of $3; null after the last one. $1: the reconciliation, $2: the one before. */
export const NEXT_REFERENCE = `
  select coalesce(
    (select reference from provider_lines where reconciliation_id = $1 and reference > $2 order by reference offset $3 limit 1),
    (select max(reference) from provider_lines where reconciliation_id = $1 and reference > $2)) as reference`;

/**
 * Compares the lines of the references after $2 up to $3 with our entries, and counts those that agree. $4: the provider, $5 and $6: the
 * period, $7: when the list was read. What is younger than $8 may be in flight.
 */
export const COMPARE_LINES = `
  with lines as (
    select distinct on (line_id) * from provider_lines
    where reconciliation_id = $1 and reference > $2 and reference <= $3 and created_at <= $7
  ), things as (
    select kind, reference, count(*) as lines, array_agg(line_id) as line_ids, sum(amount_cents)::bigint as cents,
      sum(fee_cents)::bigint as fee_cents, min(currency) as currency, min(created_at) as at, max(payment) as payment,
      max(order_id) as named, max(refund_id) as refund_id
    from lines group by kind, reference having min(created_at) >= $5 and min(created_at) < $6
  ), owned as (
    select t.*, coalesce(paid.id, named.id) as order_id,
      case when t.kind like 'payout%' then 'provider-' || $4 else 'order-' || coalesce(paid.id, named.id) end as stream
    from things t
    left join lateral (
      select o.id from orders o
      where o.summary #>> '{payment,reference}' = coalesce(t.payment, t.reference) and o.summary #>> '{payment,provider}' = $4
      limit 1) as paid on true
    left join lateral (select o.id from orders o where paid.id is null and o.id = t.named) as named on true
  ), known as (
    select o.*, m.* from owned o cross join lateral (
      select sum(m.cents) filter (where m.kind = o.kind and m.reference = o.reference) as our_cents,
        min(m.currency) filter (where m.kind = o.kind and m.reference = o.reference) as our_currency,
        coalesce(-sum(m.cents) filter (
          where m.kind = 'fee' and (m.reference = any(o.line_ids) or o.kind = 'charge' and m.fee_for = 'charge')), 0) as our_fee,
        bool_or(m.kind || '_failed' = o.kind and m.reference = o.reference) as has_begun
      from (${OURS} and l.stream = o.stream) as m) as m
  ), judged as (
    select g.*, s.state as our_state, ${THEIR_STATE} as their_state,
      case when g.our_cents is null then
          case when ${IN_FLIGHT} or g.kind = 'refund' and s.state = 'pending' then 'in_flight' when s.state = ${THEIR_STATE} then 'matched'
            when s.state is not null then 'state' else 'missing_here' end
        when g.lines > 1 then 'twice' when g.currency <> g.our_currency then 'currency' when g.cents <> g.our_cents then 'amount'
        when g.fee_cents <> g.our_fee then 'fee' else 'matched' end as verdict
    from known g cross join lateral (select case when g.our_cents is null then ${OUR_STATE} end as state) as s
  ), added as (
    ${ADD}
    select $1, ${SUBJECT('verdict', 'kind', 'reference')}, verdict, order_id, reference,
      case verdict when 'state' then to_jsonb(our_state) when 'currency' then to_jsonb(our_currency) when 'fee' then ${amount('our_fee')}
        else ${amount('our_cents')} end,
      case verdict when 'state' then to_jsonb(their_state) when 'currency' then to_jsonb(currency) when 'fee' then ${amount('fee_cents')}
        else ${amount('cents')} end,
      case when verdict = 'missing_here' and kind = 'charge' and order_id is null then ${PROPOSAL('at', 'cents')} end, at
    from judged where verdict not in ('matched', 'in_flight')
    on conflict do nothing)
  select count(*)::int as matched from judged where verdict = 'matched'`;

/** Lines that name nothing. $1: the reconciliation, $2 and $3: the period, $4: the provider, $5: when the list was read. */
export const ADD_NAMELESS = `
  with lines as (
    select distinct on (line_id) * from provider_lines
    where reconciliation_id = $1 and reference is null and created_at >= $2 and created_at < $3 and created_at <= $5)
  ${ADD}
  select $1, ${SUBJECT("'missing_here'", "'line'", 'line_id')}, 'missing_here', null, null, null, ${amount('amount_cents')},
    case when kind in ('charge', 'refund') then ${PROPOSAL('created_at', 'abs(amount_cents)')} end, created_at
  from lines on conflict do nothing`;

/** Entries of ours in the part $2 to $3 of the period that have no line. $4: the provider. Fees are compared with the lines that they are of. */
export const ADD_MISSING_THERE = `
  ${ADD}
  select $1, ${SUBJECT('verdict', 'kind', 'reference')}, verdict, substring(stream from '^order-(.*)'), reference,
    case verdict when 'state' then to_jsonb(${SAID}) else ${amount('cents')} end,
    case verdict when 'state' then to_jsonb(case kind when 'refund_failed' then 'succeeded' when 'payout_failed' then 'paid' else 'open' end) end,
    null, recorded_at
  from (
    select ours.*, case when kind in ('refund_failed', 'payout_failed', 'dispute_reversed') and exists (
        select from provider_lines p where p.reconciliation_id = $1 and p.reference = ours.reference)
      then 'state' else 'missing_there' end as verdict
    from (${OURS} and l.recorded_at >= $2 and l.recorded_at < $3) as ours
    where kind <> 'fee' and reference is not null and not exists (
      select from provider_lines p where p.reconciliation_id = $1 and p.reference = ours.reference and p.kind = ours.kind)) as missing
  on conflict do nothing`;
