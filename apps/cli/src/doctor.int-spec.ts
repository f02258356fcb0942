import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSettings, parseSettings } from '#base/load-settings';
import { createPool } from '#database/pool';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import { PAYMENT } from '../../../test/support/callers.js';
import { applicationUrl, ownerUrl } from '../../../test/support/database.js';
import { cardBody } from '../../../test/support/purchase-bodies.js';
import { quietPort } from '../../../test/support/quiet-port.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { saveAddresses } from './addresses.js';
import type { Finding } from './doctor/finding.js';
import { checkClock, checkOwner, checkPayment, checkRoles } from './doctor/server-checks.js';
import { doctorCommand } from './doctor.js';
import { infoCommand } from './info.js';

const STRIPE = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };

let api: TestApi;
let folder: string;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(() => {
  printed.mockClear();
  folder = temporaryFolder('doctor');
  for (const [name, value] of Object.entries(apiEnvironment(api.databaseUrl))) vi.stubEnv(name, value);
  vi.stubEnv('DATA_DIR', folder);
});
afterEach(() => {
  process.exitCode = undefined;
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const output = () => printed.mock.calls.flat().join('\n');

async function states(): Promise<Record<string, Finding['state']>> {
  printed.mockClear();
  process.exitCode = undefined;
  await doctorCommand().parseAsync(['--json'], { from: 'user' });
  return Object.fromEntries((JSON.parse(output()) as Finding[]).map(({ check, state }) => [check, state]));
}

describe('doctor', () => {
  it('finds no problem in a working installation, with one line for each check', async () => {
    await doctorCommand().parseAsync([], { from: 'user' });
    for (const check of [
      'node',
      'settings',
      'disk',
      'https',
      'platform',
      'anchors',
      'database',
      'standbys',
      'pooler',
      'tasks',
      'clock',
      'roles',
      'owner',
      'key',
      'payment',
      'redis',
    ]) {
      expect(output()).toMatch(new RegExp(`^(ok|warn) +${check} `, 'm'));
    }
    expect(process.exitCode).toBeUndefined();
  });

  it('ends with 1 and names the problems', async () => {
    vi.stubEnv('ENCRYPTION_KEY', Buffer.alloc(32, 9).toString('base64'));
    vi.stubEnv('REDIS_URL', `redis://127.0.0.1:${await quietPort()}`);
    vi.stubEnv('PLATFORM_URL', `http://127.0.0.1:${await quietPort()}`);
    expect(await states()).toMatchObject({ database: 'ok', key: 'fail', redis: 'fail', platform: 'fail' });
    expect(process.exitCode).toBe(1);
  });

  it('continues if the database is unreachable', async () => {
    vi.stubEnv('DATABASE_URL', `postgres://127.0.0.1:${await quietPort()}/none`);
    expect(await states()).toMatchObject({ node: 'ok', database: 'fail', redis: 'ok' });
    expect(process.exitCode).toBe(1);
  });

  it('names an error of the settings', async () => {
    vi.stubEnv('PORT', 'x');
    expect(await states()).toMatchObject({ settings: 'fail' });
  });

  it('finds clients whose payments nobody takes', async () => {
    const check = async (environment: object) =>
      await checkPayment(api.pool, parseSettings({ ...apiEnvironment(api.databaseUrl), ...environment }));
    expect(await check({ PAYMENT_PROVIDER: 'sandbox' })).toMatchObject({ state: 'warn' });
    expect(await check({ PAYMENT_PROVIDER: '', DATABASE_URL: '' })).toMatchObject({ state: 'ok' });
    expect(await check(STRIPE)).toMatchObject({ state: 'ok', detail: 'payments are taken by stripe' });
    expect(await check({ PAYMENT_PROVIDER: '' })).toMatchObject({
      state: 'fail',
      detail: `nobody takes the payments of ${PAYMENT.clientId}`,
    });
    await api.pool.query(`update clients set revoked_at = now() where variant = 'payment'`);
    expect(await check({ PAYMENT_PROVIDER: '' })).toMatchObject({ state: 'ok', detail: 'no client needs a provider' });
    await api.pool.query(`update clients set revoked_at = null where variant = 'payment'`);
  });

  it('finds open payments of a provider that is not configured any more', async () => {
    await api.staff.putListing('lst-1');
    await api.payment.bought(cardBody());
    const finding = await checkPayment(api.pool, parseSettings({ ...apiEnvironment(api.databaseUrl), ...STRIPE }));
    expect(finding).toMatchObject({
      state: 'fail',
      detail: '1 open payments are at sandbox, which is not configured',
    });
  });

  it("compares the clock with the database's", async () => {
    expect((await checkClock(api.pool, Date.now)).state).toBe('ok');
    expect((await checkClock(api.pool, () => Date.now() - 5_000)).state).toBe('warn');
    expect((await checkClock(api.pool, () => Date.now() + 3_600_000)).state).toBe('fail');
  });

  it('finds a role that may change the log', async () => {
    const pool = connected(applicationUrl(api.databaseUrl));
    await api.pool.query('grant update on events to willcall_app');
    expect(await checkRoles(pool)).toMatchObject({ state: 'fail', detail: expect.stringContaining('log') as string });
    await api.pool.query('revoke update on events from willcall_app');
    expect((await checkRoles(pool)).state).toBe('ok');
    await pool.end();
  });

  it('finds a login of the application that is an owner or a superuser, and says what to set', async () => {
    expect(await checkRoles(api.pool)).toMatchObject({
      state: 'fail',
      detail: 'The login postgres of DATABASE_URL is a superuser',
      advice: expect.stringMatching(/^Set MIGRATION_DATABASE_URL to this address/) as string,
    });
  });

  it("rates the owner's login", async () => {
    const check = async (url: string) => {
      const pool = connected(url);
      return await checkOwner(pool).finally(() => pool.end());
    };
    expect(await check(ownerUrl(api.databaseUrl))).toMatchObject({ state: 'ok' });
    expect(await check(api.databaseUrl)).toMatchObject({
      state: 'warn',
      detail: 'postgres migrates, and is a superuser',
    });
    expect(await check(applicationUrl(api.databaseUrl))).toMatchObject({
      state: 'fail',
      advice: 'Run: grant willcall_owner to "willcall_service";',
    });
    vi.stubEnv('MIGRATION_DATABASE_URL', ownerUrl(api.databaseUrl));
    expect(await states()).toMatchObject({ owner: 'ok' });
  });
});

function connected(databaseUrl: string): Pool {
  return createPool({ databaseUrl, max: 1, applicationName: 'test', onError: () => undefined, asOwner: true });
}

describe('info', () => {
  it('prints the addresses of a running installation', async () => {
    const { port } = new URL(api.url);
    vi.stubEnv('PORT', port);
    vi.stubEnv('WORKER_PORT', '4801');
    saveAddresses(loadSettings(), loadSettings());
    vi.stubEnv('PORT', '0');
    await infoCommand().parseAsync([], { from: 'user' });
    expect(output()).toContain('Willcall is running.');
    expect(output()).toMatch(/ api +https:\/\/tickets\.example\/shop\n/);
    expect(output()).toContain('http://127.0.0.1:4801/health/ready');
    expect(output()).toContain('The credentials are in the environment of the services.');
    expect(output()).not.toContain(apiEnvironment('')['BACKOFFICE_TOKEN']);
  });

  it('prints addresses and credentials of a stopped installation', async () => {
    vi.unstubAllEnvs();
    vi.stubEnv('DATABASE_URL', '');
    vi.stubEnv('DATA_DIR', folder);
    vi.stubEnv('PORT', String(await quietPort()));
    await expect(infoCommand().parseAsync([], { from: 'user' })).rejects.toThrow('has never been started');
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ BACKOFFICE_TOKEN: 'the-token-of-this-demo' }));
    await infoCommand().parseAsync([], { from: 'user' });
    expect(output()).toContain('Willcall is not running: `npm start` starts it.');
    expect(output()).toMatch(/back office token +the-token-of-this-demo/);
    expect(output()).toContain(join(folder, 'secrets.json'));
  });
});
