import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChannelModel, connect } from 'amqplib';
import { quietPort } from '../quiet-port.js';
import { temporaryFolder } from '../temporary-folder.js';
import { RECEIVER } from '../tls/authority.js';
import { until } from '../until.js';
import { type BrokerMessage, ended, type TestBroker } from './broker.js';

// The command of the package on the PATH insists on an account of its own.
const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server';

/** Whether Debian's package is installed. */
export const rabbitMqAvailable = existsSync(SERVER);

const [USER, PASSWORD] = ['willcall', 'p@ss'];
const QUEUE = 'all';

/** A server with a topic exchange `willcall`, and a queue that gets all of its messages. Its TLS port has the certificate of the test receiver. */
export async function startRabbitMq(): Promise<TestBroker & Readonly<{ encryptedUrl: string }>> {
  const folder = temporaryFolder('rabbitmq');
  const [port, encryptedPort] = [await quietPort(), await quietPort()];
  const [distribution, names] = [await quietPort(), await quietPort()];
  const configuration = join(folder, 'rabbitmq.conf');
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${port}`,
    `listeners.ssl.1 = 127.0.0.1:${encryptedPort}`,
    `ssl_options.certfile = ${RECEIVER.certFile}`,
    `ssl_options.keyfile = ${RECEIVER.keyFile}`,
    `default_user = ${USER}`,
    `default_pass = ${PASSWORD}`,
  ];
  writeFileSync(configuration, lines.map((line) => `${line}\n`).join(''));
  writeFileSync(join(folder, 'plugins'), '[].');
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    ERL_EPMD_PORT: `${names}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `test-${port}@localhost`,
    RABBITMQ_DIST_PORT: `${distribution}`,
    RABBITMQ_CONFIG_FILE: configuration,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
  };
  const address = { hostname: '127.0.0.1', port, username: USER, password: PASSWORD };
  async function connected<T>(work: (connection: ChannelModel) => Promise<T>): Promise<T> {
    const connection = await connect(address);
    connection.on('error', () => undefined);
    try {
      return await work(connection);
    } finally {
      await connection.close().catch(() => undefined);
    }
  }
  // Otherwise the server starts one that outlives it.
  const registry = spawn('epmd', ['-port', `${names}`, '-address', '127.0.0.1'], { stdio: 'ignore' });
  let server: ChildProcess;
  const launch = async () => {
    server = spawn(SERVER, { env: environment, stdio: 'ignore', detached: true });
    await until(async () => server.exitCode !== null || (await connected(async () => true)), { withinMs: 120_000 });
    if (server.exitCode !== null) throw new Error(`rabbitmq-server ended with code ${server.exitCode}`);
  };
  /** The server is a child of the script that starts it. */
  const kill = async () => {
    const file = join(folder, 'pid');
    if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
    await ended(server, 'SIGKILL');
  };
  await launch();
  await connected(async (connection) => {
    const channel = await connection.createChannel();
    await channel.assertExchange('willcall', 'topic');
    await channel.assertQueue(QUEUE);
    await channel.bindQueue(QUEUE, 'willcall', '#');
  });
  const login = `${USER}:${encodeURIComponent(PASSWORD)}`;
  return {
    url: `amqp://${login}@127.0.0.1:${port}/%2F/willcall`,
    encryptedUrl: `amqps://${login}@${RECEIVER.name}:${encryptedPort}/%2F/willcall`,
    kill,
    restart: launch,
    messages: () =>
      connected(async (connection) => {
        const channel = await connection.createChannel();
        const found: BrokerMessage[] = [];
        // Without an acknowledgement the messages go back into the queue, to their places, when the channel closes.
        for (;;) {
          const message = await channel.get(QUEUE);
          if (!message) break;
          const { fields, properties, content } = message;
          found.push({ id: String(properties.messageId), subject: fields.routingKey, body: content.toString() });
        }
        await channel.close();
        return found;
      }),
    async stop() {
      await kill();
      await ended(registry, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
