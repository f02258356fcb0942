import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MaintenanceRuns } from '#upkeep/maintenance/maintenance-runs';
import { TimeOrderedIds } from '#base/ids';
import {
  applicationUrl,
  createTestDatabase,
  ownerPool,
  ownerUrl,
  type TestDatabase,
} from '../../../test/support/database.js';
import { epochCommand } from './epoch.js';
import { maintenanceCommand } from './maintenance.js';
import { migrateCommand } from './migrate.js';
import { projectionsCommand } from './projections.js';

let database: TestDatabase;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = ownerPool(database.url);
  // A copy of a database has the tables of its template, but not the rights on it.
  await pool.query(`grant create on database ${new URL(database.url).pathname.slice(1)} to willcall_owner`);
  await pool.end();
});
afterAll(() => database.drop());
beforeEach(() => {
  printed.mockClear();
  vi.stubEnv('DATABASE_URL', applicationUrl(database.url));
});
afterEach(() => vi.unstubAllEnvs());

const COMMANDS = [
  ['projections rebuild orders', () => projectionsCommand().parseAsync(['rebuild', 'orders'], { from: 'user' })],
  ['epoch renew', () => epochCommand().parseAsync(['renew'], { from: 'user' })],
  ['maintenance --once', () => requested().then(() => maintenanceCommand().parseAsync(['--once'], { from: 'user' }))],
] as const;

async function requested(): Promise<void> {
  const pool = ownerPool(database.url);
  const runs = new MaintenanceRuns(pool, new TimeOrderedIds());
  await runs.request({ kind: 'rebuild', projection: 'orders' }, 'operator:opr_1').finally(() => pool.end());
}

describe.each(COMMANDS)("%s works with the owner's login", (_, run) => {
  it('and without it names the setting', async () => {
    await expect(run()).rejects.toThrow(/^This needs the owner's login \(.+\): set MIGRATION_DATABASE_URL to it\.$/);
    vi.stubEnv('MIGRATION_DATABASE_URL', ownerUrl(database.url));
    await run();
  });
});

it('migrate works with one login that owns everything, and names the setting whose login is refused', async () => {
  const printedBy = async (environment: Record<string, string>) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    await migrateCommand().parseAsync([], { from: 'user' });
    return printed.mock.calls.flat().join('\n');
  };
  expect(await printedBy({ DATABASE_URL: database.url })).toBe('The schema is up to date.');
  const wrong = Object.assign(new URL(ownerUrl(database.url)), { password: 'wrong' }).href;
  const both = { DATABASE_URL: applicationUrl(database.url), MIGRATION_DATABASE_URL: wrong };
  await expect(printedBy(both)).rejects.toThrow(
    /^The server rejects the login of "willcall_migrate" .* or correct MIGRATION_DATABASE_URL\.$/,
  );
});
