import { useQuery } from '@tanstack/react-query';
import { queuesQuery } from '../api/queues.js';
import { number } from '../words/formats.js';
import { queueWords as words } from './queue-words.js';

// The page of the queues, whose data these are, asks more often.
const EVERY_MS = 15_000;

/** How many orders wait: each is in one of the built-in queues. */
export function OpenOrders() {
  const { data = [] } = useQuery({ ...queuesQuery, refetchInterval: EVERY_MS });
  const places = data.filter(({ id, built_in: isBuiltIn }) => isBuiltIn && id !== 'money');
  const count = places.reduce((sum, queue) => sum + queue.count, 0);
  if (count === 0) return null;
  const late = places.find(({ id }) => id === 'overdue')?.count ?? 0;
  return (
    <span className="nav-count label" title={words.open(number(count), number(late))}>
      {number(count)}
    </span>
  );
}
