import { Command } from 'commander';
import { loadSettings } from '#config/settings';
import { migrate } from '#database/migrate';
import { loadPostalCodes } from './postal-codes.js';
import { withDatabase } from './with-database.js';

export function migrateCommand(): Command {
  return new Command('migrate').description('brings the database schema up to date').action(async () => {
    const ran = await withDatabase(loadSettings(), async (databaseUrl) => {
      const names = await migrate(databaseUrl);
      await loadPostalCodes(databaseUrl);
      return names;
    });
    console.log(ran.length === 0 ? 'The schema is up to date.' : `Migrated: ${ran.join(', ')}`);
  });
}
