import type { OrderDetail, OrderSummary } from '#orders/order.contract';
import { ApiError } from './api-error.js';
import { STALE } from './error-codes.js';
import { ask } from './http.js';

/** The result of changing several orders. */
export type BulkOutcome = Readonly<{
  done: readonly string[];
  unchanged: number;
  failed: readonly Readonly<{ id: string; error: unknown }>[];
  /** Undoes the changes, except where somebody has changed the order since. Absent where there is no way back. */
  undo?: () => Promise<void>;
}>;

type Desk = Pick<OrderSummary, 'tags' | 'assignee' | 'desk_version'>;
type Change = (desk: Desk) => Desk;

export function changeTags({ add, remove }: Readonly<{ add: readonly string[]; remove: readonly string[] }>): Change {
  return ({ tags, ...desk }) => {
    const kept = tags.filter((tag) => !remove.includes(tag));
    return { ...desk, tags: [...new Set([...kept, ...add])] };
  };
}

export const changeAssignee =
  (assignee: string | null): Change =>
  (desk) => ({ ...desk, assignee });

/** Changes one order after the other. An order that a colleague changes at the same moment is read again. */
export async function changeDesks(
  ids: readonly string[],
  change: Change,
  onProgress: (count: number) => void,
): Promise<BulkOutcome> {
  const done: string[] = [];
  const failed: { id: string; error: unknown }[] = [];
  const before = new Map<string, Readonly<{ was: Desk; now: OrderDetail }>>();
  let unchanged = 0;
  for (const [index, id] of ids.entries()) {
    try {
      const changed = await changeDesk(id, change);
      if (changed) before.set(id, changed);
      else unchanged += 1;
      done.push(id);
    } catch (error) {
      failed.push({ id, error });
    }
    onProgress(index + 1);
  }
  const undo = async () => {
    for (const [id, { was, now }] of before) await write(id, now, was).catch(() => undefined);
  };
  return { done, unchanged, failed, undo };
}

/** Undefined if the order is already like that. */
async function changeDesk(id: string, change: Change): Promise<Readonly<{ was: Desk; now: OrderDetail }> | undefined> {
  const was = await ask('GET orders/{id}', { path: { id } });
  try {
    const now = await write(id, was, change(was));
    return now && { was, now };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.has(STALE)) throw error;
    const again = await ask('GET orders/{id}', { path: { id } });
    const now = await write(id, again, change(again));
    return now && { was: again, now };
  }
}

async function write(id: string, was: Desk, to: Desk): Promise<OrderDetail | undefined> {
  const ifMatch = was.desk_version;
  if (to.assignee !== was.assignee) {
    return await ask('PUT orders/{id}/assignee', { path: { id }, ifMatch, body: { operator_id: to.assignee } });
  }
  if (to.tags.join('\n') === was.tags.join('\n')) return undefined;
  return await ask('PUT orders/{id}/tags', { path: { id }, ifMatch, body: to.tags });
}
