import { useNavigate } from '@tanstack/react-router';
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
export function useQueueShortcuts({ queues, queue, steady, place, setActive, current }: QueueState, acts: Acts): void {
  const navigate = useNavigate();
  const move = (by: number) => setActive(Math.max(0, Math.min(steady.rows.length - 1, place + by)));
  const toQueue = (queues ?? [])
    .slice(0, QUEUES_WITH_A_KEY)
    .map(({ id }, index) => [String(index + 1), () => acts.show(id)] as const);
  useShortcuts({
    ...Object.fromEntries(toQueue),
    j: () => move(1),
    k: () => move(-1),
    n: () => move(1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => current && void navigate({ to: '/orders/$id', params: { id: current.id } }),
    e: () => queue && acts.escalate?.(),
    v: acts.split,
    '?': acts.help,
  });
}
