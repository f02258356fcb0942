import type { DrainState } from './drain-state.js';

/** Times are in milliseconds: `now` since the epoch, `monotonic` of the monotonic clock. */
export type Observation = Readonly<{
  now: number;
  monotonic: number;
  /** Deliveries that were read and not sent yet. */
  queued: number;
  /** How many deliveries may be in flight. `waitMs` is the wait for the rate limit. */
  capacity: number;
  waitMs: number;
  /** How long an idle drain waits for more work. 0 if other endpoints may be waiting for a worker. */
  lingerMs: number;
  isHealthy: boolean;
}>;

export type Command =
  | Readonly<{ do: 'read' | 'send' | 'dropQueue' | 'recheck' | 'release' | 'abandon' | 'end' }>
  | Readonly<{ do: 'wait' | 'linger'; ms: number }>;

/** While deliveries are in flight, the drain checks for new work this often, even without a wake-up. */
const TICK_MS = 500;

/** For a longer wait the drain releases its lease and schedules a job, because a lease expires. */
const LONGEST_PAUSE_MS = 2_000;

/** Do not call this during a read or a release. */
export function decide(state: DrainState, seen: Observation): Command {
  switch (state.phase) {
    case 'released':
    case 'releasedBehind':
    case 'abandoned':
      return { do: 'end' };
    case 'lost':
      if (seen.queued > 0) return { do: 'dropQueue' };
      return state.inFlight > 0 ? { do: 'wait', ms: TICK_MS } : { do: 'abandon' };
    case 'lingering':
      return whileLingering(state, seen);
    default:
      return atWork(state, seen);
  }
}

/** True if the drain must end even if work is left. */
export function isOutOfTime(state: DrainState, seen: Pick<Observation, 'monotonic' | 'lingerMs'>): boolean {
  return state.stopping || (seen.monotonic >= state.endsAt && seen.lingerMs === 0);
}

/** True if all due deliveries were sent. Call this only when nothing is queued or in flight. */
export function isDrained(state: DrainState, { isHealthy }: Pick<Observation, 'isHealthy'>): boolean {
  return (state.phase === 'current' || state.phase === 'lingering') && !state.unsent && isHealthy;
}

function atWork(state: DrainState, seen: Observation): Command {
  const { queued, capacity, waitMs } = seen;
  const outOfTime = isOutOfTime(state, seen);
  const isStale = state.inFlight > 0 && seen.monotonic - state.readAt >= TICK_MS;
  if (state.phase === 'current' && isStale) return { do: 'recheck' };
  if (queued > 0 && (outOfTime || capacity === 0)) return { do: 'dropQueue' };
  if (queued === 0 && state.phase === 'behind' && !outOfTime) return { do: 'read' };
  if (queued > 0 && state.inFlight < capacity) {
    if (waitMs > LONGEST_PAUSE_MS) return { do: 'dropQueue' };
    return waitMs > 0 ? { do: 'wait', ms: Math.min(waitMs, TICK_MS) } : { do: 'send' };
  }
  if (queued > 0 || state.inFlight > 0) return { do: 'wait', ms: TICK_MS };
  const lingerMs = Math.min(seen.lingerMs, (state.nextDue ?? Infinity) - seen.now);
  const mayLinger = !outOfTime && isDrained(state, seen) && lingerMs > 0;
  return mayLinger ? { do: 'linger', ms: lingerMs } : { do: 'release' };
}

function whileLingering(state: DrainState, seen: Observation): Command {
  const restMs = state.lingersUntil - seen.monotonic;
  if (restMs > 0 && !isOutOfTime(state, seen)) return { do: 'wait', ms: restMs };
  return state.nextDue !== undefined && seen.now >= state.nextDue ? { do: 'recheck' } : { do: 'release' };
}

/** Times are in milliseconds since the epoch. */
export type WakeupConditions = Readonly<{
  now: number;
  isActive: boolean;
  openUntil: number | null;
  pacedUntil: number;
  outOfTime: boolean;
}>;

/** Returns when the endpoint must be checked again, or undefined if no work is known. */
export function nextWakeupAt(state: DrainState, conditions: WakeupConditions): number | undefined {
  const { now, isActive, openUntil, pacedUntil, outOfTime } = conditions;
  if (state.phase === 'abandoned' || !isActive) return undefined;
  if (state.phase === 'releasedBehind' || (state.unsent && outOfTime)) return now;
  if (openUntil !== null && openUntil > now) return openUntil;
  return state.unsent ? pacedUntil : state.nextDue;
}
