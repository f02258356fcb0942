import { existsSync, linkSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { SystemClock } from '#base/clock';
import { loadSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { takePhysicalBackup } from '#database/physical-backup';
import { locatedDirectory } from '#database/postgres-cluster';
import { ArchiveWriter } from './backup/archive-writer.js';
import { noteBackup, signed } from './authentic-backups.js';
import { CLUSTER_FOLDER, FILES_FOLDER, isKept, type Manifest } from './backup/manifest.js';
import { count } from './terminal/progress-line.js';
import { savedSecrets } from './supervisor/credentials.js';
import { UserError } from './terminal/user-error.js';
import { embeddedDirectory, withDatabase } from './database/with-database.js';

const clock = new SystemClock();

/** `backup <file>`: writes an embedded installation into one archive. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('writes an installation in DATA_DIR (database, secrets, files) into one archive, while it runs')
    .argument('<file>', 'the archive, a .tar.gz; must not exist')
    .action(async (file: string) => {
      const settings = loadSettings();
      const manifest = await backUp(settings, resolve(file));
      const sizes = Object.values(manifest.files).map(({ size }) => size);
      const megabytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1e6);
      console.log(
        `Backed up ${resolve(settings.DATA_DIR)} to ${resolve(file)}: ${count(sizes.length)} files, ${count(megabytes)} MB before compression.\n` +
          'The archive holds the secrets and the encryption key: keep it as safe as a password.',
      );
      if (savedSecrets(settings)['ENCRYPTION_KEY'] === undefined) {
        console.log('It has no ENCRYPTION_KEY, because yours is set outside of secrets.json: keep a copy of it.');
      }
      noteBackup(settings, manifest);
    });
}

async function backUp(settings: Settings, file: string): Promise<Manifest> {
  if (settings.DATABASE_URL !== undefined) {
    throw new UserError(
      "backup is for the embedded database; use pg_dump, with the owner's login of MIGRATION_DATABASE_URL, for the server of DATABASE_URL.",
    );
  }
  if (existsSync(file)) throw new UserError(`${file} exists already.`);
  return withDatabase(settings, (superuserUrl) => writeArchive(settings, superuserUrl, file), { as: 'superuser' });
}

async function writeArchive(settings: Settings, databaseUrl: string, file: string) {
  const unfinished = `${file}.${process.pid}`;
  const archive = new ArchiveWriter(unfinished);
  try {
    const written = await fill(archive, settings, databaseUrl);
    // Unlike a rename, a link never replaces a file.
    linkSync(unfinished, file);
    return written;
  } finally {
    await archive.abandon();
    rmSync(unfinished, { force: true });
  }
}

async function fill(archive: ArchiveWriter, settings: Settings, databaseUrl: string) {
  const directory = locatedDirectory(embeddedDirectory(settings));
  const addFiles = async (isWanted: (name: string) => boolean) => {
    for (const name of filesBesideCluster(settings).filter(isWanted)) {
      await archive.addFile(FILES_FOLDER + name, join(settings.DATA_DIR, name));
    }
  };
  await addFiles((name) => !isStored(name));
  const { systemIdentifier, serverVersion } = await takePhysicalBackup(
    databaseUrl,
    directory,
    async ({ name, content }) => {
      const place = CLUSTER_FOLDER + name;
      if (content !== undefined) await archive.addText(place, content);
      else if (name.endsWith('/')) await archive.addDirectory(place);
      else await archive.addFile(place, join(directory, name));
    },
  );
  // After the database, because it says which files there are.
  await addFiles(isStored);
  const about = {
    format: 'willcall-backup' as const,
    format_version: 1 as const,
    made_at: new Date(clock.now()).toISOString(),
    postgres_version: serverVersion,
    system_identifier: systemIdentifier,
  };
  return archive.finish(about, (manifest) => signed(settings, manifest));
}

/** Tickets and e-mails, in their usual folder. */
const isStored = (name: string) => name.startsWith('files/');

function filesBesideCluster({ DATA_DIR }: Settings): string[] {
  const entries = readdirSync(DATA_DIR, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(DATA_DIR, '/').length).replaceAll('\\', '/'))
    .filter(isKept);
}
