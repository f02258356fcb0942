import type { Replay } from './replay.contract.js';
import { pingKey } from './ping-id.js';

export const PLATFORM = 'platform';

/** All given conditions must match. Times are ISO 8601. `until` is exclusive. */
export type Selection = Replay['selection'];

/** Selects position, order_id and sequence. For a webhook only entries that it wants and has ingested. */
export function selecting(endpoint: string, selection: Selection): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const { order_ids, ids, statuses, since, until } = selection;
  const conditions: string[] = [];
  if (order_ids) conditions.push(`order_id = any(${place(order_ids)}::text[])`);
  if (ids) {
    const keys = ids.flatMap((id) => pingKey(id) ?? []);
    const orders = place(keys.map(({ orderId }) => orderId));
    const sequences = place(keys.map(({ sequence }) => sequence));
    conditions.push(`(order_id, sequence) in (select * from unnest(${orders}::text[], ${sequences}::int[]))`);
  }
  if (statuses) conditions.push(`status = any(${place(statuses)}::text[])`);
  if (since !== undefined) conditions.push(`occurred_at >= ${place(since)}`);
  if (until !== undefined) conditions.push(`occurred_at < ${place(until)}`);
  if (endpoint !== PLATFORM) {
    conditions.push(`exists (
      select from webhooks webhook where webhook.id = ${place(endpoint)} and entry.position <= webhook.position
        and (statuses is null or status = any(statuses))
        and (event_types is null or 'order.status' = any(event_types)))`);
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  return { text: `select position, order_id, sequence from ping_stream entry ${where}`, values };
}
