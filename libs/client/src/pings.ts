import { type Dependencies, resolveDependencies } from './dependencies.js';
import { feedPages } from './feed-pages.js';
import { type EpochChange, follow, type FollowOptions, type Interruption } from './following.js';
import { liveEvents } from './live-events.js';
import type { PingEntry } from './ping-entry.js';
import { assertReadable, type StreamSource } from './stream-source.js';

export type { EpochChange, Interruption } from './following.js';
export type { OrderStatus } from './order-status.js';
export type { PingEntry } from './ping-entry.js';
export { type PingFilters, StreamEpochChanged, StreamRequestError, type StreamSource } from './stream-source.js';

type Reading = StreamSource &
  Readonly<{
    /** Ends the iteration, without an error. */
    signal?: AbortSignal;
    /** Called when the stream breaks or is not available, with the wait before the next try. */
    onInterruption?: (interruption: Interruption) => void;
    /** The epoch of `after`, from `onEpoch` when you stored the position. */
    epoch?: string;
    /** Called with the epoch before its first entry. Store it with the position. */
    onEpoch?: (epoch: string) => void;
    /**
     * Called when the stream is in another epoch (the database was restored or failed over). It returns the position to continue
     * after, from 0 to `last`. Without it the iteration throws a `StreamEpochChanged`.
     */
    onEpochChange?: (change: EpochChange) => number | Promise<number>;
    dependencies?: Partial<Dependencies>;
  }>;

export type PingsOptions = Reading &
  Readonly<{
    /** The `position` of the last entry that you have processed. Default 0: from the first entry. */
    after?: number;
    /** The maximum number of entries per request; default 1000. */
    limit?: number;
    /** How long the server holds a request at the end of the feed; default 25, shorter than common idle timeouts. */
    waitSeconds?: number;
  }>;

export type LivePingsOptions = Reading &
  Readonly<{
    /** As for `pings`. `now` skips the past; a reader that reconnects before its first entry may miss some. */
    after?: number | 'now';
    /** A connection that stays silent for this long is replaced. Default: 45 s, three heartbeats. */
    heartbeatTimeoutMs?: number;
  }>;

/**
 * Yields every ping after a position, in order, each position once. At the end of the feed it waits for the next ping. It
 * survives lost connections, restarts and 5xx with growing waits. Throws a `StreamRequestError` when a retry cannot help.
 * @example for await (const ping of pings({ url, token, after })) await store(ping);
 */
export function pings(options: PingsOptions): AsyncGenerator<PingEntry, void, undefined> {
  const { after = 0, limit = 1_000, waitSeconds = 25 } = options;
  assertReadable(options, after);
  const dependencies = resolveDependencies(options.dependencies);
  return follow(
    (place, until) => feedPages(options, { limit, waitSeconds }, dependencies, place, until),
    following(options, after, dependencies),
  );
}

/**
 * Yields the same entries over server-sent events. Each arrives moments after its commit. It resumes after the last one by itself.
 * @example for await (const ping of livePings({ url, token, after: 'now' })) show(ping);
 */
export function livePings(options: LivePingsOptions): AsyncGenerator<PingEntry, void, undefined> {
  const { heartbeatTimeoutMs = 45_000 } = options;
  const after = options.after === 'now' ? undefined : (options.after ?? 0);
  assertReadable(options, after ?? 0);
  const dependencies = resolveDependencies(options.dependencies);
  return follow(
    (place, until) => liveEvents(options, heartbeatTimeoutMs, dependencies, place, until),
    following(options, after, dependencies),
  );
}

function following(options: Reading, after: number | undefined, dependencies: Dependencies): FollowOptions {
  const { signal, onInterruption, epoch, onEpoch, onEpochChange } = options;
  return { after, epoch, signal, onInterruption, onEpoch, onEpochChange, dependencies };
}
