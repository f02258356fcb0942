import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { settingsWords } from './settings-words.js';
import { IssuedSecret } from './issued-secret.js';

type Props<Answer> = Readonly<{
  title: string;
  apply: string;
  /** The consequences. */
  question: string;
  /** What to do with the secret. */
  once: string;
  make: () => Promise<Answer>;
  listKey: string;
  values: (answer: Answer) => readonly Readonly<{ name: string; value: string }>[];
  onClose: () => void;
}>;

/** Asks first, then makes a new secret and shows it once. */
export function SecretDialog<Answer>(props: Props<Answer>) {
  const { title, apply, question, once, make, listKey, values, onClose } = props;
  const client = useQueryClient();
  const making = useMutationOnce({
    mutationFn: make,
    onSuccess: () => client.invalidateQueries({ queryKey: [listKey] }),
    gcTime: 0,
  });
  if (making.data) {
    return (
      <IssuedSecret title={title} onClose={onClose} values={values(making.data)}>
        {once}
      </IssuedSecret>
    );
  }
  return (
    <ConfirmDialog
      title={title}
      apply={apply}
      cancel={settingsWords.cancel}
      error={making.error}
      busy={making.isPending}
      onApply={() => making.mutate()}
      onClose={onClose}
    >
      {question}
    </ConfirmDialog>
  );
}
