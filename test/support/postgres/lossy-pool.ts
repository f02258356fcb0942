import type { Pool } from 'pg';

/** What breaks a connection at a statement of that name, once: before the server gets it, or before its answer is here. */
export type Break = Readonly<{ statement: string; lost: 'question' | 'answer' }>;

/** The pool, with connections that break: each break happens once. */
export function lossyPool(pool: Pool, ...breaks: readonly Break[]): Pool {
  const left = [...breaks];
  const asked = pool.query.bind(pool) as (config: object) => Promise<unknown>;
  const query = async (config: { name?: string }) => {
    const index = left.findIndex(({ statement }) => statement === config.name);
    const [happens] = index < 0 ? [] : left.splice(index, 1);
    if (happens?.lost === 'question') throw new Error('Connection terminated unexpectedly');
    const result = await asked(config);
    if (happens) throw new Error('Connection terminated unexpectedly');
    return result;
  };
  return new Proxy(pool, { get: (target, key) => (key === 'query' ? query : (Reflect.get(target, key) as unknown)) });
}
