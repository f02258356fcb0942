/** What the server says about a session that a client waits for. */
export type Session = Readonly<{
  pid: number;
  state: string | null;
  wait_event: string | null;
  idle_ms: number;
  /** Changes with each statement that the session begins or ends. */
  state_changed: string;
  /** It is in a transaction or holds locks, so others may wait for it. */
  holds: boolean;
}>;

/** Why a connection was ended: the server had nothing to do for it, could not deliver its answer, or no longer had its session. */
export const END_REASONS = ['unanswered', 'unread', 'gone'] as const;
export type EndReason = (typeof END_REASONS)[number];

export type Verdict = EndReason | 'working' | 'idle' | 'unknown';

// An answer may be on its way.
const IDLE_FOR_MS = 500;

/** About a session whose client has waited for seconds. `undefined` = the server does not list it. */
export function verdictOn(session: Session | undefined): Verdict {
  if (!session) return 'gone';
  if (session.state === null || session.state === 'disabled') return 'unknown';
  if (session.wait_event === 'ClientWrite') return 'unread';
  if (!session.state.startsWith('idle')) return 'working';
  return session.idle_ms >= IDLE_FOR_MS ? 'unanswered' : 'idle';
}

export const SESSIONS = `
  select pid, state, wait_event, state_change::text as state_changed,
    1000 * extract(epoch from clock_timestamp() - state_change)::float8 as idle_ms,
    state like 'idle in%' or pid in (select pg_locks.pid from pg_locks where locktype = 'advisory') as holds
  from pg_stat_activity where pid = any($1) or pid = pg_backend_pid()`;

/** Returns those that were still as they had been judged. */
export const END_SESSIONS = `
  select pid, pg_terminate_backend(pid) from pg_stat_activity
  where (pid, state_change::text) in (select * from unnest($1::int[], $2::text[]))
    and usename = session_user and (state like 'idle%' or wait_event = 'ClientWrite')`;
