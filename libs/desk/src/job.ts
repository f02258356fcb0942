import type { Job, JobArguments, JobKind, JobOutcome, JobReason, JobState, OrderJobKind } from './job.contract.js';

/** A row of table `jobs`. */
export type JobRow = Readonly<{
  id: string;
  kind: JobKind;
  state: JobState;
  arguments: Readonly<Record<string, unknown>>;
  selection: Readonly<{ where?: unknown; ids?: number; event_id?: string }>;
  total: number;
  done: number;
  failed: number;
  undoes: string | null;
  requested_by: string;
  requested_at: Date;
  approved_by: string | null;
  started_at: Date | null;
  finished_at: Date | null;
  error: string | null;
  /** Why it has paused by itself. */
  reason: JobReason | null;
  choices: Job['choices'];
}>;

/** The columns without what is counted. */
export const STORED_COLUMNS = `id, kind, state, arguments, selection, total, done, failed, undoes, requested_by, requested_at,
  approved_by, started_at, finished_at, error, reason`;

// Who did not answer in time keeps the tickets, and so did whoever was asked again by a later job.
const CHOICES = `case when arguments ->> 'choice_until' is not null or arguments ->> 'choice_within_hours' is not null then (
  select json_build_object('asked', jobs.asked, 'kept', jobs.asked - refunded - open - ended, 'refunded', refunded, 'open', open)
  from (
    select count(*) filter (where choice_answer = 'refund') as refunded,
      count(*) filter (where choice_answer is null and status <> 'rejected' and choice_until > now()) as open,
      count(*) filter (where choice_answer is null and status = 'rejected') as ended
    from orders where choice_job = jobs.id) as counted) end as choices`;

export const JOB_COLUMNS = `${STORED_COLUMNS}, ${CHOICES}`;

/** An order of a job. An undoing job knows what its job replaced, and the version of the order after that. */
export type JobItem = Readonly<{
  number: number;
  order_id: string;
  before?: Readonly<Record<string, unknown>> | null;
  version?: number | null;
}>;

/** What became of one order of a job. */
export type ItemResult = Readonly<{
  outcome: JobOutcome;
  /** Why it was refused. */
  reason?: string;
  /** What the change replaced, and the version of the order after it, for taking it back. */
  before?: Readonly<Record<string, unknown>>;
  version?: number;
}>;

/** Binds a sealed note to its job. */
export const jobNoteContext = (jobId: string): string => jobId;

/** The arguments without the note, which is stored sealed. */
export function withoutNote(given: JobArguments): { note: string | undefined; others: Record<string, unknown> } {
  const { note, ...others } = given as JobArguments & { note?: string | null };
  return { note: typeof note === 'string' && note !== '' ? note : undefined, others };
}

const REFUNDING_KINDS = ['refund', 'cancel_event'] as const satisfies readonly OrderJobKind[];

/** Until when a job that postpones a show lets its buyers choose, ISO 8601. Undefined if it asks none. @param at the time now, ISO 8601 */
export function choiceUntil(given: JobRow['arguments'], at: string): string | undefined {
  const { choice_until: until, choice_within_hours: hours } = given as PostponeArguments;
  return until ?? (hours ? new Date(Date.parse(at) + hours * 3_600_000).toISOString() : undefined);
}

/** Whether it lets the buyers of a postponed show choose. */
export const asksBuyers = (kind: JobKind, given: JobRow['arguments']): boolean =>
  kind === 'postpone_event' && choiceUntil(given, NEVER) !== undefined;

const NEVER = new Date(0).toISOString();

type PostponeArguments = Readonly<{ choice_until?: string | null; choice_within_hours?: number | null }>;

/** Whether it gives money back as it goes, no faster than the payment providers can. */
export const isRefunding = (kind: JobKind): boolean => REFUNDING_KINDS.some((refunding) => refunding === kind);

const NOTED_KINDS = ['postpone_event', 'move_event'] as const satisfies readonly OrderJobKind[];

/** The kinds that leave the orders of a show as they are, and note on them what has become of it. */
export type NotedKind = (typeof NOTED_KINDS)[number];

export const isNotedChange = (kind: OrderJobKind): kind is NotedKind => NOTED_KINDS.some((noted) => noted === kind);
