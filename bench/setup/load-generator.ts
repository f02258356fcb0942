import autocannon from 'autocannon';
import { quantile } from '../statistics.js';
import { sendPaced } from './paced-requests.js';
import { buildRequests, type RequestPlan } from './requests.js';
import { serveRequests } from './side-process.js';

/** A run of the load generator. It has its own process, so that it takes no CPU of the measuring one. */
export type LoadRequest = Readonly<{
  port: number;
  connections: number;
  plan: RequestPlan;
  /** The expected status of every answer. */ status: number;
  /** Sends at this rate and counts latencies from when a request was due. If left out, sends as fast as possible. */ perSecond?: number;
}>;

export type LoadResult = Readonly<{ seconds: number; p50Ms: number; p99Ms: number; cpuMicrosPerRequest: number }>;

serveRequests(run);

async function run(request: LoadRequest): Promise<LoadResult> {
  const requests = buildRequests(request.plan);
  const { perSecond } = request;
  return perSecond === undefined
    ? await sendAsFastAsPossible(requests, request)
    : await pace(requests, { ...request, perSecond });
}

async function sendAsFastAsPossible(
  requests: readonly Buffer[],
  { port, connections, status }: LoadRequest,
): Promise<LoadResult> {
  let next = 0;
  let lastAnswer = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    // Seconds. On a machine that does other work an answer may be late, and the processor time counts all the same.
    timeout: 60,
    amount: requests.length,
    // With autocannon's own request list, every connection would clone, build and send all requests.
    setupClient: (client) => {
      client.getRequestBuffer = () => requests[next++ % requests.length] ?? Buffer.alloc(0);
      // autocannon itself notices the end only once a second.
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

async function pace(
  requests: readonly Buffer[],
  { status, ...pace }: LoadRequest & Readonly<{ perSecond: number }>,
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
