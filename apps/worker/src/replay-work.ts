import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap, type Provider } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { PLATFORM } from '#pings/repair/replay-selection';
import { type Released, ReplayWork } from '#pings/repair/replay-work';
import { PingDoorbell } from '#pings/ping-doorbell';
import { faultLog } from '#delivery/queues/fault-log';
import { Repeater } from '#runtime/repeater';
import { WebhookDoorbell } from '#webhooks/webhook-doorbell';

// Half of what a step lets go ahead of its time, so that there is no gap between two steps.
const STEP_EVERY_MS = 250;

export const replayProviders: Provider[] = [
  {
    provide: ReplayWork,
    inject: [Pool, DatabaseClock, PingDoorbell, WebhookDoorbell],
    useFactory: (pool: Pool, clock: DatabaseClock, pings: PingDoorbell, webhooks: WebhookDoorbell) =>
      new ReplayWork(pool, clock, (released) => ring(released, pings, webhooks)),
  },
];

async function ring({ endpoint, due }: Released, pings: PingDoorbell, webhooks: WebhookDoorbell): Promise<void> {
  if (endpoint === PLATFORM) return await pings.ring(due);
  await webhooks.ring(due.slice(0, 1).map(({ at }) => ({ webhookId: endpoint, at })));
}

/** Lets go by and by what is to be sent again. */
@Injectable()
export class ReplayRounds implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly steps: Repeater;

  constructor(work: ReplayWork) {
    this.steps = new Repeater(() => work.step(), STEP_EVERY_MS, faultLog('replays'));
  }

  onApplicationBootstrap(): void {
    this.steps.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.steps.stop();
  }
}
