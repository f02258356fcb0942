import { catalogueIdSql } from '#discovery/catalogue-id';
import type { ReportGroup, ReportName } from '../report.contract.js';
import { isSeenBy } from '#accounts/seen-orders';
import type { ReportCodes } from './report-question.js';
import { accountFigures, ACCOUNTS, EARNED, EARNED_FIGURES } from './seller-accounts.js';

/** How rows are grouped: the column of an order, and where a name for it comes from. */
type Group = Readonly<{ column: string; name?: string }>;

const GROUPS: Readonly<Record<ReportGroup, Group>> = {
  day: { column: 'day' },
  event: {
    column: 'event_id',
    name: `(select title from discovery_events e where e.id = ${catalogueIdSql('event_id')})`,
  },
  seller: { column: 'seller' },
  client: {
    column: 'client_id',
    name: '(select c.name from clients c where c.client_id = found.client_id)',
  },
};

const STATUSES = ['pending', 'confirmed', 'rejected', 'exception'] as const;

// At most 15 digits, so a double is exact.
const dollars = (name: string, filter = '') => `(coalesce(sum(total_cents) ${filter}, 0) / 100)::float8 as ${name}`;

const inStatus = (status: string) => `filter (where status = '${status}')`;

const counted = STATUSES.map((status) => `count(*) ${inStatus(status)}::int as ${status}`);

const percentile = (of: 'confirm' | 'ship', percent: number) =>
  `(percentile_disc(${percent / 100}) within group (order by ${of}_ms) / 1000.0)::float8 as ${of}_p${percent}_s`;

const times = (of: 'confirm' | 'ship') => [
  `(round(avg(${of}_ms)) / 1000)::float8 as ${of}_avg_s`,
  percentile(of, 50),
  percentile(of, 90),
];

const ORDERS = 'count(*)::int as orders';
const TICKETS = 'coalesce(sum(quantity), 0)::int as tickets';

// Confirmed, and the tickets were not sent.
const UNFULFILLED = `filter (where queue in ('to_ship', 'to_deliver'))`;

const share = (part: string, whole: string, name: string) =>
  `round(${part} / nullif(${whole}, 0)::numeric, 4)::float8 as ${name}`;

type Part = Readonly<{
  figures: readonly string[];
  /** Whether it needs the times of each order's statuses. */
  needsHistory?: true;
  /** Whether it needs what happened to the seats of each order. */
  needsSeats?: true;
  /** Whether it needs the ledger. */
  needsLedger?: true;
  /** Columns that rows are grouped by in addition. */
  keys?: readonly string[];
  only: string;
}>;

const PLACED = `stage = 'placed'`;

const partsOf = ({ notAnswered }: ReportCodes): Readonly<Record<ReportName, Part>> => ({
  orders: { only: PLACED, figures: [ORDERS, TICKETS, ...counted] },
  money: {
    only: PLACED,
    figures: [
      ORDERS,
      dollars('total'),
      ...STATUSES.map((status) => dollars(status, inStatus(status))),
      dollars('refunded', `filter (where status = 'rejected' and has_refund)`),
    ],
  },
  refusals: {
    only: `(status = 'rejected' or stage in ('declined', 'failed'))`,
    keys: ['reason', 'status_code', 'status_message'],
    figures: [ORDERS, TICKETS, dollars('total')],
  },
  times: {
    only: PLACED,
    needsHistory: true,
    figures: [
      ORDERS,
      'count(confirmed_at) filter (where not waited)::int as automatic',
      'count(confirm_ms)::int as confirmed',
      ...times('confirm'),
      'count(ship_ms)::int as shipped',
      ...times('ship'),
    ],
  },
  sellers: {
    only: PLACED,
    needsHistory: true,
    needsSeats: true,
    needsLedger: true,
    keys: ['seller'],
    figures: [
      ORDERS,
      TICKETS,
      dollars('total'),
      ...counted,
      `count(*) filter (where status_code = ${notAnswered})::int as not_answered`,
      share(`count(*) filter (where status = 'rejected')`, 'count(*)', 'rejected_rate'),
      'count(*) filter (where is_faulty)::int as faults',
      share('count(*) filter (where is_faulty)', 'count(*)', 'fault_rate'),
      percentile('confirm', 50),
      percentile('ship', 50),
      'count(sent_at)::int as shipped',
      share('count(sent_at) filter (where not is_misshipped)', 'count(sent_at)', 'shipping_accuracy'),
      `count(*) ${UNFULFILLED}::int as unfulfilled`,
      dollars('exposure', UNFULFILLED),
      'count(*) filter (where is_late)::int as late',
      'count(*) filter (where has_declined)::int as declined',
      'count(*) filter (where has_expired)::int as expired',
      'count(*) filter (where has_refused)::int as refused',
      'count(*) filter (where is_speculative and is_open)::int as speculative_not_delivered',
      ...EARNED_FIGURES,
    ],
  },
});

const milliseconds = (interval: string) => `round(extract(epoch from ${interval}) * 1000)::bigint`;

// An order that was confirmed at once did not wait for anybody.
const history = ({ sent, faults, misshipped }: ReportCodes) => `cross join lateral (
  select min(recorded_at) filter (where h.status = 'confirmed') as confirmed_at,
    min(recorded_at) filter (where h.status_code in (${sent.join(', ')})) as sent_at,
    coalesce(bool_or(h.sequence = 1 and h.status <> 'confirmed'), false) as waited,
    coalesce(bool_or(h.status_code = any('{${faults.join()}}')), false) as is_faulty,
    coalesce(bool_or(h.status_code = any('{${misshipped.join()}}')), false) as is_misshipped
  from status_history h where h.order_id = o.id) as history
  cross join lateral (
  select case when waited then ${milliseconds('(confirmed_at - placed_at)')} end as confirm_ms,
    ${milliseconds('(sent_at - least(confirmed_at, sent_at))')} as ship_ms) as durations`;

const SEAT_COLUMNS = `, has_declined, has_expired, has_refused, is_speculative,
  o.status in ('confirmed', 'exception') and o.next_action is not null as is_open,
  exists (select from work_items w where w.order_id = o.id and w.place = 'overdue') as is_late`;

// Each order through the index of its stream.
const SEATS = `cross join lateral (
  select coalesce(bool_or(e.type = 'TransferDeclined'), false) as has_declined,
    coalesce(bool_or(e.type = 'TransferExpired'), false) as has_expired,
    coalesce(bool_or(e.type = 'BarcodeRefused' and e.data ->> 'earlier' is null), false) as has_refused,
    coalesce(bool_or(e.data #>> '{product,speculative}' = 'true'), false) as is_speculative
  from events e where e.stream = 'order-' || o.id
    and e.type in ('PurchaseReceived', 'TransferDeclined', 'TransferExpired', 'BarcodeRefused')) as seats`;

// Not by the name of the zone: PostgreSQL may lack one that Node.js and browsers have, such as Asia/Calcutta.
const LOCAL_DAY = `(placed_at at time zone 'UTC'
  + make_interval(secs => ($5::int[])[width_bucket(placed_at, $4::timestamptz[])]))::date::text`;

/** The statement of a report. Its values: $1 from, $2 to, $3 sellers or null, $4 and $5 the
 * times from which an offset is the one of days, and these offsets in seconds. One row is the totals, with `is_total`. */
export function reportStatement(report: ReportName, by: ReportGroup, codes: ReportCodes): string {
  const part = partsOf(codes)[report];
  const { figures, needsHistory = false, needsSeats = false, needsLedger = false, keys: further = [], only } = part;
  const { column, name } = GROUPS[by];
  const keys = [...new Set([column, ...further])];
  const beside = needsLedger ? accountFigures(by) : [];
  return `${needsLedger ? ACCOUNTS : ''}
    select is_total, ${keys.join(', ')}, ${name ? `${name} as name, ` : ''}${[...figures.map(nameOf), ...beside].join(', ')} from (
      select grouping(${column}) = 1 as is_total, ${[...keys, ...figures].join(', ')}
      from (
        select ${LOCAL_DAY} as day, event_id, seller, client_id, status, status_code, status_message,
          quantity, total_cents, has_refund, case when stage = 'placed' then status else stage end as reason
          ${needsHistory ? ', waited, confirmed_at, sent_at, confirm_ms, ship_ms, is_faulty, is_misshipped, queue' : ''}
          ${needsSeats ? SEAT_COLUMNS : ''} ${needsLedger ? ', earned_cents, refunded_cents' : ''}
        from orders o ${needsHistory ? history(codes) : ''} ${needsSeats ? SEATS : ''} ${needsLedger ? EARNED : ''}
        where placed_at >= $1 and placed_at < $2 and ${isSeenBy('$3')} and ${only}) as placed
      group by grouping sets ((${keys.join(', ')}), ())) as found
    order by ${by === 'day' ? 'day' : `orders desc, ${column}`}${further.map((key) => `, ${key}`).join('')}`;
}

const nameOf = (figure: string) => figure.slice(figure.lastIndexOf(' ') + 1);
