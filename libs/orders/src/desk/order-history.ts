import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type ColumnArrays, columnArrays, rowsOf } from '#database/column-arrays';
import { isoOfJson } from '#database/instants';
import type { OrderEvent } from '#domain/order-events';
import { orderFold } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventArchive } from '#event-store/event-archive';
import type { RecordedEvent } from '#event-store/event';
import { wholeAppend } from '#event-store/stream-definition';
import type { StoredNote } from '../event-notes.js';
import { DUE_SOURCES, DUE_TIME } from '../due-time.js';
import { BESIDE_COLUMNS, type DetailedOrder, LISTED_SOURCE, TICKET_LABELS } from '../order-queries.js';
import { type OrderRow, orderRow } from '../order-row.js';
import { statusHistoryRows } from '../status-history.projection.js';

/** A version of an order, or an instant (ISO 8601). */
export type OrderMoment = Readonly<{ version: number }> | Readonly<{ at: string }>;

/** An order as it was. `includes` returns whether something at an instant (ISO 8601) had happened by then. */
export type PastOrder = Readonly<{ order: DetailedOrder; includes: (instant: string) => boolean }>;

type Events = readonly RecordedEvent<OrderEvent>[];

/** Orders as they were: the events until then, through the same fold and the same mapping as the read model. */
@Injectable()
export class OrderHistory {
  constructor(
    private readonly pool: Pool,
    private readonly archive: EventArchive,
  ) {}

  /** Undefined if there is no such order, or none yet. Tags and assignee are those of today. */
  async find(orderId: string, moment: OrderMoment): Promise<PastOrder | undefined> {
    const [{ rows }, events] = await Promise.all([
      this.pool.query<BesideOrder>(BESIDE, [orderId]),
      this.read(orderStream(orderId)),
    ]);
    const [beside] = rows;
    const version = 'version' in moment ? moment.version : versionAt(events, moment.at);
    const past = version >= 1 && version <= events.length ? events.slice(0, withPurchase(version, events)) : [];
    const [first, ...others] = past;
    if (!beside || !first) return undefined;
    const erasedAt = events.findLast(({ type }) => type === 'PersonalDataErased')?.position ?? 0;
    const { row, order: then } = orderAfter(orderId, beside, [first, ...others]);
    const includes = included(moment, events[version]);
    const { choice_until: until } = row;
    const choice_is_over = until !== null && Date.parse(until) <= beside.now.getTime() && includes(until);
    const order = withoutErased({ ...then, action_due: await this.dueTime(row), choice_is_over }, erasedAt);
    return { order, includes };
  }

  /** When the action of then is due, by the clocks, the show and the listing of today. */
  private async dueTime(row: OrderRow): Promise<Date | null> {
    if (row.queue === null) return null;
    const { queue, next_action, acts, due_for, due_at, event_id, listing_id, purchase } = row;
    const since = row.action_since ?? purchase.status_history.at(-1)?.created_at ?? row.updated_at;
    const values = [queue, next_action, acts, since, due_for, due_at, event_id, listing_id];
    const { rows } = await this.pool.query<{ due: Date | null }>({ name: 'past-due-time', text: PAST_DUE, values });
    return rows[0]?.due ?? null;
  }

  /** The fold of the event store would give the latest version. */
  private async read(stream: string): Promise<Events> {
    const { rows } = await this.pool.query<ColumnArrays<Omit<RecordedEvent<OrderEvent>, 'stream'>>>({
      name: 'read-history',
      text: READ,
      values: [stream],
    });
    const events = rowsOf(rows[0]).map(({ position, event_id, type, data, metadata, recorded_at }) => {
      const event = { stream, position, event_id, type, data, metadata, recorded_at: isoOfJson(recorded_at) };
      return event as RecordedEvent<OrderEvent>;
    });
    return await this.archive.complete(this.pool, events);
  }
}

// An order can have a thousand events.
const COLUMNS = ['position', 'event_id', 'type', 'data', 'metadata', 'recorded_at'];
const READ = columnArrays(COLUMNS, `select ${COLUMNS.join(', ')} from events where stream = $1 order by position`);

function versionAt(events: Events, at: string): number {
  return events.findLastIndex((event) => Date.parse(event.recorded_at) <= Date.parse(at)) + 1;
}

/** An import writes itself and the purchase at once: before the purchase there is no order to show. */
function withPurchase(version: number, [first]: Events): number {
  return first?.type === 'OrderImported' ? Math.max(2, version) : version;
}

function included(moment: OrderMoment, next: RecordedEvent | undefined): PastOrder['includes'] {
  if ('at' in moment) return (instant) => Date.parse(instant) <= Date.parse(moment.at);
  return (instant) => !next || Date.parse(instant) < Date.parse(next.recorded_at);
}

/** What is not in the events. */
type BesideOrder = Pick<
  DetailedOrder,
  'personal_data' | 'key' | 'section' | 'row' | 'assignee' | 'assignee_name' | 'tags' | 'desk_version' | 'ticket_labels'
> &
  Readonly<{ now: Date }>;

const BESIDE = `select ${BESIDE_COLUMNS}, ${TICKET_LABELS}, now() as now from ${LISTED_SOURCE} where o.id = $1`;

const PAST_DUE = `select ${DUE_TIME} as due from (select ''::text as id, $1::text as queue, $2::text as next_action,
    $3::text as acts, $4::timestamptz as action_since, $5::text as due_for, $6::timestamptz as due_at,
    $7::text as event_id, $8::text as listing_id, null::timestamptz as updated_at) as o ${DUE_SOURCES}`;

function orderAfter(
  orderId: string,
  beside: BesideOrder,
  events: readonly [RecordedEvent<OrderEvent>, ...RecordedEvent<OrderEvent>[]],
): Readonly<{ row: OrderRow; order: DetailedOrder }> {
  const append = wholeAppend(orderFold, events);
  if (!append.after.known) throw new Error(`${events[0].stream} has no first event.`);
  const row = orderRow(orderId, append.after, events);
  const order = {
    ...row,
    ...beside,
    action_due: null,
    choice_is_over: null,
    choice_until: row.choice_until === null ? null : new Date(row.choice_until),
    delivery_type: row.summary.delivery?.type ?? null,
    variant: append.after.purchase.variant,
    placed_at: new Date(row.placed_at),
    updated_at: new Date(row.updated_at),
    confirm_by: row.due_for === 'confirmation' && row.due_at !== null ? new Date(row.due_at) : null,
    personal: row.personal === null ? null : Buffer.from(row.personal.slice('\\x'.length), 'hex'),
    // Erased data is gone from the past too.
    personal_data: beside.personal_data === 'erased' ? 'erased' : row.summary.personal_data,
    history: statusHistoryRows(append),
    corrections: events.flatMap((event) => {
      if (event.type !== 'FulfillmentCorrected') return [];
      const { position, recorded_at, metadata, data } = event;
      const { note = null, sealed_note, fulfillment } = data;
      return [{ position, recorded_at, actor: metadata.actor, note, sealed_note, fulfillment }];
    }),
  };
  return { row, order };
}

/** Notes and the market's own fields, of versions before they were sealed, are gone from the past too. */
function withoutErased(order: DetailedOrder, erasedAt: number): DetailedOrder {
  if (erasedAt === 0) return order;
  const { market_specific_fields: _, ...purchase } = order.purchase;
  const unnoted = <N extends StoredNote>(one: N): N => (one.position < erasedAt ? { ...one, note: null } : one);
  return { ...order, purchase, history: order.history.map(unnoted), corrections: order.corrections.map(unnoted) };
}
