import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PAYMENT, Platform, STAFF_TOKEN, Staff } from './support/callers.js';
import { cardBody } from './support/purchase-bodies.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { followed, pressCtrlC, untilWelcome, type Willcall } from './support/willcall.js';

const root = resolve(import.meta.dirname, '..');
const MOST_PACKAGES = 40;

let folder: string;
let running: Willcall;

const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' });

beforeAll(() => {
  // Not in memory: the packages are 120 MB.
  folder = temporaryFolder('packed', tmpdir());
  npm(root, 'pack', '--pack-destination', folder);
  const [archive = ''] = readdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, 'install', '--prefer-offline', '--loglevel=error', `./${archive}`);
}, 600_000);
afterAll(async () => {
  running.process.kill('SIGKILL');
  await running.ended;
  rmSync(folder, { recursive: true, force: true });
});

it('a packed installation needs few packages and no build, sells a ticket, and shows its pages', async () => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: object;
  };
  expect(Object.keys(packages).length).toBeLessThan(MOST_PACKAGES);
  expect(existsSync(join(folder, 'node_modules/willcall/dist/libs/discovery/src/time-zones/borders.bin'))).toBe(true);

  const start = ['willcall', 'start'];
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    BACKOFFICE_TOKEN: STAFF_TOKEN,
    CHECKOUT_CLIENT_ID: PAYMENT.clientId,
    CHECKOUT_CLIENT_SECRET: PAYMENT.secret,
  };
  running = followed(spawn('npx', start, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env }));
  await untilWelcome(running);
  expect(running.output()).not.toContain('building');

  const api = running.printed('api');
  await new Staff(api).putListing('lst-1');
  await new Platform(api, PAYMENT).bought(cardBody());
  const headers = { authorization: `Bearer ${STAFF_TOKEN}` };
  for (const page of ['/orders', '/docs', '/docs/swagger-ui-bundle.js', '/openapi.json', '/asyncapi.json', '/queues'])
    expect((await fetch(api + page, { headers })).status, page).toBe(200);

  pressCtrlC(running);
  await running.ended;
  expect(existsSync(join(folder, 'node_modules/willcall/tools/run.cjs'))).toBe(false);
}, 300_000);
