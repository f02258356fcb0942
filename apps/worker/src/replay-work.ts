import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, type Provider } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { PLATFORM } from '#pings/repair/replay-selection';
import { type Released, ReplayWork } from '#pings/repair/replay-work';
import { PingScheduler } from '#pings/ping-scheduler';
import { errorLog } from '#delivery/queues/error-log';
import { Repeater } from '#runtime/repeater';
import { WebhookScheduler } from '#webhooks/webhook-scheduler';

// Half of what a step lets go ahead of its time, so that there is no gap between two steps.
const STEP_EVERY_MS = 250;

export const replayProviders: Provider[] = [
  {
    provide: ReplayWork,
    inject: [Pool, DatabaseClock, PingScheduler, WebhookScheduler],
    useFactory: (pool: Pool, clock: DatabaseClock, pings: PingScheduler, webhooks: WebhookScheduler) =>
      new ReplayWork(pool, clock, (released) => schedule(released, pings, webhooks)),
  },
];

async function schedule({ endpoint, due }: Released, pings: PingScheduler, webhooks: WebhookScheduler): Promise<void> {
  if (endpoint === PLATFORM) return await pings.schedule(due);
  await webhooks.schedule(due.slice(0, 1).map(({ at }) => ({ webhookId: endpoint, at })));
}

/** Lets go by and by what is to be sent again. */
@Injectable()
export class ReplayRounds implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly steps: Repeater;

  constructor(work: ReplayWork) {
    this.steps = new Repeater(() => work.step(), STEP_EVERY_MS, errorLog('replays'));
  }

  onApplicationBootstrap(): void {
    this.steps.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.steps.stop();
  }
}
