import { useQueryClient } from '@tanstack/react-query';
import type { NewMaintenanceRun } from '#upkeep/maintenance.contract';
import { ask } from '../../api/http.js';
import { ConfirmDialog } from '../../frame/confirm-dialog.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { wordFor } from '../../words/word-for.js';
import { projectionWords as words } from './projection-words.js';

type Props = Readonly<{ wanted: NewMaintenanceRun; onClose: () => void }>;

/** Explains the consequences, and then requests the run. */
export function StartRunDialog({ wanted, onClose }: Props) {
  const client = useQueryClient();
  const start = useMutationOnce({
    mutationFn: () => ask('POST maintenance-runs', { body: wanted }),
    onSuccess: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['maintenance-runs'] });
    },
  });
  const { kind, projection } = wanted;
  const name = wordFor(words.names, projection ?? '') ?? '';
  return (
    <ConfirmDialog
      title={kind === 'verify' ? words.verify : projection === 'all' ? words.rebuildAll : words.rebuildOf(name)}
      apply={words.start}
      cancel={words.cancel}
      error={start.error}
      busy={start.isPending}
      onApply={() => start.mutate()}
      onClose={onClose}
    >
      {kind === 'verify' ? words.verifyAsk : projection === 'all' ? words.rebuildAllAsk : words.rebuildAsk(name)}
    </ConfirmDialog>
  );
}
