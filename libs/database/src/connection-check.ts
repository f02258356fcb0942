import type pg from 'pg';
import { dropConnection } from './drop-connection.js';
import { PrimaryClient } from './primary-client.js';

/** Uses a new connection. Never throws. */
export async function canConnect(config: pg.ClientConfig, withinMs: number): Promise<boolean> {
  const client = new PrimaryClient({ ...config, connectionTimeoutMillis: withinMs, query_timeout: withinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select');
    return true;
  } catch {
    return false;
  } finally {
    dropConnection(client);
  }
}
