import type { OrderDetail } from '#contracts/backoffice/order';
import type { TimelineEntry } from '../api/desk.js';

export const GROUPS = ['all', 'status', 'delivery', 'people'] as const;
export type Group = (typeof GROUPS)[number];

const KINDS: Readonly<Record<Exclude<Group, 'all'>, readonly string[]>> = {
  status: ['event', 'payment'],
  delivery: ['ping', 'ping_attempt', 'webhook_attempt', 'platform_read', 'email', 'download'],
  people: ['note', 'assignment', 'reveal'],
};

export const isIn = (group: Group, { kind }: TimelineEntry): boolean => group === 'all' || KINDS[group].includes(kind);

/** What an earlier version did not know yet is left out. */
export function until(
  entries: readonly TimelineEntry[],
  order: OrderDetail,
  isPast: boolean,
): readonly TimelineEntry[] {
  if (!isPast) return entries;
  return entries.filter(({ at, version }) =>
    version === undefined ? at <= order.updated_at : version <= order.version,
  );
}

/** What the order itself tells, for a server without the timeline: its statuses and its pings. */
export function entriesOf({ status_history, pings, transaction_id }: OrderDetail): readonly TimelineEntry[] {
  const statuses = status_history.map(({ created_at, status_message, actor, note }) => ({
    at: created_at,
    kind: 'event',
    actor,
    title: status_message,
    detail: note,
    transaction_id,
  }));
  const attempts = pings.flatMap((ping) =>
    ping.attempts.map(({ started_at, http_status, duration_ms, error }) => ({
      at: started_at,
      kind: 'ping_attempt',
      actor: null,
      title: `Ping of “${ping.status_message}”: ${http_status ?? 'no answer'} in ${duration_ms} ms`,
      detail: error,
      transaction_id: ping.transaction_id,
    })),
  );
  return [...statuses, ...attempts].toSorted((one, other) => one.at.localeCompare(other.at));
}
