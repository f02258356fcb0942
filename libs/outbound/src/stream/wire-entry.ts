export const WIRE = `id, position, order_id, ref_id, sequence, status, status_message, status_code,
  to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at, transaction_id`;

export const WIRE_ENTRY = `(select row_to_json(wire)::text from (select ${WIRE}) as wire)`;
