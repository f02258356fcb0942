import type { ClientBase, Pool, PoolClient, QueryResult } from 'pg';
import { withChanged } from '../with-changed.js';

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
    return { proxy: withChanged(client, { query }), query };
  };
  const query: Query = async (...args) => {
    const client = await connect();
    try {
      return await client.query(...args);
    } finally {
      client.proxy.release();
    }
  };
  return {
    pool: withChanged(pool, { query, connect: async () => (await connect()).proxy }),
    statements: () => sent,
  };
}

function died(client: ClientBase): Error {
  cutConnection(client);
  return new Error('the process died');
}

/** Ends it as the end of the process does: without a word to the server, whatever it is doing. */
export function cutConnection(client: ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
