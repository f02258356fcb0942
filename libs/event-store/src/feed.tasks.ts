import type { Abstract, Type } from '@nestjs/common';
import { Connections } from '#database/connections';
import { DatabaseClock } from '#database/database-clock';
import { Metrics } from '#platform/metrics';
import type { BackgroundTask, TaskText } from '#platform/background-task';
import { followingTask } from '#platform/following-task';
import { EventArchive } from './event-archive.js';
import { FeedLeader } from './feed-leader.js';
import { type FeedHandler, Subscription } from './subscription.js';

const FEED_LEADER = 'feed leader';

export const FEED_TASKS: readonly BackgroundTask[] = [
  followingTask({
    name: FEED_LEADER,
    does: 'Moves new events from the outbox into the feed, which puts all events in one order.',
    seen: '`willcall_feed_backlog_seconds`, `willcall_feed_lag_seconds`',
    follows: 'the outbox, every 25 ms; after two seconds without an event every 250 ms, until an append wakes it',
    vital: true,
    worker: ({ get, onError, wakeFollowers }) => {
      const metrics = get(Metrics);
      return new FeedLeader({
        connection: get(Connections).config('willcall feed leader'),
        clock: get(DatabaseClock),
        onMoved({ lagMs }) {
          for (const ms of lagMs) metrics.feedLag.observe(ms / 1_000);
          wakeFollowers();
        },
        onLeading: wakeFollowers,
        onError,
      });
    },
  }),
];

export type FeedSubscription<T> = Omit<TaskText, 'wokenBy'> &
  Readonly<{
    /** The key in the table `subscriptions`. */
    checkpoint: string;
    handler: Type<T> | Abstract<T>;
    handle: (handler: T, ...batch: Parameters<FeedHandler>) => Promise<void>;
  }>;

export function feedSubscriptionTask<T>(subscription: FeedSubscription<T>): BackgroundTask {
  const { checkpoint, handler, handle, ...text } = subscription;
  return followingTask({
    ...text,
    wokenBy: FEED_LEADER,
    follows: 'the feed, at least every 500 ms, or 50 ms where another process leads it',
    vital: true,
    worker: ({ get, onError }) => {
      const handling = get(handler);
      return new Subscription({
        name: checkpoint,
        connection: get(Connections).config(`willcall ${text.name}`, { byIndex: true }),
        archive: get(EventArchive),
        handle: (events, tx) => handle(handling, events, tx),
        onError,
      });
    },
  });
}
