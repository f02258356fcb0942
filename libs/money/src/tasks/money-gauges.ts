import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { Metrics } from '#platform/metrics';
import { TASK_KINDS } from '../money-task.contract.js';

// What only waits for the provider, a hold and the outcome of a refund, is not late.
const STEPS = ['capture', 'void', 'return', 'refund'] as const;

const OLDEST_STEPS = `
  select payment_step as name, extract(epoch from $1::timestamptz - min(payment_due_at))::float8 as value from orders
  where payment_due_at <= $1::timestamptz and payment_step = any ($2) group by 1`;

const OPEN_TASKS = `select kind as name, count(*)::int as value from money_tasks where done_at is null group by 1`;

const OLDEST_EVENTS = `
  select provider as name, extract(epoch from $1::timestamptz - min(received_at))::float8 as value from provider_events
  where next_try_at is not null group by 1`;

type Row = Readonly<{ name: string; value: number }>;

/** What tells whoever runs an installation that money does not move. */
@Injectable()
export class MoneyGauges implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'willcall_oldest_due_payment_seconds',
      'How long the oldest step of a payment has been due, by step',
      'step',
      () => this.values(OLDEST_STEPS, STEPS, [this.clock.iso(), STEPS]),
    );
    this.metrics.gauge('willcall_money_tasks', 'Open tasks about money by kind', 'kind', () =>
      this.values(OPEN_TASKS, TASK_KINDS, []),
    );
    this.metrics.gauge(
      'willcall_oldest_waiting_provider_event_seconds',
      'How long the oldest event of a payment provider has waited for its order, by provider',
      'provider',
      () => this.values(OLDEST_EVENTS, [], [this.clock.iso()]),
    );
  }

  /** A name without a row is 0: an alert needs a value before the first trouble. */
  private async values(text: string, names: readonly string[], values: unknown[]): Promise<Record<string, number>> {
    const { rows } = await this.pool.query<Row>(text, values);
    return Object.fromEntries([...names.map((name) => [name, 0]), ...rows.map(({ name, value }) => [name, value])]);
  }
}
