import type { Pool, PoolClient, QueryResult } from 'pg';
import { cutConnection } from '../../postgres/dying-pool.js';
import { withChanged } from '../../with-changed.js';
import type { Life } from './life.js';

type Query = (...args: [never]) => Promise<QueryResult>;

const WRITTEN = /\b(?:insert into|update|delete from) (\w+)/i;

// Looking for work several times a second would be most of the seams.
const LOOKED_FOR_WORK = /skip locked|provider-shortage/;

/**
 * The database connections of a life. Before and after each statement that writes there is a seam. At the end those that are in use break, whatever
 * runs on them. The others serve the next life, because making them takes longer than most lives.
 */
export function mortalPool(pool: Pool, life: Life): Pool {
  const inUse = new Set<PoolClient>();
  life.atEnd(() => {
    for (const client of inUse) {
      cutConnection(client);
      client.release(true);
    }
  });

  const seamed =
    (ask: Query): Query =>
    async (...args) => {
      const table = writtenBy(args[0]);
      const cross = (side: string) => (table === undefined ? life.breathe() : life.cross(`${side} ${table}`));
      await cross('before');
      const result = await ask(...args);
      await cross('after');
      return result;
    };
  const connect = async () => {
    await life.breathe();
    const client = await pool.connect();
    if (life.isOver) {
      client.release();
      await life.breathe();
    }
    inUse.add(client);
    const release = (unfit?: Error | boolean) => {
      if (!life.isOver && inUse.delete(client)) client.release(unfit);
    };
    const query = seamed(client.query.bind(client) as Query);
    return { proxy: withChanged(client, { query, release }), query, release };
  };
  const query: Query = async (...args) => {
    const client = await connect();
    try {
      return await client.query(...args);
    } finally {
      client.release();
    }
  };
  // Who counts its connections would count them once for each life.
  return withChanged(pool, { query, connect: async () => (await connect()).proxy, on: () => pool });
}

function writtenBy(query: string | Readonly<{ text: string; name?: string }>): string | undefined {
  const { text, name = '' } = typeof query === 'string' ? { text: query } : query;
  return LOOKED_FOR_WORK.test(`${text} ${name}`) ? undefined : WRITTEN.exec(text)?.[1];
}
