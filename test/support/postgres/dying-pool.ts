import type { Pool, PoolClient, QueryResult } from 'pg';

type Query = (...args: [never]) => Promise<QueryResult>;

export type DyingPool = Readonly<{ pool: Pool; statements: () => number }>;

/**
 * The pool of a process that dies at its n-th statement: before the server gets it, or before its response arrives. Everything after it
 * fails, and the open transaction is rolled back by the server.
 */
export function dyingPool(pool: Pool, at: number, lost: 'request' | 'response'): DyingPool {
  let sent = 0;
  const counted =
    (client: PoolClient, ask: Query): Query =>
    async (...args) => {
      sent += 1;
      if (sent > at || (sent === at && lost === 'request')) throw died(client);
      const result = await ask(...args);
      if (sent === at) throw died(client);
      return result;
    };
  const connect = async () => {
    const client = await pool.connect();
    const query = counted(client, client.query.bind(client) as Query);
    const proxy = new Proxy(client, { get: (target, key) => (key === 'query' ? query : bound(target, key)) });
    return { proxy, query };
  };
  const query: Query = async (...args) => {
    const client = await connect();
    try {
      return await client.query(...args);
    } finally {
      client.proxy.release();
    }
  };
  const changed: Readonly<Record<string, unknown>> = { query, connect: async () => (await connect()).proxy };
  return {
    pool: new Proxy(pool, { get: (target, key) => changed[String(key)] ?? bound(target, key) }),
    statements: () => sent,
  };
}

function died(client: PoolClient): Error {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  return new Error('the process died');
}

function bound(target: object, key: string | symbol): unknown {
  const value = Reflect.get(target, key) as unknown;
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}
