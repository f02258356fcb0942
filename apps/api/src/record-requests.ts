import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RecordedRequests } from '#operations/recorded-requests';
import type { Caller } from '#people/caller';
import type { Clock } from '#runtime/clock';
import type { PlatformClient } from './checkout/platform.guard.js';
import { pathOf } from './http/request-log.js';

type KnownRequest = FastifyRequest & { caller?: Caller; platformClient?: PlatformClient };

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Records each request of a known caller that may have changed something. There are too many reads, and they change nothing. */
export function recordRequests(fastify: FastifyInstance, requests: RecordedRequests, clock: Clock): void {
  fastify.addHook('onResponse', (request: KnownRequest, reply, done) => {
    const { platformClient, caller } = request;
    const actor = platformClient ? `platform:${platformClient.clientId}` : caller?.actor;
    if (actor !== undefined && !SAFE_METHODS.includes(request.method)) {
      requests.note({
        at: new Date(clock.now() - reply.elapsedTime).toISOString(),
        transaction_id: request.id,
        method: request.method,
        path: pathOf(request),
        actor,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
      });
    }
    done();
  });
}
