import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Clock } from '#base/clock';
import { Metrics } from '../metrics.js';
import type { RunOutcome } from '../background-task.js';

// Seconds. From one statement to a recalculation of the whole catalogue.
const SECONDS = [0.001, 0.01, 0.1, 1, 10, 60];

@Injectable()
export class TaskMetrics {
  private readonly runs: Counter;
  private readonly seconds: Histogram;
  private readonly lastSuccess = new Map<string, number>();

  constructor(
    metrics: Metrics,
    private readonly clock: Clock,
  ) {
    const registers = [metrics.registry];
    this.runs = new Counter({
      name: 'willcall_task_runs_total',
      help: 'Runs of background tasks by outcome; for a task that processes a queue, its jobs',
      labelNames: ['task', 'outcome'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'willcall_task_run_seconds',
      help: 'How long runs of background tasks take',
      labelNames: ['task'],
      buckets: SECONDS,
      registers,
    });
    metrics.gauge(
      'willcall_task_last_success_timestamp_seconds',
      'When a run of the background task last succeeded in this process, as Unix time',
      'task',
      async () => Object.fromEntries(this.lastSuccess),
    );
  }

  /** Shows the task even before its first run. */
  show(task: string): void {
    for (const outcome of ['succeeded', 'failed']) this.runs.inc({ task, outcome }, 0);
  }

  ran(task: string, outcome: RunOutcome): void {
    this.runs.inc({ task, outcome });
    if (outcome === 'succeeded') this.lastSuccess.set(task, this.clock.now() / 1_000);
  }

  async timed(task: string, run: () => Promise<void>): Promise<void> {
    const from = this.clock.monotonic();
    let outcome: RunOutcome = 'failed';
    try {
      await run();
      outcome = 'succeeded';
    } finally {
      this.ran(task, outcome);
      this.seconds.observe({ task }, (this.clock.monotonic() - from) / 1_000);
    }
  }
}
