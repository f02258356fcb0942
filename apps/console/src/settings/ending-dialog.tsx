import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { settingsWords } from './settings-words.js';

type Props = Readonly<{
  title: string;
  apply: string;
  /** The consequences. */
  question: string;
  end: () => Promise<unknown>;
  listKey: string;
  /** Called afterwards, for example to leave the page of what was deleted. */
  onDone?: () => void;
  onClose: () => void;
}>;

/** Asks first, then deletes or revokes. */
export function EndingDialog({ title, apply, question, end, listKey, onDone, onClose }: Props) {
  const client = useQueryClient();
  const ending = useMutationOnce({
    mutationFn: end,
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
      error={ending.error}
      busy={ending.isPending}
      isFinal
      onApply={() => ending.mutate()}
      onClose={onClose}
    >
      {question}
    </ConfirmDialog>
  );
}
