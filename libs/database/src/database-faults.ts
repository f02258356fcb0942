import pg from 'pg';

/** How far a statement came: it was never sent, it only read, or it may have written something. */
type Reach = 'not sent' | 'read' | 'write';

const reaches = new WeakMap<object, Reach>();

/**
 * SQLSTATEs that PostgreSQL answers when a statement or its transaction was undone and may succeed later: conflicts (40, but not
 * "completion unknown"), no resources (53), locks (55), cancelled or shutting down (57), disk faults (58), read-only (25006), and
 * connections that it refuses (08001, 08004, 28, 3D000).
 */
const UNDONE = /^(40(?!003)|53|55|57|58|25006|25P0[24]|28|3D000|0800[14])/;

const LOCK_NOT_AVAILABLE = '55P03';

/** A pool whose faults can be told apart by `nothingWasDone`. */
export class ClassifyingPool extends pg.Pool {
  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error | undefined, ...rest: unknown[]) => void)?];
    if (!callback) return failing(super.connect(), 'not sent') as never;
    return super.connect((error, ...rest) => {
      if (error) reaches.set(error, 'not sent');
      callback(error, ...rest);
    }) as never;
  }

  override query(...args: unknown[]): never {
    const answer: unknown = super.query(...(args as [string]));
    return (answer instanceof Promise ? failing(answer, reachOf(args[0])) : answer) as never;
  }
}

/** Whether this comes from the database, or from the way to it. */
export function isDatabaseError(fault: unknown): fault is Error {
  return fault instanceof pg.DatabaseError || (typeof fault === 'object' && fault !== null && reaches.has(fault));
}

/** Whether a statement failed because another transaction had a lock for longer than it may wait (`lock_timeout`). */
export function isLockTimeout(fault: unknown): boolean {
  return (fault as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
}

/** Whether it is certain that the statement, or the whole transaction, that failed has changed nothing. */
export function nothingWasDone(fault: unknown): boolean {
  if (!isDatabaseError(fault)) return false;
  const reach = reaches.get(fault);
  const { code } = fault as { code?: unknown };
  return reach === 'not sent' || reach === 'read' || (typeof code === 'string' && UNDONE.test(code));
}

/** Says of a fault that it came before anything was sent that writes, or that all of it was rolled back. */
export function markUndone(fault: unknown): void {
  if (typeof fault === 'object' && fault !== null) reaches.set(fault, 'not sent');
}

/** The database failed after the same request had written something: nobody knows how much of it was done. */
export class PartlyDone extends Error {
  constructor(cause: unknown) {
    super('the database failed after a write of the same request', { cause });
  }
}

/** For what follows a write in one request: its database faults become PartlyDone, everything else stays what it is. */
export async function afterWrite<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    throw isDatabaseError(fault) ? new PartlyDone(fault) : fault;
  }
}

async function failing<T>(answer: Promise<T>, reach: Reach): Promise<T> {
  try {
    return await answer;
  } catch (fault) {
    if (typeof fault === 'object' && fault !== null && !reaches.has(fault)) reaches.set(fault, reach);
    throw fault;
  }
}

/** In doubt it is a write: a word in a comment, or a lock that a select takes, costs no more than an answer of 500. */
function reachOf(statement: unknown): Reach {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string } | undefined)?.text;
  return text !== undefined && /^\s*(select|with|values|show)\b/i.test(text) && !WRITES.test(text) ? 'read' : 'write';
}

const WRITES = /\b(insert|update|delete|merge|truncate|nextval|setval|pg_notify)\b/i;
