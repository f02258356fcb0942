import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { quietPort } from '../quiet-port.js';
import { temporaryFolder } from '../temporary-folder.js';
import { RECEIVER } from '../tls/authority.js';
import { until } from '../until.js';
import { type BrokerMessage, ended, type TestBroker } from './broker.js';

/** Whether `nats-server` is on the PATH. */
export const natsAvailable = spawnSync('nats-server', ['--version'], { stdio: 'ignore' }).status === 0;

const LOGIN = { user: 'willcall', pass: 'p@ss' };
const STREAM = 'WILLCALL';

/** A server with JetStream and a stream of `willcall.>`. If `encrypted`, it takes only TLS, with the certificate of the test receiver. */
export async function startNats({ encrypted = false } = {}): Promise<TestBroker> {
  const folder = temporaryFolder('nats');
  const port = await quietPort();
  const tls = encrypted && { tls: { caFile: RECEIVER.authorityFile, servername: RECEIVER.name } };
  const address = { servers: `127.0.0.1:${port}`, ...LOGIN, ...tls, reconnect: false };
  const place = ['-a', '127.0.0.1', '-p', `${port}`, '-js', '-sd', join(folder, 'data')];
  const certificate = encrypted ? ['--tls', '--tlscert', RECEIVER.certFile, '--tlskey', RECEIVER.keyFile] : [];
  const options = [...place, ...certificate, '--user', LOGIN.user, '--pass', LOGIN.pass];
  const launch = async () => {
    const server = spawn('nats-server', options, { stdio: 'ignore' });
    await until(async () => server.exitCode !== null || (await withStreams(async () => true)));
    if (server.exitCode !== null) throw new Error(`nats-server ended with code ${server.exitCode}`);
    return server;
  };
  async function withStreams<T>(
    work: (streams: Awaited<ReturnType<typeof jetstreamManager>>['streams']) => Promise<T>,
  ) {
    const connection = await connect(address);
    try {
      return await work((await jetstreamManager(connection)).streams);
    } finally {
      await connection.close();
    }
  }
  let server = await launch();
  await withStreams((streams) => streams.add({ name: STREAM, subjects: ['willcall.>'] }));
  const login = `${LOGIN.user}:${encodeURIComponent(LOGIN.pass)}`;
  return {
    url: encrypted ? `tls://${login}@${RECEIVER.name}:${port}/willcall` : `nats://${login}@127.0.0.1:${port}/willcall`,
    kill: () => ended(server, 'SIGKILL'),
    async restart() {
      server = await launch();
    },
    messages: () =>
      withStreams(async (streams) => {
        const { state } = await streams.info(STREAM);
        const found: BrokerMessage[] = [];
        for (let seq = 1; seq <= state.last_seq; seq += 1) {
          const message = await streams.getMessage(STREAM, { seq });
          if (!message) continue;
          found.push({
            id: message.header.get('Nats-Msg-Id'),
            subject: message.subject,
            body: new TextDecoder().decode(message.data),
          });
        }
        return found;
      }),
    async stop() {
      await ended(server, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
