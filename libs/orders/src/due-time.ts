import { catalogueIdSql } from '#discovery/catalogue-id';
import { REVIEW_QUEUE } from '#domain/order-access';

// Whoever buys a few hours before the show leaves the seller less time than usual, but never none.
const LEAST_TIME = `interval '1 hour'`;

// least and greatest ignore nulls.
const HANDOVER_DUE = `least(
  case when show.starts_at is not null then greatest(show.starts_at - make_interval(hours =>
      case when o.queue = 'to_ship' or o.acts = 'carrier' then clocks.ship_hours else clocks.deliver_hours end),
    least(began.since + ${LEAST_TIME}, show.starts_at)) end,
  case when offer.in_hand_at > began.since then offer.in_hand_at + coalesce(offer.handling, interval '0')
    else began.since + offer.handling end)`;

/** So long after the action began, but not after the show has started. A show that had started before is no limit. */
const beforeShow = (hours: string) => `least(began.since + make_interval(hours => ${hours}),
  case when show.starts_at > began.since then show.starts_at end)`;

/** When the next action of an open order `o` is due, null if nothing limits it. Needs `DUE_SOURCES`. Contract, section 13.3. */
export const DUE_TIME = `case
  when o.queue = 'to_confirm' then case when o.due_for = 'confirmation' then o.due_at end
  when o.queue = '${REVIEW_QUEUE}' then began.since + make_interval(mins => clocks.review_minutes)
  when o.next_action = 'retransfer' then ${beforeShow('clocks.retransfer_hours')}
  when o.next_action = 'reenter_barcodes' then ${beforeShow('clocks.reenter_hours')}
  when o.queue = 'exceptions' then
    case when o.due_for = 'replacement' then o.due_at else began.since + make_interval(mins => clocks.exception_minutes) end
  when o.next_action = 'wait_for_acceptance' then case when o.due_for = 'transfer' then o.due_at end
  when o.next_action = 'wait_for_pickup' and o.acts = 'buyer' then show.starts_at
  when o.queue is not null then ${HANDOVER_DUE} end`;

// An action that began with a status has no time of its own.
const SINCE = `coalesce(o.action_since, (select h.recorded_at from status_history h where h.order_id = o.id
  order by h.sequence desc limit 1), o.updated_at)`;

/**
 * What `DUE_TIME` reads beside an order `o`: its row, or one with the same columns. `offset 0` looks the beginning up once, not for each
 * place that names it. Nothing is looked up of an order without a next action.
 */
export const DUE_SOURCES = `cross join work_clocks clocks
  cross join lateral (select case when o.queue is not null then ${SINCE} end as since offset 0) as began
  left join lateral (select e.datetime_utc at time zone 'UTC' as starts_at from discovery_events e
    where o.queue in ('to_ship', 'to_deliver', 'waiting', 'exceptions') and e.id = ${catalogueIdSql('o.event_id')}) as show on true
  left join lateral (select (l.terms ->> 'inHandAt')::timestamptz as in_hand_at,
      make_interval(mins => (l.terms ->> 'shipWithinMinutes')::int) as handling
    from listings l where o.queue in ('to_ship', 'to_deliver', 'waiting') and l.id = o.listing_id) as offer on true`;
