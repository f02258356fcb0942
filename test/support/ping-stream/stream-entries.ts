import type { Pool } from 'pg';
import { STATUS_VALUES } from '#domain/status';
import { PING_STREAM_CHANNEL, PING_STREAM_COLUMNS } from '#outbound/ping-stream.projection';

/**
 * Adds a batch of entries after a position, as the worker does, at every second position. They belong to ten orders in turn. Status,
 * listing, event and client depend on the position.
 */
export async function addEntries(pool: Pool, after: number, count: number): Promise<void> {
  await pool.query(
    `with added as (
       insert into ping_stream (${PING_STREAM_COLUMNS})
       select position, 'png_' || position, 'ord_' || position % 20, position / 20, nullif(position % 7, 0)::text,
         ($3::text[])[1 + position / 2 % 4], 1000 + position / 2 % 4,
         'Message "' || position || '" — é☃', '2026-03-01T10:00:00.5Z'::timestamptz + position * interval '1 ms', 'tx-' || position,
         'evt-' || position % 3, 'lst-' || position % 5, 'cli-' || position % 2
       from generate_series($1::bigint + 2, $1::bigint + 2 * $2::bigint, 2) as position returning 1)
     select pg_notify('${PING_STREAM_CHANNEL}', '') from added limit 1`,
    [after, count, STATUS_VALUES],
  );
}

/** The positions of such entries. */
export function evenPositions(after: number, upTo: number): number[] {
  return Array.from({ length: (upTo - after) / 2 }, (_, index) => after + 2 * (index + 1));
}
