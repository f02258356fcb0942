import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Queue, QueueEscalation } from '#desk/queue.contract';
import { fieldErrors } from '../api/field-errors.js';
import { assigneesQuery } from '../api/order-changes.js';
import { queuesQuery, setEscalation } from '../api/queues.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { MOST_QUEUE_MINUTES } from '#desk/desk.limits';
import { queueWords } from './queue-words.js';

const words = queueWords.escalation;
const FIELDS = ['after_minutes', 'assignee', 'notify'] as const;
const AT_FIRST = 60;
const NO_RULE = { after_minutes: null, assignee: null, assignee_name: null, notify: null } as const;

type Faults = Partial<Record<(typeof FIELDS)[number], string>>;
/** The rule of a queue as it is typed, checked and saved. */
export function useEscalation(queue: Queue, onSaved: (news: string) => void) {
  const client = useQueryClient();
  const [rule] = useState(queue.escalation ?? NO_RULE);
  const [typed, setTyped] = useState({
    minutes: String(rule.after_minutes ?? AT_FIRST),
    assignee: rule.assignee ?? '',
    notify: rule.notify ?? '',
  });
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
    const { minutes, assignee, notify } = typed;
    const after = /^\d+$/.test(minutes.trim()) ? Number(minutes) : 0;
    const address = notify.trim();
    const found: Faults = {
      ...((after < 1 || after > MOST_QUEUE_MINUTES) && { after_minutes: words.minutesWrong }),
      ...(address !== '' && !/^[^\s@]+@[^\s@]+$/.test(address) && { notify: words.notifyWrong }),
    };
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    save.mutate({ after_minutes: after, assignee: assignee || null, notify: address || null });
  };
  const refused = fieldErrors(save.error, FIELDS);
  const people = assignees.data ?? [];
  const { assignee: before, assignee_name: name } = rule;
  const others = before && people.every(({ id }) => id !== before) ? [{ id: before, name: name ?? before }] : [];
  return {
    rule,
    assignees,
    save,
    typed,
    change: (part: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...part })),
    faults: { ...refused, ...wrong },
    /** The server found a fault in a field, which says so. */
    isRefused: Object.keys(refused).length > 0,
    /** Who may get the orders. Whoever does already stays among them. */
    choices: [
      { value: '', label: words.keep },
      ...people.map(({ id, name: label }) => ({ value: id, label })),
      ...others.map((one) => ({ value: one.id, label: assignees.data ? words.notActive(one.name) : one.name })),
    ],
    submit,
  };
}
