import autocannon from 'autocannon';
import { serveRequests } from './side-process.js';

/** Requests these paths as fast as the answers come, whatever they are. */
export type FloodRequest = Readonly<{ port: number; paths: readonly string[]; connections: number; seconds: number }>;

export type FloodResult = Readonly<{ perSecond: number; mbPerSecond: number; statuses: string }>;

serveRequests(async ({ port, paths, connections, seconds }: FloodRequest): Promise<FloodResult> => {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({ path })),
  });
  const statuses = Object.entries(result.statusCodeStats).map(([status, { count }]) => `${count} ${status}`);
  return {
    perSecond: result.requests.average,
    mbPerSecond: result.throughput.average / 1e6,
    statuses: statuses.join(', '),
  };
});
