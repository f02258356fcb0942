import { Command } from 'commander';
import { loadSettings } from '#config/settings';
import { migrate } from '#database/migrate';
import { loadPostalCodes } from './database/postal-codes.js';
import { withDatabase } from './database/with-database.js';

export function migrateCommand(): Command {
  return new Command('migrate').description('brings the database schema up to date').action(async () => {
    const migrated = async (databaseUrl: string) => {
      const names = await migrate(databaseUrl);
      await loadPostalCodes(databaseUrl);
      return names;
    };
    const ran = await withDatabase(loadSettings(), migrated, { create: true });
    console.log(ran.length === 0 ? 'The schema is up to date.' : `Migrated: ${ran.join(', ')}`);
  });
}
