import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { PaymentProviders } from '#payments/payment-providers';
import { Reconciliations } from '../reconciliations.js';
import { iso } from './day-slices.js';

const DAY_MS = 86_400_000;
const DAYS = 3;

/** Compares the last days of each provider, so that no difference depends on a person who asks. */
@Injectable()
export class DailyReconciliation {
  constructor(
    private readonly reconciliations: Reconciliations,
    private readonly providers: PaymentProviders,
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Begins today's, unless another process did. */
  async run(): Promise<void> {
    const today = dayOf(this.clock.now());
    const from = Math.max(today - DAYS * DAY_MS, await this.firstDay());
    if (from >= today) return;
    for (const { name } of this.providers.all) {
      await this.reconciliations.beginDaily(name, { from: iso(from), to: iso(today) });
    }
  }

  /** Without a client nothing was sold here: orders of earlier days are imported or samples, which may still be coming in. */
  private async firstDay(): Promise<number> {
    const { rows } = await this.pool.query<{ first: Date | null }>('select min(created_at) as first from clients');
    return dayOf(rows[0]?.first?.getTime() ?? this.clock.now());
  }
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
