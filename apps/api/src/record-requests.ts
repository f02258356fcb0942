import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RecordedRequests } from '#platform/recorded-requests';
import type { Caller } from '#accounts/caller';
import type { Clock } from '#base/clock';
import type { PlatformClient } from '#accounts/platform.guard';
import { pathOf } from '#web/request-log';
import { SAFE_METHODS } from '#web/safe-methods';

type KnownRequest = FastifyRequest & { caller?: Caller; platformClient?: PlatformClient };

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
