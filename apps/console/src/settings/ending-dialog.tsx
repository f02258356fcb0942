import { useQueryClient } from '@tanstack/react-query';
import { ask } from '../api/http.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { settingsWords } from './settings-words.js';

type Props = Readonly<{
  title: string;
  apply: string;
  /** The consequences. */
  question: string;
  path: string;
  listKey: string;
  /** Called afterwards, for example to leave the page of what was deleted. */
  onDone?: () => void;
  onClose: () => void;
}>;

/** Asks first, then deletes or revokes. */
export function EndingDialog({ title, apply, question, path, listKey, onDone, onClose }: Props) {
  const client = useQueryClient();
  const end = useMutationOnce({
    mutationFn: () => ask(path, { method: 'DELETE' }),
    onSuccess: () => {
      onClose();
      onDone?.();
      return client.invalidateQueries({ queryKey: [listKey] });
    },
  });
  return (
    <ConfirmDialog
      title={title}
      apply={apply}
      cancel={settingsWords.cancel}
      error={end.error}
      busy={end.isPending}
      isFinal
      onApply={() => end.mutate()}
      onClose={onClose}
    >
      {question}
    </ConfirmDialog>
  );
}
