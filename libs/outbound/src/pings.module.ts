import { Module } from '@nestjs/common';
import { QueueGauge } from '#delivery-kit/queue-gauge';
import { PingGauges } from './pings/ping-gauges.js';
import { PingQueries } from './ping-queries.js';
import { PingQueue } from './pings/ping-queue.js';

@Module({ providers: [PingQueue, PingQueries, PingGauges], exports: [PingQueue, PingQueries] })
export class PingsModule {
  constructor(gauge: QueueGauge, queue: PingQueue) {
    gauge.show(queue);
  }
}
