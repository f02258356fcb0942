import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Settings } from '#base/settings';
import type { Logger } from '#platform/logger';
import type { ConnectionLimits } from './connection-limits.js';
import { PipelinedRequests } from './pipelined-requests.js';
import { reloadWhenChanged, tlsOptions } from './tls.js';
import { UnreadableRequests } from './unreadable-requests.js';

/** By default Node waits a minute for headers and five for a request, which helps slow attacks. */
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Fastify's default. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** By default Node waits two minutes. */
const HANDSHAKE_TIMEOUT_MS = 5_000;

const NODE_OPTIONS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  // How often Node checks its time-outs; 30 s by default.
  connectionsCheckingInterval: 1_000,
  // Node's own 400 has no body; ours has one.
  requireHostHeader: false,
};

type Listening = Readonly<{ connections: ConnectionLimits; settings: Settings; logger: Logger }>;

/** Fastify calls this for each address that it listens on; HOST=localhost may have two. */
export function createListener(handle: RequestListener, { connections, settings, logger }: Listening): Server {
  const requests = new PipelinedRequests(handle);
  const serve: RequestListener = (request, response) => requests.serve(request, response);
  const tls = tlsOptions(settings);
  const server = tls
    ? createTlsServer({ ...tls, ...NODE_OPTIONS, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, serve)
    : createHttpServer(NODE_OPTIONS, serve);
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.maxConnections = settings.MAX_CONNECTIONS;
  // Other expectations may be ignored (RFC 9110, section 10.1.1). Node would answer 417 without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  connections.watch(server, { isTls: tls !== undefined, requests });
  if (tls) reloadWhenChanged(settings, server as TlsServer, logger);
  return server;
}

// A monitoring system needs a few.
const MOST_OPERATIONS_CONNECTIONS = 100;

export function createOperationsServer(handle: RequestListener): Server {
  const requests = new PipelinedRequests(handle);
  const server = createHttpServer(NODE_OPTIONS, (request, response) => requests.serve(request, response));
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.maxConnections = MOST_OPERATIONS_CONNECTIONS;
  const unreadable = new UnreadableRequests(server, requests);
  server.on('clientError', (error, socket) => unreadable.refuse(error, socket as Socket));
  return server;
}
