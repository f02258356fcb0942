import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import type { Pool } from 'pg';
import { loadSettings } from '#base/load-settings';
import { withDirectoryLock } from '#database/directory-lock';
import { recordedFingerprints } from '#platform/encryption-key';
import { recordChange } from './audit.js';
import { poolFor, type UsePool } from './database/with-pool.js';
import { sealerOf, withSavedKey } from './encryption-key.js';
import { rotateSavedKey, savedSecrets, secretsFile } from './supervisor/credentials.js';
import { UserError } from './terminal/user-error.js';

const PURPOSE = 'encryption key';

/** `encryption-key rotate`: for the key that `npm start` made. */
export function encryptionKeyCommand(use: UsePool = poolFor(PURPOSE)): Command {
  return new Command('encryption-key')
    .description('the key that encrypts secrets and personal data')
    .addCommand(
      new Command('rotate')
        .description('makes a new key in DATA_DIR/secrets.json, with which the next start encrypts everything anew')
        .action(() => rotate(use)),
    );
}

async function rotate(use: UsePool): Promise<void> {
  const settings = loadSettings();
  const file = secretsFile(settings);
  if (settings.ENCRYPTION_KEY !== undefined || settings.ENCRYPTION_KEY_PREVIOUS !== undefined) {
    throw new UserError(
      'ENCRYPTION_KEY is a setting here: change it as docs/maintenance.md#change-the-encryption-key says.',
    );
  }
  await withDirectoryLock(file, async () => {
    if (savedSecrets(settings)['ENCRYPTION_KEY'] === undefined) throw new UserError(`${file} has no ENCRYPTION_KEY.`);
    await use(async (pool) => {
      await rejectRunning(pool);
      await rejectUnfinished(pool, sealerOf(withSavedKey(settings)).fingerprint);
      rotateSavedKey(settings);
      await recordChange(pool, 'encryption_key.rotated', 'encryption_key');
    });
  });
  console.log(
    `${file} has a new encryption key now, and the one before beside it. Start Willcall: the worker encrypts everything anew, and ` +
      '/settings/projections shows how far it is. Backups from before contain the key that they need.',
  );
}

/** A process that knows only the old key could not read what others encrypt with the new one. */
async function rejectRunning(pool: Pool): Promise<void> {
  // PostgreSQL still lists a process that has just ended for a moment.
  for (let looks = 1; await isRunning(pool); looks += 1) {
    if (looks === 10) throw new UserError('Willcall is running: stop it, and its commands, first.');
    await wait(100);
  }
}

async function isRunning(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name like 'willcall%'
     and application_name <> $1`,
    [`willcall ${PURPOSE}`],
  );
  return rowCount !== 0;
}

/** Otherwise the key before the last one would be forgotten while values still need it. */
async function rejectUnfinished(pool: Pool, current: string): Promise<void> {
  const recorded = await recordedFingerprints(pool);
  if (recorded.length === 1 && recorded[0] === current) return;
  const advice = 'Start Willcall, and wait until its log says that nothing needs the earlier ENCRYPTION_KEY any more.';
  throw new UserError(`The last change of the key is not finished, or this is not the key of the database. ${advice}`);
}
