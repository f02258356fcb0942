import { comparisonsOf, type ParsedCondition } from './order-condition.contract.js';
import { asksForBuyer } from './search-sources.js';
import type { Caller } from '#accounts/caller';

/** Whether the caller may read what `author` wrote about a change of an order. Brokers read what they wrote themselves; a note for partners is beside the order. */
export function readsNoteOf(author: unknown, { sellers, actor }: Caller): boolean {
  return sellers === null || author === actor;
}

type Remarked = Readonly<{ assignee: string | null; assignee_name: string | null; tags: readonly string[] }>;
type NotedStatus = Readonly<{ actor: string; note: string | null }>;

/** The order without what staff record for each other: its tags, who takes care of it, and the notes of its statuses. */
export function withoutRemarks<O extends Remarked & { status_history?: readonly NotedStatus[] }>(
  order: O,
  caller: Caller,
): O {
  if (!caller.sellers) return order;
  const history = order.status_history?.map((entry) =>
    readsNoteOf(entry.actor, caller) ? entry : { ...entry, note: null },
  );
  return { ...order, assignee: null, assignee_name: null, tags: [], ...(history && { status_history: history }) };
}

type NotedEvent = Readonly<Record<'data' | 'metadata', Record<string, unknown>>>;

/** The events without the notes that the caller does not read, sealed ones too. */
export function withoutNotes<E extends NotedEvent>(events: readonly E[], caller: Caller): E[] {
  return events.map((event) => {
    if (readsNoteOf(event.metadata['actor'], caller)) return event;
    const { note: _note, sealed_note: _sealed, ...data } = event.data;
    return { ...event, data };
  });
}

/** Why the caller may not ask this of orders; undefined if the caller may. Whoever could ask for what is hidden would learn it from what is found. */
export function refusalOf(where: ParsedCondition | undefined, { permissions, sellers }: Caller): string | undefined {
  if (where === undefined) return undefined;
  if (asksForBuyer(where) && !permissions.includes('orders:act')) return 'orders:act';
  const asksForRemarks = comparisonsOf(where).some(({ field }) => field === 'tag' || field === 'assignee');
  return sellers && asksForRemarks ? 'brokers cannot ask for tags and assignees' : undefined;
}
