import type { Pool } from 'pg';
import { JobQueue } from '#delivery-kit/job-queue';
import { JobWorker } from '#delivery-kit/queues/job-worker';
import { processJob } from '#delivery-kit/queue-task';
import type { QueueBackend } from '#delivery-kit/queue-backend';
import { PingDelivery } from '#outbound/pings/ping-delivery';
import { PingLedger } from '#outbound/pings/ping-ledger';
import type { PingJob } from '#outbound/pings/ping-queue';
import { PingRateLimiter } from '#outbound/pings/ping-rate-limiter';
import { PingScheduler } from '#outbound/ping-scheduler';
import { PingSender } from '#outbound/pings/ping-sender';
import { PingSigner } from '#outbound/pings/ping-signer';
import { PingSweep } from '#outbound/pings/ping-sweep';
import { PlatformCircuitBreaker } from '#outbound/pings/platform-circuit-breaker';
import { PlatformRecord } from '#outbound/pings/platform-record';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import { Repeater } from '#base/repeater';
import { LogDouble } from '../log-double.js';

export const PING_RETRY = { firstMs: 100, maxMs: 500, forMs: 60_000 };

const NEVER_MS = 1_000_000;

class FixedSigner extends PingSigner {
  async authorization(): Promise<string> {
    return 'XX cli_1:signature';
  }
}

type PingWorkerOptions = Readonly<{
  pool: Pool;
  /** The platform's address. */
  url: string;
  backend: QueueBackend;
  onError: (error: unknown) => void;
}>;

/** Starts ping delivery like the worker, without the feed. */
export function startPingWorker(
  { pool, url, backend, onError }: PingWorkerOptions,
  { sweepEveryMs = NEVER_MS, leaseMs = 5_000, concurrency = 20, failuresToOpen = 10, perSecond = 0 } = {},
) {
  const clock = new SystemClock();
  const randomness = new SystemRandomness();
  const sender = new PingSender(
    { url, scheme: 'XX', timeoutMs: 15_000, connections: concurrency },
    new FixedSigner(),
    clock,
  );
  const queue = new JobQueue<PingJob>('pings', backend, onError);
  const scheduler = new PingScheduler(queue, clock);
  const record = new PlatformRecord(pool, clock, new LogDouble());
  const circuitBreaker = new PlatformCircuitBreaker(
    { sender, record, clock, randomness, onError },
    { breaker: { failuresToOpen, ...PING_RETRY }, forMs: PING_RETRY.forMs, probeMs: leaseMs },
    new PingRateLimiter(record, clock, { perSecond }),
  );
  const ledger = new PingLedger(pool, clock, randomness, { leaseMs });
  const delivery = new PingDelivery(ledger, circuitBreaker, clock, randomness, PING_RETRY);
  const worker = new JobWorker<PingJob>(backend, {
    name: 'pings',
    process: (job) => processJob(job, delivery, scheduler, onError),
    concurrency,
    onError,
  });
  const pingSweep = new PingSweep(pool, queue, scheduler, clock, circuitBreaker);
  const sweep = new Repeater(() => pingSweep.sweep(), { everyMs: sweepEveryMs }, onError);
  circuitBreaker.onClosed(() => sweep.wake());
  worker.start();
  sweep.start();
  let stopped: Promise<unknown> | undefined;
  const stop = () => {
    delivery.stop();
    return (stopped ??= Promise.all([sweep.stop(), worker.stop(10_000)]).then(() =>
      Promise.all([queue.close(), sender.close()]),
    ));
  };
  return { scheduler, queue, circuitBreaker, stop };
}
