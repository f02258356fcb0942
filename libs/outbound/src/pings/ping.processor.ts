import { Injectable } from '@nestjs/common';
import type { JobProcessor } from '#delivery-kit/queue-task';
import { errorLog } from '#platform/error-log';
import { PingDelivery } from './ping-delivery.js';
import type { PingJob } from './ping-queue.js';
import { PingScheduler } from '../ping-scheduler.js';

@Injectable()
export class PingProcessor implements JobProcessor<PingJob> {
  private readonly onError = errorLog('pings');

  constructor(
    private readonly delivery: PingDelivery,
    private readonly scheduler: PingScheduler,
  ) {}

  async process({ orderId }: PingJob): Promise<void> {
    const again = await this.delivery.drain(orderId);
    // If this fails, the sweep schedules it.
    if (again) await this.scheduler.schedule([again]).catch(this.onError);
  }

  stop(): void {
    this.delivery.stop();
  }
}
