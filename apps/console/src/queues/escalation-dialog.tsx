import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Queue } from '#desk/queue.contract';
import { DialogForm } from '../frame/dialog-form.js';
import { frame } from '../words/frame.js';
import { queueWords } from './queue-words.js';
import { countsFromDueTime } from './queue-line.js';
import { useEscalation } from './use-escalation.js';

const words = queueWords.escalation;
type Props = Readonly<{ queue: Queue; onClose: () => void; onSaved: (news: string) => void }>;

/** After which time the orders of a queue are escalated, who gets them, and who is told. */
export function EscalationDialog({ queue, onClose, onSaved }: Props) {
  const form = useEscalation(queue, onSaved);
  const { rule, assignees, save, typed, change, faults } = form;
  return (
    <DialogForm
      title={words.title(queue.name)}
      submit={words.save}
      cancel={frame.cancel}
      error={form.isRefused ? null : (save.error ?? assignees.error)}
      typed={typed}
      isPending={save.isPending}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <p className="soft small">{countsFromDueTime(queue) ? words.overdue : words.stay}</p>
      <TextInput
        label={words.minutes}
        description={words.minutesHint}
        inputMode="numeric"
        autoComplete="off"
        value={typed.minutes}
        error={faults.after_minutes}
        onChange={({ currentTarget }) => change({ minutes: currentTarget.value })}
        data-autofocus
      />
      <NativeSelect
        label={words.assignee}
        value={typed.assignee}
        error={faults.assignee}
        data={form.choices}
        onChange={({ currentTarget }) => change({ assignee: currentTarget.value })}
      />
      <TextInput
        label={words.notify}
        description={words.notifyHint}
        type="email"
        autoComplete="off"
        value={typed.notify}
        error={faults.notify}
        onChange={({ currentTarget }) => change({ notify: currentTarget.value })}
      />
      {rule.after_minutes !== null && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            disabled={save.isPending}
            onClick={() => save.mutate({ after_minutes: null })}
          >
            {words.stop}
          </Button>
        </div>
      )}
    </DialogForm>
  );
}
