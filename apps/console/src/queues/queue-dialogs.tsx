import { useQueryClient } from '@tanstack/react-query';
import type { Queue } from '#desk/queue.contract';
import { queuesQuery, removeQueue } from '../api/queues.js';
import { lazyPart } from '../frame/lazy-part.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { frame } from '../words/frame.js';
import { EscalationDialog } from './escalation-dialog.js';
import { CustomQueueDialog } from './custom-queue-dialog.js';
import { queueWords as words } from './queue-words.js';
import { FIRST_QUEUE } from './use-queue.js';

const MacrosDialog = lazyPart(async () => (await import('../macros/macros-dialog.js')).MacrosDialog);

export type Editing = 'new' | 'edit' | 'remove' | 'escalation' | 'macros';

type Props = Readonly<{
  editing: Editing | null;
  queue: Queue | undefined;
  onClose: () => void;
  /** Goes to a queue. What was typed is saved. */
  onShow: (id: string) => void;
  onNews: (text: string) => void;
}>;

/** The dialogs that change the queue itself. */
export function QueueDialogs({ editing, queue, onClose, onShow, onNews }: Props) {
  const closeAnd =
    <Value,>(then: (value: Value) => void) =>
    (value: Value) => {
      onClose();
      then(value);
    };
  if (editing === 'new')
    return <CustomQueueDialog queue={undefined} onClose={onClose} onSaved={closeAnd(({ id }) => onShow(id))} />;
  if (editing === 'macros') return <MacrosDialog onClose={onClose} />;
  if (!queue) return null;
  if (editing === 'edit')
    return <CustomQueueDialog queue={queue} onClose={onClose} onSaved={closeAnd(({ id }) => onShow(id))} />;
  if (editing === 'escalation') return <EscalationDialog queue={queue} onClose={onClose} onSaved={closeAnd(onNews)} />;
  if (editing === 'remove')
    return <RemoveDialog queue={queue} onClose={onClose} onRemoved={() => onShow(FIRST_QUEUE)} />;
  return null;
}

type RemoveProps = Readonly<{ queue: Queue; onClose: () => void; onRemoved: () => void }>;

function RemoveDialog({ queue, onClose, onRemoved }: RemoveProps) {
  const client = useQueryClient();
  const remove = useMutationOnce({
    mutationFn: () => removeQueue(queue.id),
    onSuccess: async () => {
      onClose();
      onRemoved();
      await client.invalidateQueries({ queryKey: queuesQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={words.custom.removeTitle(queue.name)}
      apply={words.custom.removeApply}
      cancel={frame.cancel}
      error={remove.error}
      busy={remove.isPending}
      isFinal
      onApply={() => remove.mutate()}
      onClose={onClose}
    >
      {words.custom.removeText}
    </ConfirmDialog>
  );
}
