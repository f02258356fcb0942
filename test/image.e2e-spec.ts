import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '#base/free-port';
import { apiEnvironment } from './support/api-environment.js';
import { PAYMENT, Platform, Staff } from './support/callers.js';
import { createTestDatabase, type TestDatabase } from './support/database.js';
import { copyBuildContext } from './support/image/build-context.js';
import { buildImage, inImage, type Image } from './support/image/dockerfile.js';
import { cardBody } from './support/purchase-bodies.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';
import { followed, type Willcall } from './support/willcall.js';

const root = resolve(import.meta.dirname, '..');

let folder: string;
let database: TestDatabase;
let image: Image;
const running: Willcall[] = [];

beforeAll(async () => {
  // Not in memory: it has the packages twice.
  folder = temporaryFolder('image', tmpdir());
  database = await createTestDatabase();
  const context = join(folder, 'context');
  copyBuildContext(root, context);
  image = await buildImage(readFileSync(join(root, 'Dockerfile'), 'utf8'), context, folder, linkPackages);
  // On a machine with other work, npm alone may take minutes.
}, 900_000);
afterAll(async () => {
  for (const { process: child } of running) child.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** All packages are installed already, in this very version. The installation without those for tests is a real one. */
function linkPackages(command: string, workdir: string): boolean {
  if (!command.startsWith('npm ci') || command.includes('--omit')) return false;
  const [from, to] = [join(root, 'node_modules'), join(workdir, 'node_modules')];
  const { status } = spawnSync('cp', ['-al', from, to]);
  if (status === 0) return true;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  return true;
}

function started(command: readonly string[], environment: Record<string, string>): Willcall {
  const [program = '', ...args] = command;
  const options = { cwd: join(image.root, image.workdir), env: environmentOf(environment) };
  const willcall = followed(spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
  running.push(willcall);
  return willcall;
}

const environmentOf = (environment: Record<string, string>) => ({
  PATH: process.env.PATH,
  ...image.env,
  ...apiEnvironment(database.url),
  ...environment,
});

async function untilReady(url: string, willcall: Willcall): Promise<void> {
  const answers = () => fetch(`${url}/health/ready`).then(({ ok }) => ok);
  await until(() => willcall.process.exitCode !== null || answers(), { withinMs: 120_000 });
  expect(willcall.process.exitCode, willcall.output()).toBeNull();
}

it('the image has no source maps, and nothing that only tests use', () => {
  const names = readdirSync(join(image.root, image.workdir), { encoding: 'utf8', recursive: true });
  expect(names.length).toBeGreaterThan(300);
  expect(
    names.filter((name) => /\.map$|\.(spec|test)\.js$|\/(tests?|__tests__)\/|^dist\/.*fixtures|stubbed/.test(name)),
  ).toEqual([]);
});

it('the image has the data that a packed installation has', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] };
  const data = files.filter((name) => name.startsWith('dist/libs/')).map((name) => name.replace('*', ''));
  expect(data).toContain('dist/libs/platform/src/dejavu-sans-condensed.ttf');
  expect(data.filter((name) => !existsSync(join(image.root, image.workdir, name)))).toEqual([]);
});

it('the image is built of what .dockerignore lets through, and its api and worker sell a ticket', async () => {
  const migrate = inImage(image, '/usr/local/bin/willcall migrate').split(' ');
  const migrated = started(migrate, { MIGRATION_DATABASE_URL: database.url });
  expect(await migrated.ended, migrated.output()).toMatchObject({ code: 0 });

  const [port, workerPort] = [`${await freePort()}`, `${await freePort()}`];
  const api = `http://127.0.0.1:${port}`;
  const url = { PORT: port, PUBLIC_URL: api };
  await untilReady(api, started(image.command, url));
  // As docker-compose.yml starts it.
  const worker = started(['node', 'dist/programs/worker.js'], { ...url, WORKER_PORT: workerPort });
  await untilReady(`http://127.0.0.1:${workerPort}`, worker);
  const [node = '', ...check] = image.healthcheck;
  await promisify(execFile)(node, check, { env: environmentOf(url) });

  await new Staff(api).putListing('lst-1');
  const id = await new Platform(api, PAYMENT).bought(cardBody());
  type Pings = { pings: { order_id: string; state: string }[] };
  const pings = async () => ((await (await fetch(`${api}/sandbox/pings`)).json()) as Pings).pings;
  const read = await until(async () => (await pings()).find(({ state }) => state === 'read'), { withinMs: 60_000 });
  expect(read.order_id).toBe(id);
  for (const page of ['/docs', '/orders', '/openapi.json']) expect((await fetch(api + page)).status, page).toBe(200);
});
