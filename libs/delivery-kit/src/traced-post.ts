import { SpanKind } from '@opentelemetry/api';
import { markFailed, tracedWithin } from '#base/tracing';
import type { Outcome } from './attempt.js';

/**
 * A POST to a receiver as a span of the active trace. The span has no path: that of a webhook may hold a secret.
 * @param origin such as https://platform.example:8443
 */
export async function tracedPost<Answered extends Outcome>(
  origin: string,
  post: () => Promise<Answered>,
): Promise<Answered> {
  return await tracedWithin(
    () => startOf(origin),
    async (span) => {
      const outcome = await post();
      if (outcome.httpStatus !== null) span?.setAttribute('http.response.status_code', outcome.httpStatus);
      if (span && outcome.error !== null) markFailed(span, outcome.httpStatus ?? 'refused');
      return outcome;
    },
  );
}

function startOf(origin: string) {
  const { hostname, port, protocol } = new URL(origin);
  const attributes = {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  return { name: 'POST', kind: SpanKind.CLIENT, attributes };
}
