// PostgreSQL by Patroni, HAProxy and Redis by Sentinel on this machine, to break them: see docs/scale.md.
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BREAKS, breakCluster } from './breaks.mjs';
import { createDatabase } from './database.mjs';
import { missingPrograms, programPath } from './missing-programs.mjs';
import { addressesOf, newPlan, serversOf } from './plan.mjs';
import { account, launch, makeFolder, processesIn, signalAll, until, writeOwned } from './processes.mjs';
import { startPrograms } from './programs.mjs';
import { isWhole, statusLines } from './status.mjs';
import { clearSharedMemory } from './shared-memory.mjs';

const USAGE = `node deploy/patroni/cluster.mjs COMMAND [--folder FOLDER]
  start [--by hosts|haproxy] [--apis N] [--workers N]   starts everything in the folder, and prints the settings of api and worker
  status                                                says what runs
  break ${BREAKS.join('|')}   breaks a part, and waits until another one does its work
  repair                                                lets what is frozen go on, starts what is not there, and waits until all is whole
  stop                                                  ends all processes, and removes the folder`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: join(tmpdir(), 'willcall-patroni') },
    by: { type: 'string', default: 'hosts' },
    apis: { type: 'string', default: '0' },
    workers: { type: 'string', default: '0' },
  },
});
const COMMANDS = { start, status, break: breakOne, repair, stop };
const [command = '', ...words] = positionals;

try {
  if (!Object.hasOwn(COMMANDS, command)) throw new Error(USAGE);
  await COMMANDS[command](...words);
} catch (error) {
  console.error(error.cause ? `${error.message}: ${error.cause.message ?? error.cause}` : error.message);
  process.exitCode = 1;
}

async function start() {
  if (missingPrograms.length > 0) throw new Error(`Not installed: ${missingPrograms.join(', ')}`);
  if (!['hosts', 'haproxy'].includes(values.by)) throw new Error(USAGE);
  const programs = { apis: count(values.apis), workers: count(values.workers) };
  mkdirSync(values.folder, { recursive: true });
  const folder = realpathSync(values.folder);
  if (existsSync(join(folder, 'cluster.json'))) throw new Error(`${folder} has a cluster: repair it, or stop it`);
  // The servers' account has to reach its folders in it.
  chmodSync(folder, 0o755);
  const plan = await newPlan({ ...programs, by: values.by });
  writeOwned(join(folder, 'cluster.json'), JSON.stringify(plan), {});
  const owner = account();
  for (const server of serversOf(plan)) {
    makeFolder(join(folder, server.folder.split('/')[0]), owner);
    makeFolder(join(folder, server.folder), owner);
    writeOwned(join(folder, server.folder, server.file), server.text, owner);
  }
  startServers(folder, plan);
  await until('all servers run', () => isWhole(plan));
  await createDatabase(plan);
  await startPrograms(folder, plan);
  console.log(settings(plan));
}

async function status() {
  const { plan } = opened();
  console.log([...(await statusLines(plan)), settings(plan)].join('\n'));
}

async function breakOne(kind = '') {
  if (!BREAKS.includes(kind)) throw new Error(USAGE);
  const { folder, plan } = opened();
  console.log(await breakCluster(kind, folder, plan));
}

async function repair() {
  const { folder, plan } = opened();
  signalAll(folder, 'SIGCONT');
  startServers(folder, plan);
  await startPrograms(folder, plan);
  await until('all servers run', () => isWhole(plan));
  console.log((await statusLines(plan)).join('\n'));
}

/** PostgreSQL ends before etcd, so that it can say goodbye. What does not end by itself is killed. */
async function stop() {
  if (!existsSync(values.folder)) return;
  const { folder, plan } = opened();
  signalAll(folder, 'SIGCONT');
  const below = (names) => names.map((name) => join(folder, name));
  const first = [
    ...[...plan.apis, ...plan.workers].map(({ name }) => name),
    ...plan.nodes.map(({ name }) => `${name}/patroni`),
  ];
  for (const folders of [below(first), below(serversOf(plan).map((server) => server.folder))]) {
    for (const path of folders) signalAll(path, 'SIGTERM');
    const areEmpty = () => folders.every((path) => processesIn(path).length === 0);
    await until('they end', areEmpty, 15_000).catch(() => undefined);
  }
  signalAll(folder, 'SIGKILL');
  await until('all processes end', () => processesIn(folder).length === 0, 10_000);
  clearSharedMemory(folder, plan);
  rmSync(folder, { recursive: true });
}

function startServers(folder, plan) {
  const owner = account();
  for (const server of serversOf(plan)) {
    const path = join(folder, server.folder);
    if (processesIn(path).length === 0) launch(path, programPath(server.program), server.args, owner);
  }
}

function opened() {
  if (!existsSync(join(values.folder, 'cluster.json'))) throw new Error(`There is no cluster in ${values.folder}`);
  const folder = realpathSync(values.folder);
  return { folder, plan: JSON.parse(readFileSync(join(folder, 'cluster.json'), 'utf8')) };
}

function settings(plan) {
  const addresses = Object.entries(addressesOf(plan)).map(([name, value]) => `${name}=${value}`);
  const programs = [...plan.apis, ...plan.workers].map(({ name, port }) => `# ${name}: http://127.0.0.1:${port}`);
  return [...addresses, `# HAProxy: 127.0.0.1:${plan.proxy}`, ...programs].join('\n');
}

function count(text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 8) throw new Error(USAGE);
  return number;
}
