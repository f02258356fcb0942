/** Finds the orders of the lines after $3, up to $4. $2: the client. A `ref_id` can be used again after a purchase that failed. */
export const FIND_ORDERS = `
  update remittance_lines l set order_id = coalesce(
    (select o.id from orders o where not l.is_ref_id and o.id = l.given and o.client_id = $2 and o.variant = 'wholesale'),
    (select o.id from orders o where l.is_ref_id and o.ref_id = l.given and o.client_id = $2 and o.variant = 'wholesale'
     order by (o.stage = 'placed') desc, o.placed_at desc, o.id limit 1))
  where l.reconciliation_id = $1 and l.number > $3 and l.number <= $4`;

// Confirmed at some time: only a sale and its reversal move money between the client and anybody but the bank.
const IS_SOLD = `
  exists (
    select from ledger_entries l
    where l.stream = 'order-' || o.id and l.accounts @> array['client:' || o.client_id] and not l.accounts @> array['bank'])`;

/** The next $3 orders of the file after the order $2, with the file's lines of each and the payments that are recorded. */
export const NEXT_ORDERS = `
  with paid as (
    select order_id, json_agg(json_build_object('paid_on', paid_on, 'amount_cents', amount_cents, 'times', times)) as lines
    from (
      select order_id, paid_on::text, amount_cents, count(*)::int as times from remittance_lines
      where reconciliation_id = $1 and order_id in (
        select distinct order_id from remittance_lines where reconciliation_id = $1 and order_id > $2 order by order_id limit $3)
      group by order_id, paid_on, amount_cents) as line
    group by order_id)
  select p.order_id, p.lines, o.ref_id, coalesce(o.status, o.stage) as state, o.total_cents::float8 as total_cents, o.placed_at,
    ${IS_SOLD} as is_sold,
    coalesce((
      select json_agg(json_build_object('reference', e.data ->> 'reference', 'amount_cents', (e.data ->> 'amount_cents')::bigint))
      from events e where e.stream = 'order-' || o.id and e.type = 'RemittanceMatched'), '[]') as recorded
  from paid p join orders o on o.id = p.order_id order by p.order_id`;

const ADD = `
  insert into reconciliation_differences (reconciliation_id, subject, kind, order_id, reference, ours, theirs, proposal, at)`;

const amount = (cents: string) => `to_jsonb(round(${cents} / 100.0, 2))`;

/** Differences of orders as JSON in $2. */
export const ADD_OF_ORDERS = `
  ${ADD}
  select $1, subject, kind, order_id, reference, ours, theirs, null, at
  from json_to_recordset($2) as found (
    subject text, kind text, order_id text, reference text, ours jsonb, theirs jsonb, at timestamptz)
  on conflict do nothing`;

/** Lines without an order of the client. Those that name nothing propose its orders of that amount and day. $2: the client, $3: its subjects. */
export const ADD_UNKNOWN = `
  ${ADD}
  select $1, $3 || 'missing_here/' || coalesce('given/' || given, 'line/' || day || '/' || alone), 'missing_here', null, given,
    null, ${amount('sum(amount_cents)')},
    (
      select 'Orders of this amount and day: ' || string_agg(id, ', ' order by id) from (
        select o.id from orders o
        where o.placed_at >= day::timestamp at time zone 'UTC' and o.placed_at < (day + 1)::timestamp at time zone 'UTC'
          and o.client_id = $2 and o.total_cents = alone
        order by o.placed_at limit 5) as alike having count(*) > 0),
    min(paid_on)::timestamp at time zone 'UTC'
  from (
    select given, amount_cents, paid_on, case when given is null then amount_cents end as alone,
      case when given is null then paid_on end as day
    from remittance_lines where reconciliation_id = $1 and order_id is null) as l
  group by given, alone, day
  on conflict do nothing`;

/** Orders of the client $2 in the part $3 to $4 of the period that nobody paid. $5: its subjects. */
export const ADD_UNPAID = `
  ${ADD}
  select $1, $5 || 'missing_there/' || o.id, 'missing_there', o.id, o.ref_id, ${amount('o.total_cents')}, null, null, o.placed_at
  from orders o
  where o.placed_at >= $3 and o.placed_at < $4 and o.client_id = $2 and o.variant = 'wholesale'
    and o.status is distinct from 'rejected' and ${IS_SOLD}
    and not exists (select from remittance_lines l where l.reconciliation_id = $1 and l.order_id = o.id)
    and not exists (select from events e where e.stream = 'order-' || o.id and e.type = 'RemittanceMatched')
  on conflict do nothing`;
