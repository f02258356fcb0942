import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { stringifyJson } from '#base/json';
import { isTracing } from '#base/tracing';
import type { Ids } from '#base/ids';
import type { Settings } from '#base/settings';
import { type ErrorCode, ERRORS } from './errors.contract.js';
import type { Logger } from '#platform/logger';
import { knownHosts } from '#platform/known-host';
import { securityHeaders, setSecurityHeaders } from '#platform/security-headers';
import { checkPath } from './http/request-path.js';
import { putCheckoutFirst } from './checkout-priority.js';
import { answerPreflights, allowAnyOrigin } from './http/cross-origin.js';
import { streamedBody } from './http/hashed-body.js';
import { isDiscovery, withoutTrailingSlash } from './discovery-path.js';
import { DrainingAdapter } from './http/connection-drain.js';
import { ConnectionLimits } from './http/connection-limits.js';
import { createListener } from './http/listener.js';
import { LISTING_FILE_TYPES } from './listing-file-types.js';
import { refusal } from './http/malformed-request.js';
import { isOpenToAnyone } from './http/open-target.js';
import { hasOperationsPort, isForOperations } from './operations-port.js';
import { ProxiedClients } from './http/proxied-clients.js';
import { tlsOptions } from './http/tls.js';
import { endRefusedUploads } from './http/unread-bodies.js';
import { SAFE_METHODS } from './safe-methods.js';
import { traceRequests } from './traced-requests.js';
import { bodyAfterEcho, transactionHeader, transactionIdFrom } from './transaction.js';
import type { ErrorWriter } from './written-error.js';

/** Contract, section 4. The limit does not apply to streamed imports. */
const BODY_LIMIT_BYTES = 64 * 1024;

const LONG_BODY_LIMIT_BYTES = 1024 * 1024;

const MAX_HEADERS = 100;

/** Content types whose body is passed on as a stream. */
const STREAMED = [...Object.keys(LISTING_FILE_TYPES), 'multipart/form-data'];

/** The routes that look at the type of the body. */
const TYPED_BODY = /\/(?:import|tickets|proof)$/;

/** Fastify with the limits of design section 8. Bodies stay bytes, because the signature covers them; they are parsed later. */
export function createServer(settings: Settings, ids: Ids, logger: Logger, errors: ErrorWriter) {
  const refuse = refuseWith(errors);
  const connections = new ConnectionLimits(settings);
  const echoed = transactionHeader(settings.CHECKOUT_SCHEME);
  const adapter = new DrainingAdapter(
    {
      logger: false,
      bodyLimit: BODY_LIMIT_BYTES,
      // Fastify's own 503 has no Error body, and clients never retry POST /purchases, so requests on open connections are served.
      return503OnClosing: false,
      requestIdHeader: false,
      routerOptions: { maxParamLength: 2_048 },
      rewriteUrl: routedTarget(settings),
      trustProxy: settings.TRUST_PROXY.length > 0 ? settings.TRUST_PROXY : false,
      genReqId: (request: { headers: Record<string, string | string[] | undefined> }) =>
        transactionIdFrom(request.headers, echoed) ?? ids.next('req'),
      clientErrorHandler: (error: Error, socket: Socket) => connections.refuse(error, socket),
      frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        // No hook runs before this.
        refuse(request, reply.headers(securityHeaders(request)), { code: 40001, detail: 'the path' }),
      serverFactory: (handle: RequestListener) => createListener(handle, { connections, settings, logger }),
      // Only for the address that Fastify reports; the factory makes the server.
      ...(tlsOptions(settings) && { https: {} }),
    } as FastifyServerOptions,
    connections,
  );
  const fastify = adapter.getInstance<FastifyInstance>();
  if (isTracing()) traceRequests(fastify);
  keepBodiesAsBytes(fastify);
  takeLongBodies(fastify);
  writeEveryDigit(fastify);
  setSecurityHeaders(fastify);
  allowAnyOrigin(fastify);
  guardEveryRequest(fastify, { settings, connections, echoed, refuse });
  endRefusedUploads(fastify);
  answerPreflights(fastify);
  putCheckoutFirst(fastify);
  adapter.drainWithin(settings.SHUTDOWN_GRACE_MS);
  return adapter;
}

// It has a route of its own, because its body is a stream, and that of other jobs is JSON.
const ORDER_IMPORT = /^\/backoffice\/v1\/jobs\?(?:[^#]*&)?kind=import_orders(?:&|$)/;

// The same for what a client paid. Without a client, the body is JSON.
const REMITTANCE = /^\/backoffice\/v1\/reconciliations\?(?:[^#]*&)?client_id=/;

type Target = { url?: string | undefined; method?: string | undefined };

/** If PUBLIC_URL has a path, requests with and without it are routed alike. Signatures include it. */
function routedTarget({ PUBLIC_URL }: Settings): (request: Target) => string {
  const prefix = new URL(PUBLIC_URL).pathname.replace(/\/$/, '');
  return ({ url = '', method }) => {
    const target = prefix !== '' && url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;
    if (method === 'POST' && (ORDER_IMPORT.test(target) || REMITTANCE.test(target)))
      return target.replace('?', '/import?');
    return isDiscovery(target) ? withoutTrailingSlash(target) : target;
  };
}

/** A whole number beyond a double has the digits that came in. */
function writeEveryDigit(fastify: FastifyInstance): void {
  fastify.setReplySerializer((payload) => stringifyJson(payload));
}

function keepBodiesAsBytes(fastify: FastifyInstance): void {
  // The signature also covers the body of a GET, if there is one.
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  fastify.addContentTypeParser(STREAMED, (request, payload, done) => done(null, streamedBody(request, payload)));
  // All other routes read the body as JSON, whatever its type. Fastify would refuse an invalid type even without a body.
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    // Fastify makes a new object for `routeOptions` each time.
    if ('content-type' in headers && !TYPED_BODY.test(request.routeOptions.url ?? '')) delete headers['content-type'];
    done();
  });
}

/** Events of payment providers, and changes of many listings, are longer than what a platform sends. */
function takeLongBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const changesListings = route.method === 'PATCH' && route.url === '/backoffice/v1/listings';
    if (changesListings || route.url.startsWith('/payments/v1/')) route.bodyLimit = LONG_BODY_LIMIT_BYTES;
  });
}

type Guarding = Readonly<{
  settings: Settings;
  connections: ConnectionLimits;
  /** The header in which an answer says the transaction id. */
  echoed: string;
  refuse: Refuse;
}>;

function guardEveryRequest(fastify: FastifyInstance, { settings, connections, echoed, refuse }: Guarding): void {
  const isKnownHost = knownHosts(settings);
  const proxied = new ProxiedClients(settings.MAX_CONNECTIONS_PER_ADDRESS);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header(echoed, request.id);
    const refused =
      refuseEarly(request, settings) ??
      refuseUnknownHost(request, isKnownHost) ??
      refuseWrite(request, settings) ??
      refuseWhenFull(request, connections);
    if (refused) return refuse(request, reply, refused);
    if (!connections.isProxy(request.raw.socket)) return done();
    const isAdmitted = proxied.admit(request, (listener) => reply.raw.once('close', listener));
    return isAdmitted ? done() : refuse(request, reply, TOO_MANY_REQUESTS);
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => done(null, bodyAfterEcho(request.id, payload)));
}

const RETRY_AFTER_SECONDS = '5';
const TOO_MANY_REQUESTS: EarlyError = { code: 42900, retryAfter: '1' };
const TOO_MUCH_UNREAD: EarlyError = {
  code: 50300,
  detail: 'clients leave too much unread',
  retryAfter: RETRY_AFTER_SECONDS,
};

/** Before anything is done. The client should ask another api, or this one later: it may be read-only for a while. */
function refuseWrite({ raw }: FastifyRequest, { READ_ONLY }: Settings): EarlyError | undefined {
  if (!READ_ONLY || SAFE_METHODS.includes(raw.method ?? '')) return undefined;
  return { code: 50300, detail: 'this api only reads', retryAfter: RETRY_AFTER_SECONDS };
}

/** Purchases have small answers, and must not fail because others do not read theirs. */
function refuseWhenFull({ raw }: FastifyRequest, connections: ConnectionLimits): EarlyError | undefined {
  if (!connections.isFull) return undefined;
  return /^\/(?:checkout|health)\//.test(raw.url ?? '') ? undefined : TOO_MUCH_UNREAD;
}

type Refuse = (request: FastifyRequest, reply: FastifyReply, refused: EarlyError) => void;

const refuseWith =
  (errors: ErrorWriter): Refuse =>
  (request, reply, { code, detail, retryAfter }) => {
    const { status } = ERRORS[code];
    const { headers, body } = errors.write(request.raw, status, refusal(code, detail));
    if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
    void reply.code(status).headers(headers).send(body);
  };

/** Finds what is wrong with a request before its body is read. The caller does not matter. */
function refuseEarly(request: FastifyRequest, settings: Settings): EarlyError | undefined {
  const { raw, protocol, originalUrl } = request;
  const { url = '', headers, rawHeaders } = raw;
  if (isForOperations(raw)) return undefined;
  if (hasOperationsPort(settings) && /^\/metrics(?:$|\?)/.test(url)) return { code: 40400 };
  if (settings.REQUIRE_HTTPS && protocol !== 'https' && !url.startsWith('/health/')) {
    return { code: 40300, detail: 'HTTPS is required' };
  }
  // Names and values alternate. Node's own limit would silently drop the rest.
  if (rawHeaders.length > 2 * MAX_HEADERS) return { code: 43100 };
  // Node also accepts HTTP/0.9, which has no headers, and other versions that only claim to be HTTP/1.
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0') return { code: 40000, detail: 'the HTTP version' };
  const hosts = countHosts(rawHeaders);
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return { code: 40000, detail: 'the Host header' };
  // The signature covers the path as received, so exactly that path must be routed.
  const error = checkPath(originalUrl);
  if (error) return { code: 40001, detail: `the path ${error}` };
  return headers['content-encoding'] === undefined ? undefined : { code: 41500 };
}

/** Node keeps only the first of several Host headers. Another server before us may have read the second. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function refuseUnknownHost(
  { raw, host }: FastifyRequest,
  isKnownHost: (host: string) => boolean,
): EarlyError | undefined {
  if (!isOpenToAnyone(raw.url ?? '') || isKnownHost(host)) return undefined;
  return { code: 42100, detail: 'set PUBLIC_URL or ALLOWED_HOSTS' };
}

type EarlyError = { code: ErrorCode; detail?: string; retryAfter?: string };
