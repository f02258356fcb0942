import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MoneyTask } from '#money/money-task.contract';
import { endTask } from '../api/money.js';
import { DialogForm } from '../frame/dialog-form.js';
import { NoteField } from '../frame/note-field.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { moneyWords } from './money-words.js';

const { dialog: words, kind: kinds, what } = moneyWords.tasks;

type Props = Readonly<{ task: MoneyTask; onClose: () => void; onDone: () => void }>;

/** Ends a task with a note that says what was done. */
export function TaskEndDialog({ task, onClose, onDone }: Props) {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const end = useMutationOnce({
    mutationFn: () => endTask(task.id, note.trim()),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ['list', 'GET money/tasks'] }),
  });
  const submit = () => {
    setMissing(note.trim() === '');
    if (note.trim() !== '') end.mutate();
  };
  return (
    <DialogForm
      title={words.title}
      submit={words.submit}
      cancel={moneyWords.cancel}
      typed={note}
      error={end.error}
      isPending={end.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {kinds[task.kind]}. <span className="soft">{what[task.kind]}</span>
      </p>
      <NoteField
        label={words.note}
        hint={task.order_id === null ? words.ownNoteHint : words.noteHint}
        note={note}
        error={isMissing && words.noteMissing}
        onChange={setNote}
        hasFocus
      />
    </DialogForm>
  );
}
