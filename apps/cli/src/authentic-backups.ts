import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from '#base/settings';
import { sealerOf, withSavedKey } from './encryption-key.js';
import { UserError } from './terminal/user-error.js';
import { signedText, type Manifest, type UnsignedManifest } from './backup/manifest.js';

/** The manifest with its HMAC, if the installation has a key. */
export function signed(given: Settings, manifest: UnsignedManifest): Manifest {
  const settings = withSavedKey(given);
  if (settings.ENCRYPTION_KEY === undefined) return manifest;
  return { ...manifest, hmac: sealerOf(settings).digest('backup-manifest', signedText(manifest)).toString('hex') };
}

/** Remembers an archive outside of it and of DATA_DIR: whoever can read an archive has the key in it and could sign another. */
export function noteBackup(settings: Settings, manifest: Manifest): void {
  const file = knownBackupsFile(settings);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, `${fingerprintOf(manifest)} ${manifest.made_at}\n`, { mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    console.log(
      `It could not be noted in ${file} (${code}): \`restore\` will need its ENCRYPTION_KEY in the settings.`,
    );
  }
}

/**
 * Nobody has changed the archive since `backup` wrote it: it was noted on this machine, or has an HMAC under the ENCRYPTION_KEY of the
 * settings. The key in the archive itself would prove nothing.
 * @throws UserError
 */
export function assertAuthentic(settings: Settings, manifest: Manifest, path: string): void {
  if (isNoted(settings, manifest)) return;
  const isKeyGiven = settings.ENCRYPTION_KEY !== undefined;
  if (isKeyGiven && manifest.hmac !== undefined) {
    const given = Buffer.from(manifest.hmac, 'hex');
    if (sealerOf(settings).isDigest('backup-manifest', signedText(manifest), given)) return;
  }
  const reason =
    manifest.hmac === undefined
      ? 'it has no HMAC'
      : isKeyGiven
        ? 'its HMAC is not of your ENCRYPTION_KEY'
        : 'set ENCRYPTION_KEY to the key of its installation, from your own copy of it, to check its HMAC';
  throw new UserError(
    `${path} may have been changed since it was written: it is not among the backups of ${knownBackupsFile(settings)}, and ${reason}. ` +
      'Use --trust only if nobody else could write it: a changed archive can run programs on this machine.',
  );
}

function isNoted(settings: Settings, manifest: Manifest): boolean {
  const file = knownBackupsFile(settings);
  if (!existsSync(file)) return false;
  const noted = readFileSync(file, 'utf8').split('\n');
  return noted.some((line) => line.split(' ', 1)[0] === fingerprintOf(manifest));
}

const knownBackupsFile = ({ KNOWN_BACKUPS_FILE: file }: Settings) =>
  file ?? join(homedir(), '.willcall', 'known-backups');

const fingerprintOf = (manifest: Manifest) =>
  createHash('sha256')
    .update(`${signedText(manifest)} ${manifest.hmac ?? ''}`)
    .digest('hex');
