import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '#platform/metrics';
import type { JobQueue } from './job-queue.js';

@Injectable()
export class QueueGauge implements OnModuleInit {
  private readonly queues: JobQueue<object>[] = [];

  constructor(private readonly metrics: Metrics) {}

  show(queue: JobQueue<never>): void {
    this.queues.push(queue as JobQueue<object>);
  }

  onModuleInit(): void {
    this.metrics.gauge('willcall_queue_jobs', 'Jobs by queue and state', 'queue_state', async () => {
      const depths = await Promise.all(this.queues.map((queue) => queue.depth()));
      const rows = this.queues.flatMap(({ name }, index) =>
        Object.entries(depths[index] ?? {}).map(([state, jobs]): [string, number] => [`${name} ${state}`, jobs]),
      );
      return Object.fromEntries(rows);
    });
  }
}
