import { Connections } from '#database/connections';
import type { BackgroundTask } from '#platform/background-task';
import { followingTask } from '#platform/following-task';
import { PingStreamWriter } from './stream/ping-stream-writer.js';

export const PING_STREAM_TASKS: readonly BackgroundTask[] = [
  followingTask({
    name: 'ping stream',
    does: 'Adds an entry to the ping stream for each new status in the feed.',
    seen: '`willcall_stream_backlog_seconds`; `GET /stream/v1/pings`',
    wokenBy: 'feed leader',
    follows: 'the feed, at least every 500 ms, or 50 ms where another process leads it',
    vital: true,
    worker: ({ get, onError }) =>
      new PingStreamWriter({
        connection: get(Connections).config('willcall ping stream', { lazyCommit: true, byIndex: true }),
        onError,
      }),
  }),
];
