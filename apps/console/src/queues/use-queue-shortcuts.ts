import { useNavigate } from '@tanstack/react-router';
import { rowKeys } from '../frame/row-keys.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import type { QueueState } from './use-queue.js';

const QUEUES_WITH_A_KEY = 6;

type Acts = Readonly<{
  /** Undefined for those who may not. */
  escalate: (() => void) | undefined;
  show: (queue: string) => void;
  split: () => void;
  help: () => void;
}>;

/** The keys of a queue. The keys that act on an order are in `queue-work.tsx` and `answering.tsx`. */
export function useQueueShortcuts(state: QueueState, acts: Acts): void {
  const { queues, queue, steady, place, setActive, current, selection } = state;
  const navigate = useNavigate();
  const toQueue = (queues ?? [])
    .slice(0, QUEUES_WITH_A_KEY)
    .map(({ id }, index) => [String(index + 1), () => acts.show(id)] as const);
  const keys = rowKeys({
    count: steady.rows.length,
    active: place,
    move: setActive,
    open: () => current && void navigate({ to: '/orders/$id', params: { id: current.id } }),
    select: (isRange) => current && selection.toggle(current.id, isRange),
  });
  useShortcuts({
    ...Object.fromEntries(toQueue),
    ...keys,
    n: keys.j,
    e: () => queue && acts.escalate?.(),
    v: acts.split,
    '?': acts.help,
  });
}
