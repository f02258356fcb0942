import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Pool } from 'pg';
import { TimeOrderedIds } from '#base/ids';
import { parseSettings } from '#base/load-settings';
import type { Environment } from '#base/settings';
import type { Logger } from '#platform/logger';
import { ClientRegistry } from '#accounts/clients';
import { startApi } from '../../apps/api/src/start-api.js';
import { apiEnvironment } from './api-environment.js';
import { PAYMENT, Platform, Staff, WHOLESALE } from './callers.js';
import { createTestDatabase, ownerPool, type TestDatabase } from './database.js';

export type TestApi = Readonly<{
  url: string;
  app: NestFastifyApplication;
  databaseUrl: string;
  /** Connects as the owner. */
  pool: Pool;
  payment: Platform;
  wholesale: Platform;
  staff: Staff;
  /** Everything it has logged: one JSON text per entry. */
  log: readonly string[];
  close(): Promise<void>;
}>;

// An api that stops waits for a share of it before it closes connections that a test has just used.
const SHUTDOWN_GRACE_MS = '2000';

/**
 * Starts the real api in this process, on a free port and an empty database of its own, unless one is given. Close it in an
 * `afterAll`, which also drops the database.
 */
export async function startTestApi(environment: Environment = {}, given?: TestDatabase): Promise<TestApi> {
  const database = given ?? (await createTestDatabase());
  const log: string[] = [];
  const settings = parseSettings({ ...apiEnvironment(database.url), SHUTDOWN_GRACE_MS, ...environment });
  const { app, address: url } = await startApi(settings, loggerInto(log), new TimeOrderedIds(), (error) => {
    throw error;
  });
  await app.get(ClientRegistry).create({ ...WHOLESALE, name: 'wholesale' });
  const pool = ownerPool(database.url);
  return {
    url,
    app,
    pool,
    log,
    databaseUrl: database.url,
    payment: new Platform(url, PAYMENT),
    wholesale: new Platform(url, WHOLESALE),
    staff: new Staff(url),
    async close() {
      await app.close();
      await pool.end();
      await database.drop();
    },
  };
}

function loggerInto(lines: string[]): Logger {
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(JSON.stringify({ level, ...fields, message }));
  };
  return { info: write('info'), warn: write('warn'), error: write('error'), debug: () => undefined };
}
