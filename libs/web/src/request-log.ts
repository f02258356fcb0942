import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Settings } from '#base/settings';
import type { Logger } from '#platform/logger';
import type { Metrics } from '#platform/metrics';
import { transactionHeader, transactionOf } from './transaction.js';

const QUIET = /^\/(?:health\/|metrics$)/;

/** One log line and one metric for each request. It logs neither query nor headers: the Authorization of a GET never expires. */
export function logRequests(fastify: FastifyInstance, settings: Settings, logger: Logger, metrics: Metrics): void {
  const header = transactionHeader(settings.CHECKOUT_SCHEME);
  fastify.addHook('onResponse', (request, reply, done) => {
    const transaction = transactionOf(request, header);
    const route = request.routeOptions.url ?? 'unknown';
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    // Their paths have the ids of people's devices, and tokens that answer for a buyer.
    const path = /^\/(?:passes|choices)\//.test(route) ? route : pathOf(request);
    const fields = {
      transaction_id: transaction.id,
      ...(transaction.ours && { transaction_id_ours: true }),
      method: request.method,
      path,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    // Probes and scrapes come every second and are uninteresting.
    if (QUIET.test(fields.path)) logger.debug(fields, 'request');
    else logger.info(fields, 'request');
    done();
  });
}

/** Without the query. */
export function pathOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
