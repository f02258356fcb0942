// What can break, and how long it takes until another server does the work.
import { join } from 'node:path';
import { masterOf, primaryOf, synchronousStandbys } from './status.mjs';
import { signalAll, until } from './processes.mjs';

export const BREAKS = ['kill-postgres', 'kill-node', 'freeze-node', 'switchover', 'freeze-standby', 'kill-redis'];

/** Breaks the part that does the work. Returns a sentence about who does it now. */
export async function breakCluster(kind, folder, plan) {
  if (kind === 'kill-redis') return await killRedis(folder, plan);
  if (kind === 'freeze-standby') return await freezeStandby(folder, plan);
  const primary = await until('there is a primary', () => primaryOf(plan), 30_000);
  const node = join(folder, primary.name);
  const from = performance.now();
  // The postmaster and its processes, not Patroni.
  if (kind === 'kill-postgres') signalAll(join(node, 'patroni/data'), 'SIGKILL');
  // Its etcd too, as if the machine were gone.
  if (kind === 'kill-node') signalAll(node, 'SIGKILL');
  if (kind === 'freeze-node') signalAll(node, 'SIGSTOP');
  if (kind === 'switchover') await switchOver(primary);
  // Only a killed server may come back as the primary.
  const without = kind === 'kill-postgres' ? [] : [primary.name];
  const next = await until('a node can be written', () => primaryOf(plan, without));
  return `${next.name} is the primary ${seconds(from)} after ${primary.name} broke`;
}

/** Purchases wait for it until the primary gives it up. */
async function freezeStandby(folder, plan) {
  const [name] = await until('a standby is synchronous', () => synchronousStandbys(plan), 30_000);
  const from = performance.now();
  signalAll(join(folder, name), 'SIGSTOP');
  await until('purchases do not wait for it', async () => !(await synchronousStandbys(plan)).includes(name));
  return `purchases do not wait for ${name} ${seconds(from)} after it froze`;
}

async function killRedis(folder, plan) {
  const master = await masterOf(plan);
  const from = performance.now();
  signalAll(join(folder, master.name, 'redis'), 'SIGKILL');
  const next = await until('another Redis is the master', async () => {
    const now = await masterOf(plan);
    return now.name !== master.name && now;
  });
  return `${next.name} is the master ${seconds(from)} after ${master.name} broke`;
}

/** Patroni chooses the synchronous standby. */
async function switchOver({ name, rest }) {
  const answer = await fetch(`http://127.0.0.1:${rest}/switchover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ leader: name }),
  });
  if (!answer.ok) throw new Error(`Patroni: ${await answer.text()}`);
}

const seconds = (from) => `${((performance.now() - from) / 1_000).toFixed(1)} s`;
