import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { overdueJobId } from '#delivery-kit/job-queue';
import { leaseHeldAt } from '#delivery-kit/lease';
import type { Clock } from '#base/clock';
import type { Wakeup } from './webhooks/endpoint-drain.js';
import { NEWEST_ENTRY } from './webhook-entries.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.js';
import { WebhookQueue } from './webhooks/webhook-queue.js';

/** The job's id contains the endpoint and the time, so jobs do not accumulate. */
@Injectable()
export class WebhookScheduler {
  private asking: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly pool: Pool,
    @Inject(WebhookQueue) private readonly queue: Pick<WebhookQueue, 'add'>,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(WebhookDelivery) private readonly drains: Pick<WebhookDelivery, 'wake' | 'wakeAll'>,
  ) {}

  /** Throws if the queue's server is unreachable. The sweep then schedules the endpoints later. */
  async schedule(wakeups: readonly Wakeup[]): Promise<void> {
    const now = this.clock.now();
    await this.queue.add(
      wakeups.map(({ webhookId, at }) => ({
        id: `${webhookId}-${Math.ceil(at)}`,
        data: { webhookId },
        delayMs: Math.ceil(at - now),
      })),
    );
  }

  /** Delayed jobs depend on the clocks of the processes and may come too late, so these ids differ. */
  async scheduleNow(due: readonly Wakeup[]): Promise<void> {
    const now = this.clock.now();
    const idOf = ({ webhookId, at }: Wakeup) => overdueJobId(`${webhookId}-${Math.ceil(at)}-due`, at, now);
    await this.queue.add(due.map((wakeup) => ({ id: idOf(wakeup), data: { webhookId: wakeup.webhookId } })));
  }

  /** Schedules all endpoints that are behind the ping stream. Concurrent calls are merged. */
  async grown(): Promise<void> {
    this.again = true;
    await (this.asking ??= this.askAll().finally(() => (this.asking = undefined)));
  }

  private async askAll(): Promise<void> {
    while (this.again) {
      this.again = false;
      // Also before the query: a drain that is just ending still holds its lease in the query's snapshot.
      this.drains.wakeAll();
      const values = [new Date(this.clock.now())];
      const { rows } = await this.pool.query<BehindRow>({ name: 'webhooks-behind', text: BEHIND, values });
      // If another process holds the lease, that process wakes its own drain.
      const idle = rows.filter(({ id, leased }) => !this.drains.wake(id) && !leased);
      await this.queue.add(idle.map(({ id, newest }) => ({ id: `${id}-at-${newest}`, data: { webhookId: id } })));
    }
  }
}

type BehindRow = { id: string; newest: number; leased: boolean };

const BEHIND = `
  select id, newest, exists (select from webhook_leases where webhook_id = id and ${leaseHeldAt('$1')}) as leased
  from (select ${NEWEST_ENTRY} as newest) as stream, webhooks
  where state <> 'disabled' and position < newest`;
