import { Command } from 'commander';
import { loadSettings } from '#base/load-settings';
import { migrate } from '#database/migrate';
import { loadPostalCodes } from './database/postal-codes.js';
import { withDatabase } from './database/with-database.js';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description("brings the database schema up to date, with the owner's login (MIGRATION_DATABASE_URL)")
    .action(async () => {
      const migrated = async (ownerUrl: string, applicationUrl: string) => {
        const names = await migrate(ownerUrl, applicationUrl);
        // The owner may act as the application, also where the application's own login does not exist yet.
        await loadPostalCodes(ownerUrl);
        return names;
      };
      const ran = await withDatabase(loadSettings(), migrated, { create: true, as: 'owner' });
      console.log(ran.length === 0 ? 'The schema is up to date.' : `Migrated: ${ran.join(', ')}`);
    });
}
