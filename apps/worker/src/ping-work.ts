import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, type Provider } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#ambient/clock';
import { Randomness } from '#ambient/randomness';
import { platformUrl, Settings } from '#config/settings';
import { Metrics } from '#operations/metrics';
import { PingDelivery } from '#pings/ping-delivery';
import { PingDoorbell } from '#pings/ping-doorbell';
import { PingLedger } from '#pings/ping-ledger';
import { PingProcessor } from '#pings/ping.processor';
import { PingSender } from '#pings/ping-sender';
import { ClientSecretSigner } from '#pings/ping-signer';
import { PingSweep } from '#pings/ping-sweep';
import { ClientRegistry } from '#platform-auth/clients';
import { faultLog } from '#queues/fault-log';
import { QueueBackend } from '#queues/queue-backend';
import { Repeater } from '#queues/repeater';
import { LazyCommitPool } from '#wiring/foundation.module';
import { PingQueue } from '#wiring/queues.module';

// An attempt may take its whole time-out, its record a few seconds more; a lease must outlast both.
const LEASE_BEYOND_TIMEOUT_MS = 15_000;

export const pingProviders: Provider[] = [
  {
    provide: PingDoorbell,
    inject: [PingQueue, Clock],
    useFactory: (queue: PingQueue, clock: Clock) => new PingDoorbell(queue, clock),
  },
  {
    provide: PingSweep,
    inject: [Pool, PingQueue, PingDoorbell, Clock],
    useFactory: (pool: Pool, queue: PingQueue, doorbell: PingDoorbell, clock: Clock) =>
      new PingSweep(pool, queue, doorbell, clock),
  },
  {
    provide: PingSender,
    inject: [Settings, ClientRegistry, Clock],
    useFactory: (settings: Settings, clients: ClientRegistry, clock: Clock) =>
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
    inject: [LazyCommitPool, Clock, Randomness, Settings],
    useFactory: (pool: Pool, clock: Clock, randomness: Randomness, settings: Settings) =>
      new PingLedger(pool, clock, randomness, settings.PING_TIMEOUT_MS + LEASE_BEYOND_TIMEOUT_MS),
  },
  {
    provide: PingDelivery,
    inject: [PingLedger, PingSender, Clock, Randomness, Settings, Metrics],
    useFactory: (
      ...[ledger, sender, clock, randomness, settings, metrics]: [
        PingLedger,
        PingSender,
        Clock,
        Randomness,
        Settings,
        Metrics,
      ]
    ) =>
      new PingDelivery(ledger, sender, clock, randomness, {
        firstMs: settings.PING_RETRY_FIRST_MS,
        maxMs: settings.PING_RETRY_MAX_MS,
        forMs: settings.PING_RETRY_FOR_MS,
        onAttempt: (state) => metrics.pingAttempts.inc({ outcome: state }),
      }),
  },
];

/** Delivers pings, and sweeps for those whose job was lost. */
@Injectable()
export class PingWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly processor: PingProcessor;
  private readonly sweep: Repeater;
  private readonly graceMs: number;

  constructor(
    settings: Settings,
    backend: QueueBackend,
    delivery: PingDelivery,
    doorbell: PingDoorbell,
    sweep: PingSweep,
  ) {
    this.graceMs = settings.SHUTDOWN_GRACE_MS;
    this.processor = new PingProcessor(backend, delivery, doorbell, {
      concurrency: settings.PING_CONCURRENCY,
      report: faultLog('pings'),
    });
    this.sweep = new Repeater(() => sweep.sweep(), settings.SWEEP_EVERY_MS, faultLog('ping sweep'));
  }

  onApplicationBootstrap(): void {
    this.processor.start();
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweep.stop(), this.processor.stop(this.graceMs)]);
  }
}
