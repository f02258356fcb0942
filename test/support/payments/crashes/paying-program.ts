import 'reflect-metadata';
import type { DynamicModule, INestApplicationContext, Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { Clock } from '#base/clock';
import { parseSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { QueueBackend, queueBackend, type QueueSettings } from '#delivery-kit/queue-backend';
import { QueueGauge } from '#delivery-kit/queue-gauge';
import { ProviderEventInbox } from '#money/provider-events/provider-event-inbox';
import { ProviderEventSweep } from '#money/provider-events/provider-event-sweep';
import { PROVIDER_EVENT_TASKS } from '#money/provider-event.tasks';
import { ProviderEventsModule } from '#money/provider-events.module';
import { ChangeStatus } from '#orders/commands/change-status.handler';
import { SubmitPurchase } from '#orders/commands/submit-purchase';
import { DEADLINE_TASKS } from '#orders/deadline.tasks';
import { DeadlinesModule } from '#orders/deadlines.module';
import { OrderChanges } from '#orders/order-changes';
import { OrdersModule } from '#orders/orders.module';
import { PaymentProviders } from '#payments/payment-providers';
import type { ReceivedWebhook } from '#payments/provider-events';
import { FoundationModule } from '#platform/foundation.module';
import { Liveness } from '#platform/liveness';
import { createLogger, NestLogger } from '#platform/logger';
import { TasksModule } from '#platform/tasks.module';
import { apiEnvironment } from '../../api-environment.js';
import { PAYMENT } from '../../callers.js';
import type { ProviderDouble } from '../provider-double.js';
import { MortalQueues } from './mortal-queues.js';
import { mortalPool } from './mortal-pool.js';
import { mortalRoad } from './mortal-road.js';
import type { Life } from './life.js';
import type { Till } from './shop.js';

/** Where the program runs. These outlive it. */
export type Surroundings = Readonly<{
  pool: Pool;
  queues: QueueSettings;
  name: 'stripe' | 'braintree';
  double: ProviderDouble;
  /** How long it waits for the provider. */
  paymentTimeoutMs: number;
}>;

/** Short times, so that what one life leaves open is due in the next. */
const TIMES = {
  PAYMENT_SWEEP_MS: '200',
  PAYMENT_RETRY_FIRST_MS: '100',
  PAYMENT_RETRY_MAX_MS: '200',
  SWEEP_EVERY_MS: '50',
};

/** The part of Willcall that moves money, as api and worker run it, for one life. Everything in it is made anew; nothing of it is closed. */
export class PayingProgram implements Till {
  private constructor(private readonly app: INestApplicationContext) {}

  static async start(
    { pool, queues, name, double, paymentTimeoutMs }: Surroundings,
    life: Life,
  ): Promise<PayingProgram> {
    const address = `${name.toUpperCase()}_API_URL`;
    const environment = {
      ...apiEnvironment(queues.databaseUrl),
      ...TIMES,
      PAYMENT_TIMEOUT_MS: `${paymentTimeoutMs}`,
      PAYMENT_OUTCOME_AFTER_MS: `${paymentTimeoutMs}`,
      ...double.settings,
      PAYMENT_PROVIDER: name,
      STATUS_CATALOGUE_FILE: STATUSES,
      [address]: await mortalRoad(double.settings[address] ?? '', life),
    };
    const options = { abortOnError: false, logger: new NestLogger(SILENT) };
    const app = await NestFactory.createApplicationContext(
      payingModule(parseSettings(environment), [
        ...[Pool, LazyCommitPool].map((provide) => ({ provide, useValue: mortalPool(pool, life) })),
        { provide: QueueBackend, useValue: new MortalQueues(queueBackend(queues), life) },
        { provide: Liveness, inject: [Clock], useFactory: (clock: Clock) => new Liveness(clock, () => isAlive(life)) },
      ]),
      options,
    );
    return new PayingProgram(app);
  }

  async buy(body: object): Promise<string> {
    const rawBody = Buffer.from(JSON.stringify(body));
    const submission = { clientId: PAYMENT.clientId, transaction: { id: 'tx', ours: true }, rawBody };
    return (await this.app.get(CommandBus).execute(new SubmitPurchase('payment', body, submission))).orderId;
  }

  async reject(orderId: string): Promise<void> {
    await this.app.get(CommandBus).execute(new ChangeStatus(orderId, { statusCode: 3004 }, BY_DESK));
  }

  async refund(orderId: string, refundId: string, amountCents: number): Promise<void> {
    const asked = { amountCents, reason: 'customer_request' } as const;
    const by = { requestedBy: BY_DESK.actor, approvalFromCents: Number.MAX_SAFE_INTEGER };
    await this.app.get(OrderChanges).apply(orderId, { type: 'RequestRefund', refundId, asked, ...by }, BY_DESK);
  }

  /** Keeps an event of the provider, as its route does. */
  async receive(provider: string, webhook: ReceivedWebhook): Promise<void> {
    const event = await this.app.get(PaymentProviders).named(provider).readWebhook(webhook);
    await this.app.get(ProviderEventInbox).add(provider, [event]);
  }

  async readProviderEvents(): Promise<void> {
    await this.app.get(ProviderEventSweep).run();
  }
}

const STATUSES = new URL('../../../../libs/domain/src/status-catalogue.json', import.meta.url).pathname;
const SILENT = createLogger('worker', 'silent');
const BY_DESK = { transaction_id: 'desk', actor: 'operator:desk' };

/** Hundreds of dead programs that asked the database whether it still lives would leave no connection for the next. */
async function isAlive(life: Life): Promise<boolean> {
  await life.breathe();
  return true;
}

function payingModule(settings: Settings, mortal: readonly Provider[]): DynamicModule {
  const foundation = FoundationModule.for(settings, SILENT, 'worker');
  return {
    module: class Paying {},
    imports: [
      { ...foundation, providers: [...(foundation.providers ?? []), ...mortal] },
      {
        module: class Mortal {},
        global: true,
        providers: [...mortal, QueueGauge],
        exports: [QueueBackend, QueueGauge],
      },
      OrdersModule,
      DeadlinesModule,
      ProviderEventsModule,
      TasksModule.for({ always: [...DEADLINE_TASKS, ...PROVIDER_EVENT_TASKS], of: {} }, []),
    ],
  };
}
