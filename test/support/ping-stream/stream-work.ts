import { SystemClock } from '#base/clock';
import { connectionConfig } from '#database/pool';
import { FeedLeader } from '#event-store/feed-leader';
import { PingStreamWriter } from '#outbound/stream/ping-stream-writer';

/** Fills the ping stream like the worker: moves events into the feed, and their pings into the stream. */
export function startStreamWork(databaseUrl: string): { stop(): Promise<void> } {
  const onError = () => undefined;
  const connection = connectionConfig({ databaseUrl, applicationName: 'test', byIndex: true });
  const stream = new PingStreamWriter({ connection, onError });
  const leader = new FeedLeader({ connection, clock: new SystemClock(), onMoved: () => stream.wake(), onError });
  leader.start();
  stream.start();
  return {
    async stop() {
      await Promise.all([leader.stop(), stream.stop()]);
    },
  };
}
