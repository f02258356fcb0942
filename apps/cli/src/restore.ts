import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { loadSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { recoverPhysicalBackup } from '#database/physical-backup';
import { withDirectoryLock } from '#database/directory-lock';
import { setOwner, locateCluster, unfinishedFolder, type Cluster } from '#database/postgres-cluster';
import { postgresVersion } from '#database/postgres-binaries';
import { checkArchive, extractArchive } from './backup/archive-reader.js';
import { assertAuthentic } from './authentic-backups.js';
import { CLUSTER_FOLDER, FILES_FOLDER, majorOf, type Manifest } from './backup/manifest.js';
import { UserError } from './terminal/user-error.js';
import { embeddedDirectory } from './database/with-database.js';

export function restoreCommand(): Command {
  return new Command('restore')
    .description('restores a backup into an empty DATA_DIR')
    .argument('<file>', 'an archive that `backup` wrote')
    .option('--trust', 'also one that may have been changed: who wrote it can run programs on this machine')
    .action(async (file: string, { trust = false }: { trust?: boolean }) => {
      const settings = loadSettings();
      if (settings.DATABASE_URL !== undefined) {
        throw new UserError(
          "restore is for the embedded database; use pg_restore, with the owner's login of MIGRATION_DATABASE_URL, for the server of DATABASE_URL.",
        );
      }
      const manifest = await checkArchive(resolve(file));
      // The lock creates the folder.
      const wasThere = existsSync(settings.DATA_DIR);
      try {
        const directory = embeddedDirectory(settings);
        await withDirectoryLock(directory, () => restore(resolve(file), settings, manifest, trust));
      } finally {
        if (!wasThere) removeIfEmpty(settings.DATA_DIR);
      }
      console.log(
        `Restored ${resolve(settings.DATA_DIR)} as it was at ${manifest.made_at}. Start it with \`npm start\`, then run \`verify\`.\n` +
          'Purchases made after the backup are gone here and known to the platform: compare with it.\n' +
          'PostgreSQL has the configuration of a new installation, not that of the archive.',
      );
    });
}

async function restore(file: string, settings: Settings, manifest: Manifest, trust: boolean): Promise<void> {
  const cluster = locateCluster(embeddedDirectory(settings));
  assertRestorable(cluster, settings.DATA_DIR, manifest.postgres_version);
  if (!trust) assertAuthentic(settings, manifest, file);
  const folder = unfinishedFolder(cluster);
  try {
    await extractArchive(file, manifest, folder, (path) => {
      if (path.startsWith(join(folder, CLUSTER_FOLDER))) setOwner(cluster.account, path);
    });
    await rebuild(folder, cluster, settings.DATA_DIR);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

function assertRestorable(cluster: Cluster, dataDirectory: string, version: string): void {
  const own = postgresVersion(cluster);
  if (majorOf(own) !== majorOf(version)) {
    throw new UserError(`The backup is of PostgreSQL ${majorOf(version)}, and this Willcall runs ${majorOf(own)}.`);
  }
  // Copies of the PostgreSQL programs are not data.
  if (readdirSync(dataDirectory).some((name) => !/^postgres-\d/.test(name))) {
    throw new UserError(`${resolve(dataDirectory)} is not empty: restore into a new or an empty DATA_DIR.`);
  }
}

/** Moves the cluster last. Until then the folder does not look like an installation. */
async function rebuild(folder: string, cluster: Cluster, dataDirectory: string): Promise<void> {
  const directory = join(folder, CLUSTER_FOLDER, '.');
  setOwner(cluster.account, directory);
  chmodSync(directory, 0o700);
  await recoverPhysicalBackup({ ...cluster, directory: resolve(directory) });
  const files = join(folder, FILES_FOLDER);
  mkdirSync(files, { recursive: true });
  for (const name of readdirSync(files)) renameSync(join(files, name), join(dataDirectory, name));
  renameSync(resolve(directory), cluster.directory);
}
