import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, type Provider } from '@nestjs/common';
import { Pool } from 'pg';
import { Randomness } from '#runtime/randomness';
import { platformUrl, Settings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import { Logger } from '#operations/logger';
import { Metrics } from '#operations/metrics';
import { PingDelivery } from '#pings/ping-delivery';
import { PingScheduler } from '#pings/ping-scheduler';
import { PingLedger } from '#pings/ping-ledger';
import { PingRateLimiter } from '#pings/ping-rate-limiter';
import { PingProcessor } from '#pings/ping.processor';
import { PingSender } from '#pings/ping-sender';
import { ClientSecretSigner } from '#pings/ping-signer';
import { PingSweep } from '#pings/ping-sweep';
import { platformBreaker, PlatformGate } from '#pings/platform-gate';
import { PlatformRecord } from '#pings/platform-record';
import type { RetryPolicy } from '#delivery/retry-schedule';
import { ClientRegistry } from '#platform-auth/clients';
import { errorLog } from '#delivery/queues/error-log';
import { QueueBackend } from '#delivery/queues/queue-backend';
import { Repeater } from '#runtime/repeater';
import { LazyCommitPool } from '#wiring/foundation.module';
import { PingQueue } from '#wiring/queues.module';

// An attempt may take its whole time-out, its record a few seconds more; a lease must outlast both.
const LEASE_BEYOND_TIMEOUT_MS = 15_000;

export const pingProviders: Provider[] = [
  {
    provide: PingScheduler,
    inject: [PingQueue, DatabaseClock],
    useFactory: (queue: PingQueue, clock: DatabaseClock) => new PingScheduler(queue, clock),
  },
  {
    provide: PingSweep,
    inject: [Pool, PingQueue, PingScheduler, DatabaseClock, PlatformGate],
    useFactory: (
      ...[pool, queue, scheduler, clock, gate]: [Pool, PingQueue, PingScheduler, DatabaseClock, PlatformGate]
    ) => new PingSweep(pool, queue, scheduler, clock, gate),
  },
  {
    provide: PingSender,
    inject: [Settings, ClientRegistry, DatabaseClock],
    useFactory: (settings: Settings, clients: ClientRegistry, clock: DatabaseClock) =>
      new PingSender(
        {
          url: platformUrl(settings),
          scheme: settings.CHECKOUT_SCHEME,
          timeoutMs: settings.PING_TIMEOUT_MS,
          connections: settings.PING_CONCURRENCY,
        },
        new ClientSecretSigner(clients, settings.CHECKOUT_SCHEME),
        clock,
      ),
  },
  {
    provide: PingLedger,
    inject: [LazyCommitPool, DatabaseClock, Randomness, Settings],
    useFactory: (pool: Pool, clock: DatabaseClock, randomness: Randomness, settings: Settings) =>
      new PingLedger(pool, clock, randomness, settings.PING_TIMEOUT_MS + LEASE_BEYOND_TIMEOUT_MS),
  },
  {
    provide: PlatformRecord,
    inject: [LazyCommitPool, DatabaseClock, Logger],
    useFactory: (pool: Pool, clock: DatabaseClock, logger: Logger) =>
      new PlatformRecord(pool, clock, ({ kind, message }) => logger.warn({ part: 'pings', kind }, message)),
  },
  {
    provide: PingRateLimiter,
    inject: [PlatformRecord, DatabaseClock, Settings],
    useFactory: (record: PlatformRecord, clock: DatabaseClock, { PING_RATE_PER_SECOND }: Settings) =>
      new PingRateLimiter(record, clock, PING_RATE_PER_SECOND),
  },
  {
    provide: PlatformGate,
    inject: [PingSender, PlatformRecord, PingRateLimiter, DatabaseClock, Randomness, Settings],
    useFactory: (
      ...[sender, record, rateLimiter, clock, randomness, settings]: [
        PingSender,
        PlatformRecord,
        PingRateLimiter,
        DatabaseClock,
        Randomness,
        Settings,
      ]
    ) => {
      const retry = retrySettings(settings);
      const trialMs = settings.PING_TIMEOUT_MS + LEASE_BEYOND_TIMEOUT_MS;
      const tools = { sender, record, clock, randomness, report: errorLog('pings') };
      return new PlatformGate(tools, { breaker: platformBreaker(retry), forMs: retry.forMs, trialMs }, rateLimiter);
    },
  },
  {
    provide: PingDelivery,
    inject: [PingLedger, PlatformGate, DatabaseClock, Randomness, Settings, Metrics],
    useFactory: (
      ...[ledger, gate, clock, randomness, settings, metrics]: [
        PingLedger,
        PlatformGate,
        DatabaseClock,
        Randomness,
        Settings,
        Metrics,
      ]
    ) =>
      new PingDelivery(ledger, gate, clock, randomness, {
        ...retrySettings(settings),
        onAttempt: (state) => metrics.pingAttempts.inc({ outcome: state }),
      }),
  },
  {
    provide: PingProcessor,
    inject: [QueueBackend, PingDelivery, PingScheduler, Settings],
    useFactory: (...[backend, delivery, scheduler, settings]: [QueueBackend, PingDelivery, PingScheduler, Settings]) =>
      new PingProcessor(backend, delivery, scheduler, {
        concurrency: settings.PING_CONCURRENCY,
        report: errorLog('pings'),
      }),
  },
];

function retrySettings(settings: Settings): RetryPolicy {
  const { PING_RETRY_FIRST_MS: firstMs, PING_RETRY_MAX_MS: maxMs, PING_RETRY_FOR_MS: forMs } = settings;
  return { firstMs, maxMs, forMs };
}

/** Delivers pings, and sweeps for those whose job was lost. */
@Injectable()
export class PingWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly pauseMs: number;
  private readonly sweep: Repeater;
  private readonly graceMs: number;

  constructor(
    settings: Settings,
    sweep: PingSweep,
    gate: PlatformGate,
    private readonly processor: PingProcessor,
  ) {
    this.graceMs = settings.SHUTDOWN_GRACE_MS;
    this.pauseMs = settings.SWEEP_EVERY_MS;
    this.sweep = new Repeater(() => sweep.sweep(), settings.SWEEP_EVERY_MS, errorLog('ping sweep'));
    gate.whenClosed(() => this.sweep.hurry());
  }

  get loops() {
    return { 'ping sweep': this.sweep };
  }

  onApplicationBootstrap(): void {
    this.processor.start();
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweep.stop(), this.processor.stop(this.graceMs)]);
  }
}
