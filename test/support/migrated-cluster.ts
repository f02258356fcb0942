import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { withDirectoryLock } from '#database/directory-lock';
import { startEmbeddedPostgres } from '#database/embedded-postgres';
import { migrate } from '#database/migrate';

/** Copies a stopped cluster whose database `willcall` is migrated and empty. It is made once in a run, because that takes seconds. */
export async function copyMigratedCluster(dataDirectory: string): Promise<void> {
  const made = join(inject('runFolder'), 'migrated');
  await withDirectoryLock(made, async () => {
    if (!existsSync(made)) await make(made);
  });
  execFileSync('cp', ['-a', made, dataDirectory]);
}

async function make(place: string): Promise<void> {
  const dataDirectory = `${place}.unfinished`;
  execFileSync('cp', ['-a', inject('emptyCluster'), dataDirectory]);
  const server = await startEmbeddedPostgres({ dataDirectory, durable: false });
  await migrate(server.ownerUrl, server.applicationUrl);
  await server.stop();
  renameSync(dataDirectory, place);
}
