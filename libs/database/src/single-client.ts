import type pg from 'pg';
import { PrimaryClient } from './primary-client.js';
import { sessionConfig } from './session.js';

/**
 * For work that needs no pool, and the rights of the login instead of the application's. Not connected yet.
 * @param settings as of `sessionConfig`
 */
export function singleClient(
  databaseUrl: string,
  name: string,
  more: pg.ClientConfig = {},
  settings: readonly string[] = [],
): pg.Client {
  return new PrimaryClient({ ...sessionConfig(databaseUrl, name, settings), ...more });
}
