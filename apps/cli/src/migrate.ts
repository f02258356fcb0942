import { Command } from 'commander';
import { loadSettings } from '#config/settings';
import { migrate } from '#database/migrate';
import { withDatabase } from './with-database.js';

export function migrateCommand(): Command {
  return new Command('migrate').description('brings the database schema up to date').action(async () => {
    const ran = await withDatabase(loadSettings(), migrate);
    console.log(ran.length === 0 ? 'The schema is up to date.' : `Migrated: ${ran.join(', ')}`);
  });
}
