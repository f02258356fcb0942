import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { startEmbeddedPostgres } from '#database/embedded-postgres';
import { migrate } from '#database/migrate';
import { createPool } from '#database/pool';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

/** A migrated database on its own server, which flushes each commit to disk as in production. */
export type BenchDatabase = Readonly<{
  /** With the login of api and worker. */
  url: string;
  /** Of the server. */
  pid: number;
  /** As its owner. */
  owner: Pool;
  remove(): Promise<void>;
}>;

export async function createDatabase(serverOptions: Record<string, string> = {}): Promise<BenchDatabase> {
  const folder = temporaryFolder('bench', tmpdir());
  const server = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    durable: true,
    serverOptions,
  });
  const stopAtOnce = () => process.kill(server.pid, 'SIGINT');
  process.once('exit', stopAtOnce);
  await migrate(server.ownerUrl, server.applicationUrl);
  const owner = createPool({
    databaseUrl: server.url,
    applicationName: 'willcall bench',
    asOwner: true,
    statementTimeoutMs: 0,
    max: 4,
    onError: () => undefined,
  });
  return {
    url: server.applicationUrl,
    pid: server.pid,
    owner,
    async remove() {
      process.off('exit', stopAtOnce);
      await owner.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
