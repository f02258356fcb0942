// What the servers say about themselves.
import { Redis } from 'ioredis';
import pg from 'pg';

const HOST = '127.0.0.1';
const ANSWERS_WITHIN_MS = 1_000;

/** A connection as superuser. */
export async function connect({ passwords }, { postgres: port }, database = 'postgres') {
  const client = new pg.Client({
    host: HOST,
    port,
    database,
    user: 'postgres',
    password: passwords.superuser,
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: 60_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The node that can be written, asked of PostgreSQL itself, or undefined. `others` leaves out those with these names. */
export async function primaryOf(plan, others = []) {
  const asked = plan.nodes.filter(({ name }) => !others.includes(name));
  const answers = await Promise.all(asked.map((node) => isPrimary(plan, node).catch(() => false)));
  return asked.find((_, index) => answers[index]);
}

async function isPrimary(plan, node) {
  const client = await connect(plan, node);
  try {
    return (await client.query('select not pg_is_in_recovery() as is_primary')).rows[0].is_primary;
  } finally {
    await client.end();
  }
}

/** The name of the Redis that the Sentinels call the master. */
export async function masterOf(plan) {
  const [, port] = await askSentinel(plan, (sentinel) => sentinel.call('sentinel', 'get-master-addr-by-name', 'main'));
  return plan.redis.find((one) => one.port === Number(port));
}

/** The names of those that commits wait for. */
export async function synchronousStandbys(plan) {
  const members = await membersOf(plan);
  return members.filter(({ role }) => role === 'sync_standby').map(({ name }) => name);
}

/** One primary, two synchronous standbys; a master with two replicas; and HAProxy leads to the primary. */
export async function isWhole(plan) {
  const members = await membersOf(plan);
  const roles = members.map(({ role }) => role).toSorted();
  const timelines = new Set(members.map(({ timeline }) => timeline));
  if (roles.join() !== 'leader,sync_standby,sync_standby' || timelines.size !== 1) return false;
  if (members.some(({ state, lag = 0 }) => !['running', 'streaming'].includes(state) || lag > 1_000_000)) return false;
  if (!(await isPrimary(plan, { postgres: plan.proxy }))) return false;
  const master = await masterOf(plan);
  const replication = await ask(master.port, plan.passwords.redis, (redis) => redis.info('replication'));
  const others = await askSentinel(plan, (sentinel) => sentinel.call('sentinel', 'sentinels', 'main'));
  return replication.includes('connected_slaves:2') && others.length === 2;
}

export async function statusLines(plan) {
  const members = await membersOf(plan).catch(() => []);
  const master = await masterOf(plan).catch(() => undefined);
  return [
    ...members.map(({ name, role, state, timeline }) => `# ${name}: ${role}, ${state}, timeline ${timeline}`),
    `# Redis: ${master ? `${master.name} is the master` : 'no master is known'}`,
  ];
}

async function membersOf({ nodes }) {
  const answers = nodes.map(async ({ rest }) => {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    return (await (await fetch(`http://${HOST}:${rest}/cluster`, { signal })).json()).members;
  });
  return await Promise.any(answers);
}

async function askSentinel({ redis, passwords }, question) {
  return await Promise.any(redis.map(({ sentinel }) => ask(sentinel, passwords.sentinel, question)));
}

async function ask(port, password, question) {
  const redis = new Redis({
    port,
    host: HOST,
    password,
    lazyConnect: true,
    retryStrategy: null,
    commandTimeout: ANSWERS_WITHIN_MS,
  });
  redis.on('error', () => undefined);
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
