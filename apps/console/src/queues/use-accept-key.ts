import { useQuery } from '@tanstack/react-query';
import { actionsQuery } from '../api/desk.js';
import { mayLeave } from '../frame/unsaved.js';
import type { HeldAct } from './use-held-act.js';
import type { QueueState } from './use-queue.js';

type State = Pick<QueueState, 'current' | 'steady'>;

/** What the key `a` does: it holds the answer to the active order back. With no order left it sends the one that is held. */
export function useAcceptKey({ current, steady }: State, acting: HeldAct, mayAct: boolean): (() => void) | undefined {
  const waits = mayAct && current?.status?.status === 'pending';
  // What will be sent is known before the key is pressed.
  useQuery({ ...actionsQuery(current?.id ?? '', current?.version ?? 0), enabled: waits });
  if (!mayAct) return undefined;
  return () => {
    if (!current) void acting.sendNow();
    if (!current || !waits) return;
    // Something may be written beside the list.
    void mayLeave().then((leaves) => {
      if (!leaves) return;
      steady.settle(current.id);
      acting.hold(current);
    });
  };
}
