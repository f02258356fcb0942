import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import type { TimelineEntry } from '#desk/timeline.contract';
import { timelineQuery } from '../api/desk.js';
import { Failure } from '../frame/failure.js';
import { lazyPart } from '../frame/lazy-part.js';
import { SkeletonRows } from '../frame/skeleton-rows.js';
import { clockTime, dateText, exactTime } from '../words/formats.js';
import { actorText } from './actors.js';
import { orderWords as words } from './order-words.js';
import { folded, GROUPS, isIn, until, writtenText } from './timeline-entries.js';

const WhyChain = lazyPart(async () => (await import('./why-chain.js')).WhyChain);

/** Everything that happened to the order, newest first. */
export function Timeline({ order, isPast }: Readonly<{ order: OrderDetail; isPast: boolean }>) {
  const address = useSearch({ strict: false });
  const { timeline, ...search } = address;
  const group = GROUPS.find((one) => one === timeline) ?? 'all';
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    timelineQuery(order.id),
  );
  const all = data?.pages.flatMap(({ entries }) => entries) ?? [];
  const entries = folded(until(all, order, isPast).filter((entry) => isIn(group, entry)));
  return (
    <section className="timeline">
      <div className="card-head">
        <h2 id="timeline">{words.timeline}</h2>
        <nav className="groups" aria-label={words.filter}>
          {GROUPS.map((one) => (
            <Link
              key={one}
              to="."
              search={{ ...search, ...(one !== 'all' && { timeline: one }) }}
              resetScroll={false}
              activeOptions={{ exact: true }}
              {...(one === group && { 'aria-current': 'true' as const })}
            >
              {words.filters[one]}
            </Link>
          ))}
        </nav>
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!isPending && !error && entries.length === 0 && <p className="soft">{words.timelineEmpty}</p>}
      {isPending && <SkeletonRows />}
      <ol aria-label={words.timeline}>
        {entries.map(({ entry, attempts }, index) => (
          <Entry
            key={`${entry.at} ${entry.kind} ${index}`}
            entry={entry}
            attempts={attempts}
            newDay={isNewDay(entry, entries[index - 1]?.entry)}
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

function isNewDay({ at }: TimelineEntry, before: TimelineEntry | undefined): boolean {
  return before === undefined || dateText(at) !== dateText(before.at);
}

type EntryProps = Readonly<{ entry: TimelineEntry; attempts: readonly TimelineEntry[]; newDay: boolean }>;

function Entry({ entry, attempts, newDay }: EntryProps) {
  const [why, setWhy] = useState(false);
  const titleId = useId();
  const { at, kind, title, detail, transaction_id } = entry;
  const written = writtenText(entry);
  return (
    <li className={`entry ${kind}`}>
      <time dateTime={at} title={exactTime(at)}>
        {newDay && <span className="day">{dateText(at)}</span>}
        {clockTime(at)}
      </time>
      <div className="entry-body">
        <span className="entry-title" id={titleId}>
          {title}
        </span>
        {written !== '' && <p className="note-text">{written}</p>}
        <Attempts attempts={attempts} />
        {kind !== 'note' && <Detail detail={detail} />}
        {why && transaction_id !== null && <WhyChain transactionId={transaction_id} />}
      </div>
      <Actor entry={entry} />
      {transaction_id === null ? (
        <span />
      ) : (
        <button
          type="button"
          className="link-button small"
          aria-expanded={why}
          aria-describedby={titleId}
          onClick={() => setWhy(!why)}
        >
          {words.why} {why ? '▾' : '▸'}
        </button>
      )}
    </li>
  );
}

/** The last answer, which opens to show all of them. */
function Attempts({ attempts }: Readonly<{ attempts: readonly TimelineEntry[] }>) {
  const last = attempts.at(-1);
  if (!last) return null;
  return (
    <details className="detail attempts-of-ping">
      <summary>
        {last.title} · {words.attempts(attempts.length)}
      </summary>
      <ol>
        {attempts.map(({ at, title }, index) => (
          <li key={`${at} ${index}`}>
            <time dateTime={at} title={exactTime(at)}>
              {clockTime(at)}
            </time>{' '}
            {title}
          </li>
        ))}
      </ol>
    </details>
  );
}

function Actor({ entry: { actor, actor_name } }: Readonly<{ entry: TimelineEntry }>) {
  return (
    <span className="soft actor" title={actor}>
      {actorText(actor, actor_name)}
    </span>
  );
}

function Detail({ detail }: Readonly<{ detail: TimelineEntry['detail'] }>) {
  if (Object.keys(detail).length === 0) return null;
  return (
    <details className="detail">
      <summary>{words.detail}</summary>
      <pre className="mono">{JSON.stringify(detail, null, 2)}</pre>
    </details>
  );
}
