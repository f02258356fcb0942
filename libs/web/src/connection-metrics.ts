import type { Metrics } from '#platform/metrics';
import type { ConnectionLimits } from './http/connection-limits.js';

export function measureConnections(connections: ConnectionLimits, metrics: Metrics): void {
  metrics.gauge('willcall_http_connections', 'Open connections of this process', undefined, async () => ({
    value: connections.openCount,
  }));
  metrics.gauge(
    'willcall_http_unsent_bytes',
    'Bytes of answers that clients have not taken yet',
    undefined,
    async () => ({
      value: connections.unsentBytes,
    }),
  );
  metrics.gauge(
    'willcall_http_connections_ended',
    'Connections that the api ended since its start: its peer took no byte of an answer, its address had too many, or it sent too many requests ahead',
    'reason',
    async () => connections.endedCounts,
  );
}
