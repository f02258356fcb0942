import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Queue, QueueEscalation } from '#desk/queue.contract';
import { fieldErrors } from '../api/field-errors.js';
import { assigneesQuery } from '../api/order-changes.js';
import { queuesQuery, setEscalation } from '../api/queues.js';
import { DialogForm } from '../frame/dialog-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { frame } from '../words/frame.js';
import { queueWords } from './queue-words.js';
import { countsFromDueTime } from './queue-line.js';

const words = queueWords.escalation;
const FIELDS = ['after_minutes', 'assignee', 'notify'] as const;
const AT_FIRST = 60;
const MOST_MINUTES = 525_600;
const NO_RULE = { after_minutes: null, assignee: null, assignee_name: null, notify: null } as const;

type Faults = Partial<Record<(typeof FIELDS)[number], string>>;
type Props = Readonly<{ queue: Queue; onClose: () => void; onSaved: (news: string) => void }>;

/** After which time the orders of a queue are escalated, who gets them, and who is told. */
export function EscalationDialog({ queue, onClose, onSaved }: Props) {
  const client = useQueryClient();
  const [rule] = useState(queue.escalation ?? NO_RULE);
  const [minutes, setMinutes] = useState(String(rule.after_minutes ?? AT_FIRST));
  const [assignee, setAssignee] = useState(rule.assignee ?? '');
  const [notify, setNotify] = useState(rule.notify ?? '');
  const [wrong, setWrong] = useState<Faults>({});
  const assignees = useQuery(assigneesQuery);
  const save = useMutationOnce({
    mutationFn: (body: NonNullable<QueueEscalation>) => setEscalation(queue.id, body),
    onSuccess: async (_, { after_minutes: after }) => {
      onSaved(after === null ? words.stopped(queue.name) : words.saved(queue.name));
      await client.invalidateQueries({ queryKey: queuesQuery.queryKey });
    },
  });
  const submit = () => {
    const after = /^\d{1,6}$/.test(minutes.trim()) ? Number(minutes) : 0;
    const address = notify.trim();
    const found: Faults = {
      ...((after < 1 || after > MOST_MINUTES) && { after_minutes: words.minutesWrong }),
      ...(address !== '' && !/^[^\s@]+@[^\s@]+$/.test(address) && { notify: words.notifyWrong }),
    };
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    save.mutate({ after_minutes: after, assignee: assignee || null, notify: address || null });
  };
  const refused = fieldErrors(save.error, FIELDS);
  const faults = { ...refused, ...wrong };
  const people = assignees.data ?? [];
  const { assignee: before, assignee_name: name } = rule;
  const others = before && people.every(({ id }) => id !== before) ? [{ id: before, name: name ?? before }] : [];
  return (
    <DialogForm
      title={words.title(queue.name)}
      submit={words.save}
      cancel={frame.cancel}
      error={Object.keys(refused).length === 0 ? (save.error ?? assignees.error) : null}
      typed={{ minutes, assignee, notify }}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="soft small">{countsFromDueTime(queue) ? words.overdue : words.stay}</p>
      <TextInput
        label={words.minutes}
        description={words.minutesHint}
        inputMode="numeric"
        autoComplete="off"
        value={minutes}
        error={faults.after_minutes}
        onChange={({ currentTarget }) => setMinutes(currentTarget.value)}
        data-autofocus
      />
      <NativeSelect
        label={words.assignee}
        value={assignee}
        error={faults.assignee}
        data={[
          { value: '', label: words.keep },
          ...people.map(({ id, name: label }) => ({ value: id, label })),
          ...others.map((one) => ({ value: one.id, label: assignees.data ? words.notActive(one.name) : one.name })),
        ]}
        onChange={({ currentTarget }) => setAssignee(currentTarget.value)}
      />
      <TextInput
        label={words.notify}
        description={words.notifyHint}
        type="email"
        autoComplete="off"
        value={notify}
        error={faults.notify}
        onChange={({ currentTarget }) => setNotify(currentTarget.value)}
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
