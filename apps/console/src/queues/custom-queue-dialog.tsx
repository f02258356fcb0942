import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DueField } from '#orders/order-search.contract';
import type { CustomQueueBody, Queue } from '#desk/queue.contract';
import { addQueue, queuesQuery, replaceQueue } from '../api/queues.js';
import { isObject } from '../api/is-object.js';
import { keysOf } from '../api/keys-of.js';
import { DialogForm } from '../frame/dialog-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { frame } from '../words/frame.js';
import { LONGEST_QUEUE_NAME, MOST_QUEUE_MINUTES } from '#desk/desk.limits';
import { queueWords } from './queue-words.js';

const words = queueWords.custom;
const FIELDS = Object.entries(words.fields).map(([value, label]) => ({ value, label }));
const AT_FIRST = '{"field": "total", "op": ">=", "value": 500}';

const isMinutes = (text: string) => /^-?\d+$/.test(text) && Math.abs(Number(text)) <= MOST_QUEUE_MINUTES;

type Props = Readonly<{ queue: Queue | undefined; onClose: () => void; onSaved: (queue: Queue) => void }>;
type Faults = Readonly<{ name?: string; where?: string; minutes?: string }>;

/** Makes a queue from a condition and a clock, or changes one. */
export function CustomQueueDialog({ queue, onClose, onSaved }: Props) {
  const client = useQueryClient();
  const [name, setName] = useState(queue?.name ?? '');
  const [where, setWhere] = useState(queue?.where ? JSON.stringify(queue.where) : AT_FIRST);
  const [minutes, setMinutes] = useState(String(queue?.due?.minutes ?? 30));
  const [field, setField] = useState<DueField>(queue?.due?.field ?? 'placed_at');
  const [faults, setFaults] = useState<Faults>({});
  const save = useMutationOnce({
    mutationFn: (body: CustomQueueBody) => (queue ? replaceQueue(queue.id, body) : addQueue(body)),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: queuesQuery.queryKey });
      onSaved(saved);
    },
  });
  const submit = () => {
    const condition = parsed(where);
    const found: Faults = {
      ...(name.trim() === '' && { name: words.nameMissing }),
      ...(condition === undefined && { where: words.conditionWrong }),
      ...(!isMinutes(minutes.trim()) && { minutes: words.minutesWrong }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0 || condition === undefined) return;
    const due = { field, minutes: Number(minutes) };
    save.mutate({ name: name.trim(), where: condition, due });
  };
  return (
    <DialogForm
      title={queue ? words.editTitle : words.title}
      submit={words.save}
      cancel={frame.cancel}
      error={save.error}
      typed={{ name, where, minutes, field }}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        value={name}
        error={faults.name}
        maxLength={LONGEST_QUEUE_NAME}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
      <Textarea
        label={words.condition}
        description={words.conditionHint}
        value={where}
        error={faults.where}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        onChange={({ currentTarget }) => setWhere(currentTarget.value)}
      />
      <TextInput
        label={words.minutes}
        description={words.minutesHint}
        value={minutes}
        error={faults.minutes}
        onChange={({ currentTarget }) => setMinutes(currentTarget.value)}
      />
      <NativeSelect
        label={words.field}
        data={FIELDS}
        value={field}
        onChange={({ currentTarget }) =>
          setField(keysOf(words.fields).find((one) => one === currentTarget.value) ?? field)
        }
      />
      <p className="soft small">{words.shared}</p>
    </DialogForm>
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const condition: unknown = JSON.parse(text);
    return isObject(condition) ? condition : undefined;
  } catch {
    return undefined;
  }
}
