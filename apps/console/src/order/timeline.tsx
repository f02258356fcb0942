import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail } from '#contracts/backoffice/order';
import { isNotFound } from '../api/api-error.js';
import { sessionQuery } from '../api/session.js';
import { type TimelineEntry, timelineQuery } from '../api/desk.js';
import { Failure } from '../frame/failure.js';
import { clockTime, dayText, exactTime } from '../words/formats.js';
import { orderWords as words } from '../words/order.js';
import { entriesOf, type Group, GROUPS, isIn, until } from './timeline-entries.js';
import { WhyChain } from './why-chain.js';

/** Everything that happened to the order, oldest first. */
export function Timeline({ order, isPast }: Readonly<{ order: OrderDetail; isPast: boolean }>) {
  const [group, setGroup] = useState<Group>('all');
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    timelineQuery(order.id),
  );
  const isMissing = isNotFound(error);
  const all = isMissing ? entriesOf(order) : (data?.pages.flatMap(({ entries }) => entries) ?? []);
  const entries = until(all, order, isPast).filter((entry) => isIn(group, entry));
  return (
    <section className="timeline">
      <div className="card-head">
        <h2 id="timeline">{words.timeline}</h2>
        <div className="groups" role="group" aria-label={words.timeline}>
          {GROUPS.map((one) => (
            <button key={one} type="button" aria-pressed={group === one} onClick={() => setGroup(one)}>
              {words.filters[one]}
            </button>
          ))}
        </div>
      </div>
      {error && !isMissing && <Failure error={error} retry={() => void refetch()} />}
      {!isPending && (!error || isMissing) && entries.length === 0 && <p className="soft">{words.timelineEmpty}</p>}
      <ol aria-label={words.timeline}>
        {entries.map((entry, index) => (
          <Entry
            key={`${entry.at} ${entry.kind} ${index}`}
            entry={entry}
            newDay={entry.at.slice(0, 10) !== entries[index - 1]?.at.slice(0, 10)}
          />
        ))}
      </ol>
      {hasNextPage && (
        <button
          type="button"
          className="link-button"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {words.earlier}
        </button>
      )}
    </section>
  );
}

function Entry({ entry, newDay }: Readonly<{ entry: TimelineEntry; newDay: boolean }>) {
  const [why, setWhy] = useState(false);
  const { at, kind, title, detail, actor, transaction_id } = entry;
  const note = kind === 'note' ? noteText(detail) : '';
  return (
    <li className={`entry ${kind}`}>
      <time dateTime={at} title={exactTime(at)}>
        {newDay && <span className="day">{dayText(at)}</span>}
        {clockTime(at)}
      </time>
      <div className="entry-body">
        <span className="entry-title">{title}</span>
        {note !== '' && <p className="note-text">{note}</p>}
        {note === '' && <Detail detail={detail} />}
        {why && transaction_id !== null && <WhyChain transactionId={transaction_id} />}
      </div>
      <Actor actor={actor} />
      {transaction_id === null ? (
        <span />
      ) : (
        <button
          type="button"
          className="link-button small"
          aria-expanded={why}
          aria-label={words.whyOf(title)}
          onClick={() => setWhy(!why)}
        >
          {words.why} {why ? '▾' : '▸'}
        </button>
      )}
    </li>
  );
}

function Actor({ actor }: Readonly<{ actor: string | null }>) {
  const { data: session } = useQuery(sessionQuery);
  if (actor === null) return <span />;
  const isMe = session && actor === `operator:${session.operator.id}`;
  return (
    <span className="soft actor" title={actor}>
      {isMe ? session.operator.name : (words.actors[actor] ?? actor)}
    </span>
  );
}

function noteText(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  const text = (detail as { text?: unknown } | null)?.text;
  return typeof text === 'string' ? text : '';
}

/** What is told beside the title: a text, or fields folded away. */
function Detail({ detail }: Readonly<{ detail: unknown }>) {
  if (typeof detail === 'string' && detail !== '') return <span className="soft"> {detail}</span>;
  if (typeof detail !== 'object' || detail === null) return null;
  if (Object.keys(detail).length === 0) return null;
  return (
    <details className="detail">
      <summary>{words.detail}</summary>
      <pre className="mono">{JSON.stringify(detail, null, 2)}</pre>
    </details>
  );
}
