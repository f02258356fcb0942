import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { queuesQuery, snoozeOrder } from '../api/queues.js';
import { Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { frame } from '../words/frame.js';
import { dayAfter, dayOf, instantOf } from '../words/time-zone.js';
import { queueWords } from './queue-words.js';

const words = queueWords.snoozeDialog;
const HOUR_MS = 3_600_000;
const HOURS = [1, 4] as const;
const WEEK_HOURS = 168;

const tomorrowAtNine = () => instantOf(`${dayAfter(dayOf(new Date()))}T09:00`);

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

type Props = Readonly<{ orderId: string; onClose: () => void; onDone: (orderId: string, news: string) => void }>;

/** Asks for how long an order leaves its queue. */
export function SnoozeDialog({ orderId, onClose, onDone }: Props) {
  const client = useQueryClient();
  const snooze = useMutationOnce({
    mutationFn: (until: Date) => snoozeOrder(orderId, until.toISOString()),
    onSuccess: async () => {
      onDone(orderId, words.done(orderId));
      await client.invalidateQueries({ queryKey: queuesQuery.queryKey });
    },
  });
  const choices = [
    ...HOURS.map((hours) => ({ name: words.hours(hours), until: () => inHours(hours) })),
    { name: words.tomorrow, until: tomorrowAtNine },
    { name: words.week, until: () => inHours(WEEK_HOURS) },
  ];
  return (
    <Dialog title={words.title} typed={null} isPending={snooze.isPending} onClose={onClose}>
      <div className="stack">
        <p>{words.text}</p>
        {choices.map(({ name, until }, index) => (
          <Button
            key={name}
            variant="default"
            disabled={snooze.isPending}
            onClick={() => snooze.mutate(until())}
            {...(index === 0 && { 'data-autofocus': true })}
          >
            {name}
          </Button>
        ))}
        {snooze.error && <Failure error={snooze.error} />}
        <div className="row end">
          <Button variant="subtle" onClick={onClose}>
            {frame.cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
