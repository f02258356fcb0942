import autocannon from 'autocannon';
import { quantile } from '../interleaved.js';
import { sendPaced } from './paced-requests.js';
import { buildRequests, type RequestPlan } from './requests.js';
import { takeOrders } from './side-process.js';

/** The process that sends the load, so that it takes no time of the one that measures. One order at a time. */
export type LoadOrder = Readonly<{
  port: number;
  connections: number;
  plan: RequestPlan;
  /** The one status that is right. */ status: number;
  /** Each request at its time, and latencies from when it was due; without it as fast as answers come. */ perSecond?: number;
}>;

export type LoadResult = Readonly<{ seconds: number; p50Ms: number; p99Ms: number; cpuMicrosPerRequest: number }>;

takeOrders(run);

async function run(order: LoadOrder): Promise<LoadResult> {
  const requests = buildRequests(order.plan);
  const { perSecond } = order;
  return perSecond === undefined ? await flood(requests, order) : await pace(requests, { ...order, perSecond });
}

/** As fast as answers come. */
async function flood(requests: readonly Buffer[], { port, connections, status }: LoadOrder): Promise<LoadResult> {
  let next = 0;
  let lastAnswer = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    amount: requests.length,
    // A request list of autocannon's own would be cloned, built and sent again by every connection.
    setupClient: (client) => {
      client.getRequestBuffer = () => requests[next++ % requests.length] ?? Buffer.alloc(0);
      // It looks only once a second whether all is done.
      client.on('response', () => (lastAnswer = performance.now()));
    },
  });
  const seconds = (lastAnswer - began) / 1_000;
  const cpuMicrosPerRequest = microsSince(cpu) / requests.length;
  const right = result.statusCodeStats[status]?.count ?? 0;
  if (right !== requests.length) {
    const got = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `of ${requests.length} requests ${right} were answered with ${status}: ${got}, ${result.errors} errors`,
    );
  }
  return { seconds, p50Ms: result.latency.p50, p99Ms: result.latency.p99, cpuMicrosPerRequest };
}

/** Each at its time. */
async function pace(
  requests: readonly Buffer[],
  { status, ...pace }: LoadOrder & Readonly<{ perSecond: number }>,
): Promise<LoadResult> {
  const cpu = process.cpuUsage();
  const { seconds, latenciesMs, statuses } = await sendPaced(requests, pace);
  const cpuMicrosPerRequest = microsSince(cpu) / requests.length;
  const wrong = statuses.filter((other) => other !== status);
  if (wrong.length > 0) {
    throw new Error(`of ${requests.length} requests ${wrong.length} were not answered with ${status}: ${wrong[0]}`);
  }
  return { seconds, p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99), cpuMicrosPerRequest };
}

function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
