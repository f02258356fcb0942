import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, type Provider } from '@nestjs/common';
import { Pool } from 'pg';
import { Randomness } from '#runtime/randomness';
import { Settings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import { DatabaseEpoch } from '#database/epoch';
import { connectionConfig } from '#database/pool';
import { Logger } from '#operations/logger';
import { Metrics } from '#operations/metrics';
import { ChannelListener } from '#ping-stream/channel-listener';
import { PING_STREAM_CHANNEL } from '#ping-stream/ping-stream.projection';
import { errorLog } from '#delivery/queues/error-log';
import { QueueBackend } from '#delivery/queues/queue-backend';
import { Repeater } from '#runtime/repeater';
import { Signers } from '#webhooks/endpoint';
import { EndpointRecord } from '#webhooks/endpoint-record';
import { WebhookDelivery } from '#webhooks/webhook-delivery';
import { WebhookScheduler } from '#webhooks/webhook-scheduler';
import { WebhookLedger } from '#webhooks/webhook-ledger';
import { LONGEST_BREAK_MS } from '#webhooks/webhook-ledger-statements';
import { WebhookSender } from '#webhooks/webhook-sender';
import { WebhookSweep } from '#webhooks/webhook-sweep';
import { WebhookProcessor } from '#webhooks/webhook.processor';
import { LazyCommitPool } from '#wiring/foundation.module';
import { WebhookQueue } from '#wiring/queues.module';
import { DELIVERIES_AT_ONCE } from '#wiring/webhooks.module';

// An attempt may take its whole time-out, its record a few seconds more; a lease must outlast both.
const LEASE_BEYOND_TIMEOUT_MS = 15_000;

// So many in a row do not happen to a receiver that is merely a bit unwell.
const FAILURES_TO_OPEN = 10;

// Receivers are often sent to again within this time.
const LINGER_MS = 1_000;

export const webhookProviders: Provider[] = [
  {
    provide: WebhookLedger,
    inject: [LazyCommitPool, Signers, DatabaseClock, Randomness, Settings],
    useFactory: (
      ...[pool, signers, clock, randomness, settings]: [Pool, Signers, DatabaseClock, Randomness, Settings]
    ) => new WebhookLedger(pool, signers, clock, randomness, settings.PING_TIMEOUT_MS + LEASE_BEYOND_TIMEOUT_MS),
  },
  {
    provide: EndpointRecord,
    inject: [LazyCommitPool, DatabaseClock, Logger],
    useFactory: (pool: Pool, clock: DatabaseClock, logger: Logger) =>
      new EndpointRecord(pool, clock, ({ kind, subject, message }) =>
        logger.warn({ part: 'webhooks', kind, webhook_id: subject }, message),
      ),
  },
  {
    provide: WebhookDelivery,
    inject: [WebhookLedger, EndpointRecord, WebhookSender, DatabaseClock, Randomness, Settings, Metrics, DatabaseEpoch],
    useFactory: (
      ...[ledger, record, sender, clock, randomness, settings, metrics, databaseEpoch]: [
        WebhookLedger,
        EndpointRecord,
        WebhookSender,
        DatabaseClock,
        Randomness,
        Settings,
        Metrics,
        DatabaseEpoch,
      ]
    ) => {
      const { PING_RETRY_FIRST_MS: firstMs, PING_RETRY_MAX_MS: maxMs, PING_RETRY_FOR_MS: forMs } = settings;
      const retry = { firstMs, maxMs, forMs };
      const breaker = { failuresToOpen: FAILURES_TO_OPEN, firstMs, maxMs: Math.min(maxMs, LONGEST_BREAK_MS) };
      const onAttempt = (state: string) => metrics.webhookAttempts.inc({ outcome: state });
      // Not while others might have to wait for their turn.
      const lingerMs = () => (delivery.count * 2 < settings.WEBHOOK_CONCURRENCY ? LINGER_MS : 0);
      const epoch = () => databaseEpoch.current;
      const tools = { ledger, sender, clock, randomness, retry, onAttempt, epoch, lingerMs };
      const receiver = { retry, breaker, atOnce: DELIVERIES_AT_ONCE };
      const delivery: WebhookDelivery = new WebhookDelivery(tools, record, receiver);
      return delivery;
    },
  },
  {
    provide: WebhookScheduler,
    inject: [Pool, WebhookQueue, DatabaseClock, WebhookDelivery],
    useFactory: (pool: Pool, queue: WebhookQueue, clock: DatabaseClock, delivery: WebhookDelivery) =>
      new WebhookScheduler(
        pool,
        queue,
        clock,
        (webhookId) => delivery.wake(webhookId),
        () => delivery.wakeAll(),
      ),
  },
  {
    provide: WebhookSweep,
    inject: [Pool, WebhookScheduler, DatabaseClock],
    useFactory: (pool: Pool, scheduler: WebhookScheduler, clock: DatabaseClock) =>
      new WebhookSweep(pool, scheduler, clock),
  },
];

/** Delivers to webhooks what comes into the ping stream, and sweeps for what has no job. */
@Injectable()
export class WebhookWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly pauseMs: number;
  private readonly processor: WebhookProcessor;
  private readonly sweep: Repeater;
  private readonly listener: ChannelListener;
  private readonly graceMs: number;

  constructor(
    settings: Settings,
    backend: QueueBackend,
    delivery: WebhookDelivery,
    scheduler: WebhookScheduler,
    sweep: WebhookSweep,
  ) {
    const report = errorLog('webhooks');
    this.graceMs = settings.SHUTDOWN_GRACE_MS;
    this.pauseMs = settings.SWEEP_EVERY_MS;
    this.processor = new WebhookProcessor(backend, delivery, scheduler, {
      concurrency: settings.WEBHOOK_CONCURRENCY,
      report,
    });
    this.sweep = new Repeater(() => sweep.sweep(), settings.SWEEP_EVERY_MS, errorLog('webhook sweep'));
    this.listener = new ChannelListener({
      connection: connectionConfig({
        databaseUrl: settings.DATABASE_URL ?? '',
        applicationName: 'willcall webhook wake-up',
      }),
      channel: PING_STREAM_CHANNEL,
      onTold: () => void scheduler.grown().catch(report),
      onError: report,
    });
  }

  get loops() {
    return { 'webhook sweep': this.sweep };
  }

  onApplicationBootstrap(): void {
    this.processor.start();
    this.sweep.start();
    this.listener.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.listener.stop(), this.sweep.stop(), this.processor.stop(this.graceMs)]);
  }
}
