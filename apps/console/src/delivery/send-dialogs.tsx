import { useQuery } from '@tanstack/react-query';
import type { Ping } from '#outbound/ping.contract';
import { sendPingAgain } from '../api/desk.js';
import { ask } from '../api/http.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { deliveryWords as words } from './delivery-words.js';

export const PARKED = { state: 'parked' } as const;

type SelectedProps = Readonly<{
  pings: readonly Ping[];
  onClose: () => void;
  onSent: (count: number) => void;
  onSettled: () => Promise<unknown>;
}>;

/** Sends the selected pings again, one after the other. */
export function SendSelected({ pings, onClose, onSent, onSettled }: SelectedProps) {
  const send = useMutationOnce({
    mutationFn: async () => {
      for (const { id } of pings) await sendPingAgain(id);
      return pings.length;
    },
    onSuccess: (count) => {
      onClose();
      onSent(count);
    },
    // Some may have been sent before one is refused.
    onSettled,
  });
  return (
    <ConfirmDialog
      title={words.sendSelected(pings.length)}
      apply={words.apply}
      cancel={words.cancel}
      error={send.error}
      busy={send.isPending}
      onApply={() => send.mutate()}
      onClose={onClose}
    >
      {words.sendSelectedAsk(pings.length)}
    </ConfirmDialog>
  );
}

/** Says first how many there are. */
export function SendAll({
  onClose,
  onSent,
}: Readonly<{ onClose: () => void; onSent: (count: number) => Promise<unknown> }>) {
  const count = useQuery({
    queryKey: ['parked-count'],
    queryFn: () => ask('POST pings/send', { body: { ...PARKED, dry_run: true } }),
    gcTime: 0,
  });
  const send = useMutationOnce({
    mutationFn: () => ask('POST pings/send', { body: PARKED }),
    onSuccess: ({ sent }) => {
      onClose();
      return onSent(sent);
    },
  });
  return (
    <ConfirmDialog
      title={words.sendAll}
      apply={words.apply}
      cancel={words.cancel}
      error={send.error ?? count.error}
      busy={send.isPending || count.isPending}
      onApply={() => send.mutate()}
      onClose={onClose}
    >
      {count.data ? words.sendAllAsk(count.data.matched) : words.counting}
    </ConfirmDialog>
  );
}
