// Which servers a cluster has, on which ports, with which files.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { debianPostgres } from '../../tools/debian-postgres.mjs';

// Below the range that the system gives to clients, and above test/support/quiet-port.ts.
const [FIRST_PORT, LAST_PORT, PORTS] = [21_000, 32_000, 40];
const HOST = '127.0.0.1';

/** New passwords, and ports that are free: the whole content of `cluster.json`. */
export async function newPlan({ apis, workers, by }) {
  const ports = await freePorts();
  const next = () => ports.shift();
  const password = () => randomBytes(18).toString('hex');
  const three = (make) => [1, 2, 3].map(make);
  return {
    by,
    nodes: three((number) => ({
      name: `node${number}`,
      postgres: next(),
      rest: next(),
      client: next(),
      peer: next(),
    })),
    proxy: next(),
    redis: three((number) => ({ name: `redis${number}`, port: next(), sentinel: next() })),
    apis: Array.from({ length: apis }, (_, index) => ({ name: `api${index + 1}`, port: next() })),
    workers: Array.from({ length: workers }, (_, index) => ({ name: `worker${index + 1}`, port: next() })),
    passwords: {
      superuser: password(),
      replicator: password(),
      migrate: password(),
      service: password(),
      redis: password(),
      sentinel: password(),
    },
    encryptionKey: randomBytes(32).toString('base64'),
    token: password(),
  };
}

/** What the programs of Willcall need to know, as settings. */
export function addressesOf({ nodes, proxy, redis, passwords, by }) {
  const hosts = by === 'haproxy' ? `${HOST}:${proxy}` : nodes.map(({ postgres }) => `${HOST}:${postgres}`).join(',');
  const database = (login, password) => `postgres://${login}:${password}@${hosts}/willcall`;
  const sentinels = redis.map(({ sentinel }) => `${HOST}:${sentinel}`).join(',');
  return {
    DATABASE_URL: database('willcall_service', passwords.service),
    MIGRATION_DATABASE_URL: database('willcall_migrate', passwords.migrate),
    REDIS_URL: `redis+sentinel://:${passwords.redis}@${sentinels}/main?sentinel_password=${passwords.sentinel}`,
  };
}

/** All servers. Each has a folder of its own, by which its processes are found. */
export function serversOf(plan) {
  return [
    ...plan.nodes.map((node) => etcdOf(node, plan)),
    ...plan.nodes.map((node) => patroniOf(node, plan)),
    proxyOf(plan),
    ...plan.redis.flatMap((one, index) => redisOf(one, index, plan)),
  ];
}

function etcdOf({ name, client, peer }, { nodes }) {
  const peers = nodes.map((node) => `${node.name}=http://${HOST}:${node.peer}`).join(',');
  return server(`${name}/etcd`, 'etcd', ['--config-file', 'etcd.yml'], 'etcd.yml', { node: name, client, peer, peers });
}

function patroniOf({ name, rest, postgres }, { nodes, passwords }) {
  return server(`${name}/patroni`, 'patroni', ['patroni.yml'], 'patroni.yml', {
    node: name,
    rest,
    postgres,
    etcds: nodes.map(({ client }) => `${HOST}:${client}`).join(','),
    binaries: debianPostgres,
    superuserPassword: passwords.superuser,
    replicatorPassword: passwords.replicator,
  });
}

function proxyOf({ nodes, proxy }) {
  const backends = nodes.map((node) => `  server ${node.name} ${HOST}:${node.postgres} check port ${node.rest}`);
  return server('haproxy', 'haproxy', ['-db', '-f', 'haproxy.cfg'], 'haproxy.cfg', {
    proxy,
    backends: backends.join('\n'),
  });
}

function redisOf({ name, port, sentinel }, index, { redis: [first], passwords }) {
  const { redis: password, sentinel: sentinelPassword } = passwords;
  const replicaof = index === 0 ? '' : `replicaof ${HOST} ${first.port}`;
  return [
    server(`${name}/redis`, 'redis-server', ['redis.conf'], 'redis.conf', { port, password, replicaof }),
    server(`${name}/sentinel`, 'redis-server', ['sentinel.conf', '--sentinel'], 'sentinel.conf', {
      port: sentinel,
      master: first.port,
      password,
      sentinelPassword,
    }),
  ];
}

function server(folder, program, args, file, values) {
  const template = readFileSync(join(import.meta.dirname, file), 'utf8');
  const text = template.replace(/<(\w+)>/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`${file}: no value for ${name}`);
    return values[name];
  });
  return { folder, program, args, file, text };
}

/** Begins at a random place, so that two clusters that start at once seldom meet. */
export async function freePorts() {
  for (;;) {
    const first = FIRST_PORT + Math.floor((Math.random() * (LAST_PORT - FIRST_PORT)) / PORTS) * PORTS;
    const ports = Array.from({ length: PORTS }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return ports;
  }
}

function isFree(port) {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen({ port, host: HOST, exclusive: true }, () => probe.close(() => done(true)));
  });
}
