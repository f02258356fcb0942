/**
 * - `behind`: due deliveries may exist that were not read yet.
 * - `reading`: they are being read. `readingBehind`: new ones arrived meanwhile.
 * - `current`: all were read. They are being sent, or none is left.
 * - `lingering`: none is left, and the drain waits briefly for more.
 * - `releasing`: the lease is being released. `releasingBehind`: work is left or arrived meanwhile.
 * - `released`, `releasedBehind`: the end. `releasedBehind` needs a new job at once.
 * - `lost`: the lease was lost, the endpoint was removed, or an error occurred. Nothing is written any more.
 * - `abandoned`: the end after `lost`.
 */
export type Phase =
  | 'behind'
  | 'reading'
  | 'readingBehind'
  | 'current'
  | 'lingering'
  | 'releasing'
  | 'releasingBehind'
  | 'released'
  | 'releasedBehind'
  | 'lost'
  | 'abandoned';

type Trigger =
  | 'wake'
  | 'read'
  /** A read has returned all due deliveries, or only some of them. */
  | 'readAll'
  | 'readSome'
  | 'linger'
  | 'release'
  | 'released'
  /** The lease was not released, because a wake-up arrived meanwhile. */
  | 'wokenAtRelease'
  | 'lose'
  | 'abandon';

/** The next phase for each trigger. A trigger that is missing cannot occur in that phase. */
export const TRANSITIONS: Readonly<Record<Phase, Readonly<Partial<Record<Trigger, Phase>>>>> = {
  behind: { wake: 'behind', read: 'reading', linger: 'behind', release: 'releasingBehind', lose: 'lost' },
  reading: { wake: 'readingBehind', readAll: 'current', readSome: 'behind', lose: 'lost' },
  readingBehind: { wake: 'readingBehind', readAll: 'behind', readSome: 'behind', lose: 'lost' },
  current: { wake: 'behind', linger: 'lingering', release: 'releasing', lose: 'lost' },
  lingering: { wake: 'behind', release: 'releasing' },
  releasing: { wake: 'releasingBehind', released: 'released', wokenAtRelease: 'behind', lose: 'lost' },
  releasingBehind: { wake: 'releasingBehind', released: 'releasedBehind', wokenAtRelease: 'behind', lose: 'lost' },
  released: { wake: 'released' },
  releasedBehind: { wake: 'releasedBehind' },
  lost: { wake: 'lost', readAll: 'lost', readSome: 'lost', lose: 'lost', abandon: 'abandoned' },
  abandoned: { wake: 'abandoned' },
};

/** Times are in milliseconds: `nextDue` since the epoch, the others of the monotonic clock. */
export type DrainState = Readonly<{
  phase: Phase;
  /** Sent and not recorded yet. */
  inFlight: number;
  /** Due deliveries were dropped from the queue since the last read. */
  unsent: boolean;
  nextDue: number | undefined;
  readAt: number;
  lingersUntil: number;
  /** Deliveries in flight are finished, and no more are sent. */
  stopping: boolean;
  /** After this time the drain ends if other endpoints are waiting. */
  endsAt: number;
  error: unknown;
}>;

export type DrainEvent =
  | Readonly<{ is: 'wake' | 'release' | 'released' | 'wokenAtRelease' | 'abandon' }>
  | Readonly<{ is: 'read'; at: number }>
  /** Without `due` if nothing may be sent and so only the stream was read. */
  | Readonly<{ is: 'readAll' | 'readSome'; due?: Readonly<{ next: number | undefined }> | undefined }>
  | Readonly<{ is: 'linger'; until: number }>
  | Readonly<{ is: 'lose'; error?: unknown }>
  | Readonly<{ is: 'stop' | 'send' | 'sent' | 'dropQueue' }>
  /** A delivery failed and is due again at that time. */
  | Readonly<{ is: 'postponed'; until: number }>;

export function initialState(endsAt: number): DrainState {
  return {
    phase: 'behind',
    inFlight: 0,
    unsent: false,
    nextDue: undefined,
    readAt: 0,
    lingersUntil: 0,
    stopping: false,
    endsAt,
    error: undefined,
  };
}

/** Throws if the event cannot occur in this phase. */
export function transition(state: DrainState, event: DrainEvent): DrainState {
  switch (event.is) {
    case 'stop':
      return { ...state, stopping: true };
    case 'send':
      return { ...state, inFlight: state.inFlight + 1 };
    case 'sent':
      return { ...state, inFlight: state.inFlight - 1 };
    case 'dropQueue':
      return { ...state, unsent: true };
    case 'postponed':
      return { ...state, nextDue: Math.min(state.nextDue ?? Infinity, event.until) };
    case 'read':
      return { ...advance(state, 'read'), unsent: false, readAt: event.at };
    case 'readAll':
    case 'readSome':
      return { ...advance(state, event.is), nextDue: event.due ? event.due.next : state.nextDue };
    case 'linger':
      return { ...advance(state, 'linger'), lingersUntil: event.until };
    case 'lose':
      return { ...advance(state, 'lose'), error: state.error ?? event.error };
    default:
      return advance(state, event.is);
  }
}

function advance(state: DrainState, trigger: Trigger): DrainState {
  const phase = TRANSITIONS[state.phase][trigger];
  if (phase === undefined) throw new Error(`a drain that is ${state.phase} cannot ${trigger}`);
  return phase === state.phase ? state : { ...state, phase };
}
