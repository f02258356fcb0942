// Restores a running Willcall to an instant with pgBackRest, and compares it with the platform: see docs/backup-and-restore.md.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePorts } from '../patroni/plan.mjs';
import { launch, makeFolder, processesIn, signalAll, until } from '../patroni/processes.mjs';
import { missingPrograms } from './missing-programs.mjs';
import { ArchivedServer } from './server.mjs';

const programs = resolve(import.meta.dirname, '../../dist/programs');
const LISTING = [
  'listing_id,event_id,section,row,quantity,split_rule,price,fees,wholesale_price,delivery_methods,confirmation',
  'drill,2001,Stalls,A,100,any,80,12,70,"[{""type"":""download"",""name"":""E-tickets"",""cost"":0}]",automatic',
  '',
].join('\n');

const { values } = parseArgs({ options: { folder: { type: 'string', default: join(tmpdir(), 'willcall-drill') } } });
if (missingPrograms.length > 0) throw new Error(`Not installed: ${missingPrograms.join(', ')}`);
if (existsSync(values.folder)) throw new Error(`${values.folder} exists: name another one (--folder), or remove it`);
makeFolder(values.folder, {});
const folder = realpathSync(values.folder);
// The server's account has to reach its folder in it.
chmodSync(folder, 0o755);

const password = () => randomBytes(18).toString('hex');
const [databasePort, apiPort, workerPort] = await freePorts();
const passwords = { superuser: password(), migrate: password(), service: password() };
const server = new ArchivedServer(join(folder, 'postgres'), databasePort, passwords);
const settings = {
  PATH: process.env.PATH,
  DATABASE_URL: server.address('willcall_service', passwords.service),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  BACKOFFICE_TOKEN: password(),
  CHECKOUT_CLIENT_ID: 'drill',
  CHECKOUT_CLIENT_SECRET: password(),
  CHECKOUT_VARIANT: 'wholesale',
  FILES_DIR: join(folder, 'files'),
  REQUIRE_HTTPS: 'false',
  SANDBOX: 'true',
  PORT: `${apiPort}`,
  OPERATIONS_PORT: `${apiPort}`,
  WORKER_PORT: `${workerPort}`,
  PUBLIC_URL: `http://127.0.0.1:${apiPort}`,
};

try {
  await drill();
} finally {
  signalAll(folder, 'SIGTERM');
  await until('the programs end', () => processesIn(folder).length === 0, 10_000).catch(() => undefined);
  signalAll(folder, 'SIGKILL');
  await until('all processes end', () => processesIn(folder).length === 0, 10_000);
  rmSync(folder, { recursive: true });
}

async function drill() {
  await server.create();
  await willcall('migrate');
  await startPrograms();
  writeFileSync(join(folder, 'listing.csv'), LISTING);
  await willcall('listings import listing.csv');
  const kept = [await buy()];
  server.pgbackrest('backup', '--type=full');
  kept.push(await buy());
  const [{ instant }] = await server.query('select clock_timestamp()::text as instant');
  const lost = [await buy(), await buy()];
  const epoch = await shownEpoch();
  say(`backed up; bought until ${instant}: ${kept.join(', ')}; afterwards: ${lost.join(', ')}`);

  // Api and worker go on: they refuse until the server can be written again.
  server.stop();
  server.restore(instant);
  await server.start();
  await startPrograms();
  const renewed = await shownEpoch();
  if (renewed === epoch) throw new Error(`The epoch is still ${epoch}`);
  say(`restored; the epoch was ${epoch} and is ${renewed}`);

  const known = [...kept, ...lost].map((order_id) => `${JSON.stringify({ order_id })}\n`);
  writeFileSync(join(folder, 'platform.ndjson'), known.join(''));
  const missing = await willcall('reconcile --platform platform.ndjson', 1);
  const named = (id) => missing.includes(id);
  if (!lost.every(named) || kept.some(named)) throw new Error(`reconcile does not name ${lost.join(', ')}: ${missing}`);
  say(`reconcile names what the platform knows and we do not: ${lost.join(', ')}`);
  await willcall('verify');
  say(`verify finds no difference; sold again: ${await buy()}`);
}

/** Starts those that do not run, and waits until both are ready. */
async function startPrograms() {
  for (const [program, port] of [
    ['api', apiPort],
    ['worker', workerPort],
  ]) {
    const place = join(folder, program);
    makeFolder(place, {});
    if (processesIn(place).length === 0)
      launch(place, process.execPath, [join(programs, `${program}.js`)], { env: settings });
    await until(`the ${program} is ready`, async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok);
  }
}

/** Returns the id of the order. */
async function buy() {
  const output = await willcall('platform buy drill --event 2001 --quantity 2');
  const id = /"id":\s*"(ord_\w+)"/.exec(output)?.[1];
  if (id === undefined) throw new Error(`Nothing was bought: ${output}`);
  return id;
}

async function shownEpoch() {
  return (await willcall('epoch show')).split(/\s/)[0];
}

/** Returns what the command printed. The owner's login is only for commands. */
async function willcall(words, expected = 0) {
  const env = { ...settings, MIGRATION_DATABASE_URL: server.address('willcall_migrate', passwords.migrate) };
  const args = [join(programs, 'willcall.js'), ...words.split(' ')];
  const { code, output } = await new Promise((done) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: (stdout + (error ? stderr : '')).trim() }),
    );
  });
  if (code !== expected) throw new Error(`willcall ${words} ended with ${code}: ${output}`);
  return output;
}

function say(line) {
  console.log(line);
}
