import { Redis } from 'ioredis';
import { everythingStored } from '../postgres/table-state.js';
import type { Stand } from './stand.js';
import { type Secret, tracesIn } from './traces.js';

/** Where secrets were found: in the logs, in the files of PostgreSQL and Redis, and in the rows of all tables. */
export async function storedTraces(stand: Stand, secrets: readonly Secret[]): Promise<string[]> {
  const { pool, parts } = stand;
  await pool.query('checkpoint');
  if (parts.redis) await saved(parts.redis.url);
  const rows = await everythingStored(pool);
  const inRows = secrets.filter(({ pattern }) => pattern.test(rows)).map(({ name }) => `a table: ${name}`);
  return [...tracesIn(placesOf(stand), secrets), ...inRows];
}

/** The places where nothing is found of what may be stored there, in all of them: the search does not work in these. */
export function unsearched(stand: Stand, allowed: Secret): string[] {
  return placesOf(stand).filter((folder) => tracesIn([folder], [allowed]).length === 0);
}

function placesOf({ folder, parts: { cluster, redis } }: Stand): string[] {
  return [folder, ...(cluster ? [cluster.dataDirectory] : []), ...(redis ? [redis.folder] : [])];
}

async function saved(url: string): Promise<void> {
  const client = new Redis(url);
  await client.save();
  client.disconnect();
}
