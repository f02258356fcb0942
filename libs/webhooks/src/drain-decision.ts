import type { DrainState } from './drain-state.js';

/** What a drain sees when it decides. Times in milliseconds: `now` since the epoch, `monotonic` of the monotonic clock. */
export type Observation = Readonly<{
  now: number;
  monotonic: number;
  /** Deliveries that were read and are to be sent. */
  queued: number;
  /** How many may be under way, and how long the next has to wait for the rate limit. */
  room: number;
  waitMs: number;
  /** How long a drain stays when nothing is left; 0 when others may have to wait for their turn. */
  lingerMs: number;
  /** The endpoint is active, and its circuit breaker closed. */
  isHealthy: boolean;
}>;

export type Command =
  | Readonly<{ do: 'read' | 'send' | 'putBack' | 'look' | 'release' | 'giveUp' | 'end' }>
  | Readonly<{ do: 'wait' | 'linger'; ms: number }>;

/** While something is under way, what has come meanwhile is looked for this often, should nobody have woken. */
export const TICK_MS = 500;

/** A rate limit that wants a longer wait is waited for in the queue: a lease does not last for ever. */
export const LONGEST_PAUSE_MS = 2_000;

/** What to do next. Not to be asked while something is being read or released. */
export function decide(state: DrainState, seen: Observation): Command {
  switch (state.phase) {
    case 'released':
    case 'releasedBehind':
    case 'givenUp':
      return { do: 'end' };
    case 'lost':
      if (seen.queued > 0) return { do: 'putBack' };
      return state.underWay > 0 ? { do: 'wait', ms: TICK_MS } : { do: 'giveUp' };
    case 'lingering':
      return whileLingering(state, seen);
    default:
      return atWork(state, seen);
  }
}

/** Whether it has to end, whatever is left. */
export function isOutOfTime(state: DrainState, seen: Pick<Observation, 'monotonic' | 'lingerMs'>): boolean {
  return state.stopping || (seen.monotonic >= state.endsAt && seen.lingerMs === 0);
}

/** Whether everything that is due has been sent. Only to be asked when nothing is queued or under way. */
export function isDrained(state: DrainState, { isHealthy }: Pick<Observation, 'isHealthy'>): boolean {
  return (state.phase === 'current' || state.phase === 'lingering') && !state.unsent && isHealthy;
}

function atWork(state: DrainState, seen: Observation): Command {
  const { queued, room, waitMs } = seen;
  const outOfTime = isOutOfTime(state, seen);
  const isStale = state.underWay > 0 && seen.monotonic - state.readAt >= TICK_MS;
  if (state.phase === 'current' && isStale) return { do: 'look' };
  if (queued > 0 && (outOfTime || room === 0)) return { do: 'putBack' };
  if (queued === 0 && state.phase === 'behind' && !outOfTime) return { do: 'read' };
  if (queued > 0 && state.underWay < room) {
    if (waitMs > LONGEST_PAUSE_MS) return { do: 'putBack' };
    return waitMs > 0 ? { do: 'wait', ms: Math.min(waitMs, TICK_MS) } : { do: 'send' };
  }
  if (queued > 0 || state.underWay > 0) return { do: 'wait', ms: TICK_MS };
  const lingerMs = Math.min(seen.lingerMs, (state.nextDue ?? Infinity) - seen.now);
  const mayLinger = !outOfTime && isDrained(state, seen) && lingerMs > 0;
  return mayLinger ? { do: 'linger', ms: lingerMs } : { do: 'release' };
}

function whileLingering(state: DrainState, seen: Observation): Command {
  const restMs = state.lingersUntil - seen.monotonic;
  if (restMs > 0 && !isOutOfTime(state, seen)) return { do: 'wait', ms: restMs };
  return state.nextDue !== undefined && seen.now >= state.nextDue ? { do: 'look' } : { do: 'release' };
}

/** What decides when somebody has to come back for the endpoint. Times in milliseconds since the epoch. */
export type Prospects = Readonly<{
  now: number;
  isActive: boolean;
  /** Until when its circuit breaker is open, if it is. */
  openUntil: number | null;
  /** Until when its rate limit holds it back. */
  pacedUntil: number;
  outOfTime: boolean;
}>;

/** When the endpoint is to be looked at again after a drain that is over; undefined when nothing is known to come. */
export function lookAgainAt(state: DrainState, prospects: Prospects): number | undefined {
  const { now, isActive, openUntil, pacedUntil, outOfTime } = prospects;
  if (state.phase === 'givenUp' || !isActive) return undefined;
  if (state.phase === 'releasedBehind' || (state.unsent && outOfTime)) return now;
  if (openUntil !== null && openUntil > now) return openUntil;
  return state.unsent ? pacedUntil : state.nextDue;
}
