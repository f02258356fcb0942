import { Command } from 'commander';
import type { Pool } from 'pg';
import { loadSettings, SettingsError } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { createPool } from '#database/pool';
import { fail, type Finding, ok } from './doctor/finding.js';
import { checkAnchors } from './doctor/anchor-checks.js';
import { checkPasses } from './doctor/pass-checks.js';
import { checkReplica, checkServers } from './doctor/server-roles.js';
import { checkTasks } from './doctor/task-checks.js';
import { checkPooler, checkStandbys } from './doctor/replication-checks.js';
import { checkDisk, checkHttps, checkNode, checkPlatform } from './doctor/machine-checks.js';
import { checkClock, checkDatabase, checkOwner, checkPayment, checkRedis, checkRoles } from './doctor/server-checks.js';
import { checkKnownKey } from './encryption-key.js';
import { EXIT } from './terminal/exit-codes.js';
import { withSavedCredentials } from './supervisor/credentials.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UserError } from './terminal/user-error.js';
import { withDatabase } from './database/with-database.js';

/** `doctor`: one line for each check. Exit code 1 if one fails. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'checks Node.js, disk, key, HTTPS, clock, platform, payments, anchors, database, standbys, replica, pooler, tasks, roles, owner and Redis, and gives advice',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await runChecks();
      console.log(json ? safeJson(findings) : findings.map(asText).join('\n'));
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = EXIT.problem;
    });
}

async function runChecks(): Promise<Finding[]> {
  const node = checkNode(process.versions.node);
  let settings: Settings;
  try {
    settings = loadSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [node, fail('settings', error.errors.join('; '), 'Put them right in the environment or in .env.')];
  }
  const findings = [
    node,
    ok('settings', 'can be read'),
    await runCheck('disk', () => checkDisk(settings)),
    await runCheck('https', async () => checkHttps(settings, Date.now())),
    await runCheck('platform', () => checkPlatform(settings)),
    await runCheck('anchors', () => checkAnchors(settings)),
    await runCheck('passes', async () => checkPasses(settings, Date.now())),
    ...(await databaseChecks(settings)),
    await checkRedis(settings.REDIS_URL),
  ];
  return findings.filter((finding) => finding !== undefined);
}

async function databaseChecks(settings: Settings): Promise<(Finding | undefined)[]> {
  try {
    const findings = await withDatabase(settings, (databaseUrl) =>
      withDoctorPool(databaseUrl, async (pool) => [
        await checkDatabase(pool),
        await runCheck('standbys', () => checkStandbys(pool)),
        await runCheck('servers', () => checkServers(databaseUrl)),
        await runCheck('replica', () => checkReplica(pool, settings)),
        await runCheck('pooler', () => checkPooler(databaseUrl)),
        await runCheck('clock', () => checkClock(pool, Date.now)),
        await runCheck('roles', () => checkRoles(pool)),
        await runCheck('key', () => checkKey(settings, pool)),
        await runCheck('tasks', () => checkTasks(pool, settings)),
        await runCheck('payment', () => checkPayment(pool, settings)),
      ]),
    );
    return [...findings, await runCheck('owner', () => checkOwnersLogin(settings))];
  } catch (error) {
    return [fail('database', (error as Error).message, 'See DATABASE_URL, or DATA_DIR where it is unset.')];
  }
}

/** Without the application's role, which the login may not be able to take. */
async function withDoctorPool<T>(databaseUrl: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall doctor', onError, asOwner: true });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function checkOwnersLogin(settings: Settings): Promise<Finding> {
  const { DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: ownerUrl } = settings;
  if (databaseUrl !== undefined && ownerUrl === undefined) {
    return ok('owner', 'MIGRATION_DATABASE_URL is not set here: migrate and repair where it is');
  }
  return await withDatabase(settings, (url) => withDoctorPool(url, checkOwner), { as: 'owner' });
}

/** Whether ENCRYPTION_KEY is the key of this database. */
async function checkKey(given: Settings, pool: Pool): Promise<Finding> {
  const { ENCRYPTION_KEY: key } = withSavedCredentials(given, false);
  const advice = 'Set the ENCRYPTION_KEY that the service was first started with.';
  try {
    await checkKnownKey(pool, given);
  } catch (error) {
    if (error instanceof UserError) return fail('key', error.message, advice);
    throw error;
  }
  if (key) return ok('key', 'ENCRYPTION_KEY is the one of this database');
  return fail('key', 'ENCRYPTION_KEY is not set', 'Set it, or let `npm start` make one.');
}

/** An unexpected failure of a check is a finding too, and the other checks still run. */
async function runCheck<T extends Finding | undefined>(check: string, work: () => Promise<T>): Promise<T | Finding> {
  return await work().catch((error: unknown) => fail(check, (error as Error).message, 'This could not be checked.'));
}

function asText({ check, state, detail, advice }: Finding): string {
  const line = `${state.padEnd(4)}  ${check.padEnd(8)}  ${visible(detail)}`;
  return advice === undefined ? line : `${line}\n${' '.repeat(16)}${advice}`;
}
