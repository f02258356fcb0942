import { Button } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InboxNotice } from '#accounts/inbox.contract';
import { ask, askPage, FIRST_PAGE } from '../api/http.js';
import { sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { MoreButton } from '../frame/more-button.js';
import { PageHead } from '../frame/page-head.js';
import { SkeletonRows } from '../frame/skeleton-rows.js';
import { Time } from '../frame/time.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { EmailChoice } from './email-choice.js';
import { unreadQuery } from '../api/inbox.js';
import { inboxWords as words } from './inbox-words.js';
import './inbox.css';

const inboxQuery = infiniteQueryOptions({
  queryKey: ['inbox', 'list'],
  queryFn: ({ pageParam: cursor, signal }) => askPage('GET inbox', {}, { cursor, signal }),
  initialPageParam: FIRST_PAGE,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
});

/** What the person was told. */
export function InboxPage() {
  const client = useQueryClient();
  const list = useInfiniteQuery(inboxQuery);
  const { data: unread = 0 } = useQuery(unreadQuery);
  const read = useMutationOnce({
    mutationFn: (ids: readonly string[] | undefined) => ask('POST inbox/read', { body: ids ? { ids } : {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['inbox'] }),
  });
  const notices = list.data?.pages.flatMap((page) => page.notices) ?? [];
  return (
    <div className="page narrow">
      <PageHead title={words.title} hint={words.hint}>
        <Button variant="default" disabled={unread === 0} onClick={() => read.mutate(undefined)}>
          {words.readAll}
        </Button>
      </PageHead>
      <p role="status" className="visually-hidden">
        {read.isSuccess && unread === 0 ? words.allRead : ''}
      </p>
      {[list.error, read.error].map((error, index) => error && <Failure key={index} error={error} />)}
      {list.isPending && <SkeletonRows />}
      {list.isSuccess && notices.length === 0 && (
        <p className="empty" role="status">
          {words.none}
        </p>
      )}
      <ul className="inbox" aria-label={words.list}>
        {notices.map((notice) => (
          <Notice key={notice.id} notice={notice} onOpen={() => notice.read_at ?? read.mutate([notice.id])} />
        ))}
      </ul>
      <MoreButton list={list}>{words.more}</MoreButton>
      <EmailChoice />
    </div>
  );
}

function Notice({ notice, onOpen }: Readonly<{ notice: InboxNotice; onOpen: () => void }>) {
  const { kind, order_id: id, orders, actor, at, read_at: readAt } = notice;
  const { data: session } = useQuery(sessionQuery);
  const who = notice.actor_name ?? (actor === 'system' ? words.system : words.program);
  return (
    <li className={readAt === null ? 'unread' : ''}>
      <span>
        {readAt === null && <span className="visually-hidden">{words.unread} </span>}
        {words[kind](who)}{' '}
        {orders === 1 ? (
          <Link to="/orders/$id" params={{ id }} className="mono" onClick={onOpen}>
            {id}
          </Link>
        ) : (
          <Link to="/orders" search={{ assignee: session?.operator.id }} onClick={onOpen}>
            {words.orders(orders)}
          </Link>
        )}
      </span>
      <span className="soft small">
        <Time at={at} />
      </span>
    </li>
  );
}
