import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '#base/settings';
import { errorEntry } from './error-body.contract.js';
import type { Logger } from '#platform/logger';
import { createOperationsServer } from './http/listener.js';
import { jsonError } from './written-error.js';

const ARRIVED = new WeakSet<IncomingMessage>();

/** Whether `/metrics` answers on a port of its own, and no longer on PORT. */
export function hasOperationsPort({ OPERATIONS_PORT, PORT }: Settings): boolean {
  return OPERATIONS_PORT !== PORT;
}

/** Whether a request came in on that port, which is for monitoring inside the network: plain HTTP. */
export function isForOperations(request: IncomingMessage): boolean {
  return ARRIVED.has(request);
}

const NOT_FOUND = jsonError({ errors: [errorEntry(40400)] });

const SERVED = /^\/(?:metrics|health\/(?:live|ready))(?:$|\?)/;

/**
 * Serves metrics and health checks on OPERATIONS_PORT. If the port is taken, the api serves without it and says so in the log: tickets
 * can be sold without metrics. @returns the port.
 */
export async function listenForOperations(
  app: NestFastifyApplication,
  settings: Settings,
  logger: Logger,
): Promise<number | undefined> {
  if (!hasOperationsPort(settings)) return undefined;
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const server = createOperationsServer((request, response) => {
    ARRIVED.add(request);
    if (SERVED.test(request.url ?? '')) fastify.routing(request, response);
    else response.writeHead(404, NOT_FOUND.headers).end(NOT_FOUND.body);
  });
  fastify.server.once('close', () => stop(server));
  try {
    await listening(server, settings);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const { OPERATIONS_PORT: port } = settings;
    logger.error({ port, code }, 'nobody can read /metrics: the port of OPERATIONS_PORT cannot be used');
    return undefined;
  }
  const { port } = server.address() as AddressInfo;
  logger.info({ port }, 'metrics and health checks are on the operations port');
  return port;
}

async function listening(server: Server, { OPERATIONS_PORT, HOST }: Settings): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(OPERATIONS_PORT, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}
