import pg from 'pg';

type StatementStage = 'not sent' | 'read' | 'write';

const stages = new WeakMap<object, StatementStage>();

/**
 * SQLSTATEs after which PostgreSQL has rolled back: conflicts (40, except "completion unknown"), insufficient resources (53), locks (55),
 * cancelled or shutting down (57), disk errors (58), read-only (25006), refused connections (08001, 08004, 28, 3D000).
 */
const NO_EFFECT = /^(40(?!003)|53|55|57|58|25006|25P0[24]|28|3D000|0800[14])/;

/**
 * SQLSTATEs of a statement that PostgreSQL refused for its data: values (22), constraints (23), conflicts (40, except "completion unknown"),
 * locks (55), and what our own functions raise (P0, WC). The session goes on as before. Other errors may be those of a session that is
 * unfit, such as a prepared statement whose table has changed (0A000).
 */
const SESSION_GOES_ON = /^(22|23|40(?!003)|55|P0|WC)/;

const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';

/**
 * Records for `hadNoEffect` how far each failed statement got. Unlike in pg's own pool, a refused statement does not end its connection:
 * a new one takes 8 ms and plans its statements anew, so lost races would slow all requests.
 */
export class ClassifyingPool extends pg.Pool {
  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error | undefined, ...rest: unknown[]) => void)?];
    if (!callback) return classifyErrors(super.connect(), 'not sent') as never;
    return super.connect((error, ...rest) => {
      if (error) stages.set(error, 'not sent');
      callback(error, ...rest);
    }) as never;
  }

  override query(...args: unknown[]): never {
    if (typeof args.at(-1) === 'function') return super.query(...(args as [string])) as never;
    return classifyErrors(this.#send(args as [string]), stageOf(args[0])) as never;
  }

  async #send(statement: [string]): Promise<unknown> {
    const client = await (this.connect() as Promise<pg.PoolClient>);
    let unfit: Error | undefined;
    try {
      return await client.query(...statement);
    } catch (error) {
      unfit = connectionError(error);
      throw error;
    } finally {
      client.release(unfit);
    }
  }
}

/** The error, if its connection must not be used again; otherwise undefined. For `release` of a pool's client. */
export function connectionError(error: unknown): Error | undefined {
  const { code } = error as { code?: unknown };
  return error instanceof pg.DatabaseError && SESSION_GOES_ON.test(String(code)) ? undefined : (error as Error);
}

function isDatabaseError(error: unknown): error is Error {
  return error instanceof pg.DatabaseError || (typeof error === 'object' && error !== null && stages.has(error));
}

/** True if the statement waited longer for a lock than `lock_timeout` allows. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
}

/** True if the failed statement or transaction certainly changed nothing. */
export function hadNoEffect(error: unknown): boolean {
  if (!isDatabaseError(error)) return false;
  const reach = stages.get(error);
  const { code } = error as { code?: unknown };
  return reach === 'not sent' || reach === 'read' || (typeof code === 'string' && NO_EFFECT.test(code));
}

/** The error occurred before any write was sent, or all writes were rolled back. */
export function markNoEffect(error: unknown): void {
  if (typeof error === 'object' && error !== null) stages.set(error, 'not sent');
}

class PartialWriteError extends Error {
  constructor(cause: unknown) {
    super('the database failed after a write of the same request', { cause });
  }
}

/** For work that follows a write in the same request. Its database errors become PartialWriteError. */
export async function afterWrite<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDatabaseError(error) ? new PartialWriteError(error) : error;
  }
}

async function classifyErrors<T>(answer: Promise<T>, reach: StatementStage): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (typeof error === 'object' && error !== null && !stages.has(error)) stages.set(error, reach);
    throw error;
  }
}

/** In doubt the statement counts as a write. A false positive only turns a 503 into a 500. */
function stageOf(statement: unknown): StatementStage {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string } | undefined)?.text;
  return text !== undefined && /^\s*(select|with|values|show)\b/i.test(text) && !WRITES.test(text) ? 'read' : 'write';
}

const WRITES = /\b(insert|update|delete|merge|truncate|nextval|setval|pg_notify)\b/i;

/** Whether PostgreSQL refused a statement for this unique index or constraint. */
export function isViolationOf(constraint: string, error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}
