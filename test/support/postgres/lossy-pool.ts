import type { Pool } from 'pg';

/** Breaks the connection once at a statement of that name: before the server gets it, or before its response arrives. */
export type Break = Readonly<{ statement: string; lost: 'request' | 'response' }>;

/** The pool with connections that break. Each break happens once. */
export function lossyPool(pool: Pool, ...breaks: readonly Break[]): Pool {
  const left = [...breaks];
  const asked = pool.query.bind(pool) as (config: object) => Promise<unknown>;
  const query = async (config: { name?: string }) => {
    const index = left.findIndex(({ statement }) => statement === config.name);
    const [happens] = index < 0 ? [] : left.splice(index, 1);
    if (happens?.lost === 'request') throw new Error('Connection terminated unexpectedly');
    const result = await asked(config);
    if (happens) throw new Error('Connection terminated unexpectedly');
    return result;
  };
  return new Proxy(pool, { get: (target, key) => (key === 'query' ? query : (Reflect.get(target, key) as unknown)) });
}
