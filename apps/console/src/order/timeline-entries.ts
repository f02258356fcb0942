import type { OrderDetail } from '#orders/order.contract';
import type { TimelineEntry } from '#desk/timeline.contract';

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

/** What a person wrote: a note, or why a change was made. */
export function writtenText({ detail: { text, note, reason } }: TimelineEntry): string {
  return [text, note, reason].find((one): one is string => typeof one === 'string' && one !== '') ?? '';
}

/** An entry with the attempts that belong to it. */
export type FoldedEntry = Readonly<{ entry: TimelineEntry; attempts: readonly TimelineEntry[] }>;

/** Puts the attempts of a ping, oldest first, under that ping. `entries` have the newest first. An attempt whose ping is not there stands by itself. */
export function folded(entries: readonly TimelineEntry[]): FoldedEntry[] {
  const pings = new Set(entries.filter(({ kind }) => kind === 'ping').map(pingOf));
  const isOfPing = (entry: TimelineEntry) => entry.kind === 'ping_attempt' && pings.has(pingOf(entry));
  return entries
    .filter((entry) => !isOfPing(entry))
    .map((entry) => ({
      entry,
      attempts:
        entry.kind === 'ping' && pingOf(entry) !== undefined
          ? entries.filter((one) => isOfPing(one) && pingOf(one) === pingOf(entry)).toReversed()
          : [],
    }));
}

const pingOf = ({ detail }: TimelineEntry): unknown => detail['ping_id'];
