import { nextAttemptAt, type RetryPolicy } from './retry-schedule.js';

/** What came of a request. `error` is our own text and contains nothing that the receiver sent. It is null after a delivery. */
export type Outcome = Readonly<{
  httpStatus: number | null;
  error: string | null;
  /** The start of the body that the receiver sent, for staff. */
  answer: string | null;
  retryAfterMs?: number | undefined;
}>;

/** Times are in milliseconds since the epoch. `fraction` (0 to 1) is the jitter of the next wait. */
export type TimedOutcome = Readonly<{ outcome: Outcome; startedAt: number; endedAt: number; fraction: number }>;

/** What is recorded of it. */
export type Attempt = Omit<Outcome, 'retryAfterMs'> &
  Readonly<{
    startedAt: number;
    durationMs: number;
    /** When the delivery became due, as it was read. */
    dueSince: number;
    state: 'pending' | 'delivered' | 'parked';
    /** Null unless the delivery stays pending. */
    nextTryAt: number | null;
  }>;

/** An SQL condition. Literals instead of a parameter, so the planner can use the partial indexes. */
export const inState = (state: Attempt['state']): string => IN_STATE[state];
const IN_STATE = { pending: "state = 'pending'", delivered: "state = 'delivered'", parked: "state = 'parked'" };

/** @param due with the failed attempts before this one */
export function attemptAfter(
  { tries, dueSince }: Readonly<{ tries: number; dueSince: number }>,
  { outcome, startedAt, endedAt, fraction }: TimedOutcome,
  retry: RetryPolicy,
): Attempt {
  const { httpStatus, error, answer, retryAfterMs } = outcome;
  const done = { startedAt, durationMs: Math.max(0, endedAt - startedAt), dueSince, httpStatus, error, answer };
  if (error === null) return { ...done, state: 'delivered', nextTryAt: null };
  const failed = { tries: tries + 1, dueSince, now: endedAt, retryAfterMs };
  const nextTryAt = nextAttemptAt(retry, failed, fraction) ?? null;
  return { ...done, state: nextTryAt === null ? 'parked' : 'pending', nextTryAt };
}

/** The columns that all tables of attempts have, as JSON for the statement that writes them. */
export function attemptColumns({ startedAt, durationMs, dueSince, httpStatus, error, answer, ...next }: Attempt) {
  return {
    due_since: new Date(dueSince),
    started_at: new Date(startedAt),
    duration_ms: durationMs,
    http_status: httpStatus,
    error,
    answer,
    state: next.state,
    next_try_at: next.nextTryAt === null ? null : new Date(next.nextTryAt),
  };
}
