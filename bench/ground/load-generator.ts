import autocannon from 'autocannon';
import { buildRequests, type RequestPlan } from './requests.js';
import { takeOrders } from './side-process.js';

/** The process that sends the load, so that it takes no time of the one that measures. One order at a time. */
export type LoadOrder = Readonly<{
  port: number;
  connections: number;
  plan: RequestPlan;
  /** The one status that is right. */ status: number;
  /** At most so many requests a second. */ perSecond?: number;
}>;

export type LoadResult = Readonly<{ seconds: number; p50Ms: number; p99Ms: number; cpuMicrosPerRequest: number }>;

takeOrders(run);

async function run({ port, connections, plan, status, perSecond }: LoadOrder): Promise<LoadResult> {
  const requests = buildRequests(plan);
  let next = 0;
  let lastAnswer = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    amount: requests.length,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    // A request list of autocannon's own would be cloned, built and sent again by every connection.
    setupClient: (client) => {
      client.getRequestBuffer = () => requests[next++ % requests.length] ?? Buffer.alloc(0);
      // It looks only once a second whether all is done.
      client.on('response', () => (lastAnswer = performance.now()));
    },
  });
  const seconds = (lastAnswer - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const right = result.statusCodeStats[status]?.count ?? 0;
  if (right !== requests.length) {
    const got = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `of ${requests.length} requests ${right} were answered with ${status}: ${got}, ${result.errors} errors`,
    );
  }
  const cpuMicrosPerRequest = (user + system) / requests.length;
  return { seconds, p50Ms: result.latency.p50, p99Ms: result.latency.p99, cpuMicrosPerRequest };
}
