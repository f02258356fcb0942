import { Inject, Injectable } from '@nestjs/common';
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
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Begins today's, unless another process did. */
  async run(): Promise<void> {
    const today = Math.floor(this.clock.now() / DAY_MS) * DAY_MS;
    const period = { from: iso(today - DAYS * DAY_MS), to: iso(today) };
    for (const { name } of this.providers.all) await this.reconciliations.beginDaily(name, period);
  }
}
