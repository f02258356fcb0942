import { DataSource } from 'typeorm';
import { loadSettings } from '#base/load-settings';
import { migrationOptions } from './migrate.js';

/** For TypeORM's command line, with the owner's login: `DATABASE_URL=… npx typeorm migration:show -d dist/libs/database/src/data-source.js`. */
export default new DataSource(migrationOptions(loadSettings(['DATABASE_URL']).DATABASE_URL ?? ''));
