import { WIRE_ENTRY } from './stream/wire-entry.js';

/** The type of a message about a status, an entry of the ping stream. */
export const STATUS_TYPE = 'order.status';

const MONEY_ENTRY = `(data || jsonb_build_object('id', id, 'position', position, 'order_id', order_id,
  'occurred_at', to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'transaction_id', transaction_id))::text`;

/** What a webhook is told at a position of the feed, by one of two tables. @param position SQL */
export const entryAt = (position: string) => `
  select '${STATUS_TYPE}' as type, id, occurred_at, ${WIRE_ENTRY} as json,
    (select traceparent from pings where pings.order_id = ping_stream.order_id and pings.sequence = ping_stream.sequence)
  from ping_stream where position = ${position}
  union all
  select type, id, occurred_at, ${MONEY_ENTRY} as json, traceparent from money_stream where position = ${position}`;

/** The next entries. Each table is read by its key. @param after SQL */
export const entriesAfter = (after: string, most: number) => `
  select * from (
    (select position, order_id, '${STATUS_TYPE}' as type, status from ping_stream
      where position > ${after} order by position limit ${most})
    union all
    (select position, order_id, type, null as status from money_stream
      where position > ${after} order by position limit ${most})) as either
  order by position limit ${most}`;

/** SQL: the position of the newest entry. Null without one. */
export const NEWEST_ENTRY = `greatest((select max(position) from ping_stream), (select max(position) from money_stream))`;
