import { Link } from '@tanstack/react-router';
import type { Queue } from '#desk/queue.contract';
import { useNow } from '../frame/now.js';
import { exactTime, number, timeLeft } from '../words/formats.js';
import { frame } from '../words/frame.js';
import { queueWords as words } from './queue-words.js';

const BUILT_IN = 7;
/** As high as a line of text. */
const BLANK = '\u00a0';

type Props = Readonly<{
  queues: readonly Queue[] | undefined;
  chosen: string;
  /** What of the address stays. */
  search: Readonly<{ split?: string }>;
}>;

/** The queues with what waits in each and how long the first order has left. */
export function QueueTabs({ queues, chosen, search }: Props) {
  return (
    <nav aria-label={words.queues} className="queue-tabs">
      {!queues && Array.from({ length: BUILT_IN }, (_, place) => <TabSkeleton key={place} />)}
      {queues?.map((queue) => (
        <Link
          key={queue.id}
          to="/work/$id"
          params={{ id: queue.id }}
          search={search}
          className="queue-tab"
          activeProps={{}}
          {...(queue.id === chosen && { 'aria-current': 'true' as const })}
        >
          <span className="queue-name">{queue.name}</span>
          <strong className="queue-count">{number(queue.count)}</strong>
          <QueueClock queue={queue} />
        </Link>
      ))}
    </nav>
  );
}

function TabSkeleton() {
  return (
    <span className="queue-tab" aria-hidden="true">
      <span className="queue-name">{BLANK}</span>
      <strong className="queue-count">{BLANK}</strong>
      <span className="small">{BLANK}</span>
    </span>
  );
}

function QueueClock({ queue }: Readonly<{ queue: Queue }>) {
  const now = useNow(1_000);
  const { next_due_at: at, overdue, built_in: isBuiltIn } = queue;
  if (at === null) return <span className="soft small">{words.none}</span>;
  if (!isBuiltIn && overdue > 0) return <span className="small late">{words.overdue(number(overdue))}</span>;
  const { text, late } = timeLeft(at, now);
  return (
    <time className={`small${late ? ' late' : ' soft'}`} dateTime={at} title={exactTime(at)}>
      {late ? frame.late(text) : frame.left(text)}
    </time>
  );
}
