/**
 * How far a drain has come with what is due to its endpoint.
 *
 * - `behind`: the database may hold something that was not seen yet.
 * - `reading`: what is due is being read. `readingBehind`: something came meanwhile.
 * - `current`: all that is due has been read. It is being sent, or nothing is left.
 * - `lingering`: nothing is left, and the drain waits a little for what may come next.
 * - `releasing`: the lease is being given back. `releasingBehind`: something is left, or came meanwhile.
 * - `released`, `releasedBehind`: over, and the lease is somebody else's to take. `releasedBehind` needs a job at once.
 * - `lost`: the lease was lost, the endpoint is gone, or something failed. Nothing is written any more.
 * - `givenUp`: over after `lost`.
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
  | 'givenUp';

/** What changes the phase. */
type Turn =
  /** There may be something new. */
  | 'wake'
  | 'read'
  /** The reading has ended, with all that is due or with only some of it. */
  | 'readAll'
  | 'readSome'
  | 'linger'
  | 'release'
  | 'released'
  /** The lease was not given back, because there was a wake-up meanwhile. */
  | 'wokenAtRelease'
  | 'lose'
  | 'giveUp';

/**
 * The table of transitions: a row for each phase, and in it what each turn leads to. A turn that is missing from a row cannot
 * come in that phase.
 */
export const TRANSITIONS: Readonly<Record<Phase, Readonly<Partial<Record<Turn, Phase>>>>> = {
  behind: { wake: 'behind', read: 'reading', linger: 'behind', release: 'releasingBehind', lose: 'lost' },
  reading: { wake: 'readingBehind', readAll: 'current', readSome: 'behind', lose: 'lost' },
  readingBehind: { wake: 'readingBehind', readAll: 'behind', readSome: 'behind', lose: 'lost' },
  current: { wake: 'behind', linger: 'lingering', release: 'releasing', lose: 'lost' },
  lingering: { wake: 'behind', release: 'releasing' },
  releasing: { wake: 'releasingBehind', released: 'released', wokenAtRelease: 'behind', lose: 'lost' },
  releasingBehind: { wake: 'releasingBehind', released: 'releasedBehind', wokenAtRelease: 'behind', lose: 'lost' },
  released: { wake: 'released' },
  releasedBehind: { wake: 'releasedBehind' },
  lost: { wake: 'lost', readAll: 'lost', readSome: 'lost', lose: 'lost', giveUp: 'givenUp' },
  givenUp: { wake: 'givenUp' },
};

/** Times in milliseconds: `nextDue` since the epoch, the others of the monotonic clock. */
export type DrainState = Readonly<{
  phase: Phase;
  /** Deliveries that were sent and are not recorded yet. */
  underWay: number;
  /** Something due was put back since the last reading. */
  unsent: boolean;
  /** When the next delivery that is not due yet will be. */
  nextDue: number | undefined;
  readAt: number;
  /** Until when a drain that is lingering waits. */
  lingersUntil: number;
  /** What is under way is finished, and no more. */
  stopping: boolean;
  /** From then on others have their turn, should they wait. */
  endsAt: number;
  /** The first thing that went wrong. */
  fault: unknown;
}>;

export type DrainEvent =
  | Readonly<{ is: 'wake' | 'release' | 'released' | 'wokenAtRelease' | 'giveUp' }>
  | Readonly<{ is: 'read'; at: number }>
  /** Without `due` when nothing may be sent, and so only the stream was read. */
  | Readonly<{ is: 'readAll' | 'readSome'; due?: Readonly<{ next: number | undefined }> | undefined }>
  | Readonly<{ is: 'linger'; until: number }>
  | Readonly<{ is: 'lose'; fault?: unknown }>
  | Readonly<{ is: 'stop' | 'send' | 'sent' | 'putBack' }>
  /** A delivery failed, and is due again then. */
  | Readonly<{ is: 'postponed'; until: number }>;

export function beginningOf(endsAt: number): DrainState {
  return {
    phase: 'behind',
    underWay: 0,
    unsent: false,
    nextDue: undefined,
    readAt: 0,
    lingersUntil: 0,
    stopping: false,
    endsAt,
    fault: undefined,
  };
}

/** The state after an event. Throws for one that cannot come in this phase. */
export function transition(state: DrainState, event: DrainEvent): DrainState {
  switch (event.is) {
    case 'stop':
      return { ...state, stopping: true };
    case 'send':
      return { ...state, underWay: state.underWay + 1 };
    case 'sent':
      return { ...state, underWay: state.underWay - 1 };
    case 'putBack':
      return { ...state, unsent: true };
    case 'postponed':
      return { ...state, nextDue: Math.min(state.nextDue ?? Infinity, event.until) };
    case 'read':
      return { ...turned(state, 'read'), unsent: false, readAt: event.at };
    case 'readAll':
    case 'readSome':
      return { ...turned(state, event.is), nextDue: event.due ? event.due.next : state.nextDue };
    case 'linger':
      return { ...turned(state, 'linger'), lingersUntil: event.until };
    case 'lose':
      return { ...turned(state, 'lose'), fault: state.fault ?? event.fault };
    default:
      return turned(state, event.is);
  }
}

function turned(state: DrainState, turn: Turn): DrainState {
  const phase = TRANSITIONS[state.phase][turn];
  if (phase === undefined) throw new Error(`a drain that is ${state.phase} cannot ${turn}`);
  return phase === state.phase ? state : { ...state, phase };
}
