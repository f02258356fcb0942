import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OrderQueue } from '#desk/queue.contract';
import type { OrderDetail } from '#orders/order.contract';
import { orderQueueQuery } from '../api/order-queue.js';
import { useNow } from '../frame/now.js';
import { Time } from '../frame/time.js';
import { TimeLeft } from '../frame/time-left.js';
import { minuteTime } from '../words/formats.js';
import { wordFor } from '../words/word-for.js';
import { actorText } from './actors.js';
import { nextWords as words } from './next-words.js';
import { useEntries } from './use-entries.js';
import { Waits } from './waits.js';

const SOON_MS = 24 * 3_600_000;

type Props = Readonly<{ order: OrderDetail; isPast: boolean }>;

/** What is to be done, until when, and what has just happened. In the past it only keeps its place. */
export function NextLine({ order, isPast }: Props) {
  const { data: place } = useQuery({
    ...orderQueueQuery(order.id, order.version),
    placeholderData: keepPreviousData,
  });
  const [last] = useEntries(order, isPast);
  if (isPast) return <div className="next-line" />;
  return (
    <div className="next-line" role="group" aria-label={words.label}>
      <Todo order={order} />
      {place && <Place place={place} />}
      <Waits order={order} />
      {last && (
        <span className="soft small just-now">
          {words.last} {last.title} · {actorText(last.actor, last.actor_name)} · <Time at={last.at} />
        </span>
      )}
    </div>
  );
}

function Todo({ order }: Readonly<{ order: OrderDetail }>) {
  const now = useNow();
  const { status, confirm_by: confirmBy, delivery } = order;
  const { next_action: next, acts, due_at: due } = delivery;
  if (next === 'done' && status?.status !== 'exception') return <span className="soft">{words.nothing}</span>;
  const isReview = next === 'confirm' && confirmBy === null;
  return (
    <>
      <strong>{isReview ? words.review : words.todo[next]}</strong>
      {wordFor(words.acts, acts) !== undefined && <span className="soft">{wordFor(words.acts, acts)}</span>}
      {/* The broker's clock says it in words of its own. */}
      {due !== null && confirmBy === null && (
        <span className={Date.parse(due) - now < SOON_MS ? 'clock' : 'soft'}>
          {words.until(minuteTime(due, now))} · <TimeLeft until={due} />
        </span>
      )}
    </>
  );
}

function Place({ place }: Readonly<{ place: OrderQueue }>) {
  const now = useNow();
  const { queue, snoozed_until: snoozed, escalated_at: escalated } = place;
  if (queue === null) return null;
  return (
    <>
      <Link to="/work/$id" params={{ id: queue }} className={`queue-mark${queue === 'overdue' ? ' late' : ''}`}>
        {words.queue[queue]}
      </Link>
      {snoozed !== null && <span className="soft">{words.snoozed(minuteTime(snoozed, now))}</span>}
      {escalated !== null && <span className="late">{words.escalated}</span>}
    </>
  );
}
