import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ProviderShortages } from '#orders/provider-shortages';
import type { JobReason } from '../job.contract.js';
import { GO_ON, PAUSE_BY_ITSELF } from './job-statements.js';

const REASON: JobReason = 'insufficient_funds';

// Providers make some tens of refunds a second, so these take them a minute at most.
const MOST_WAITING = 1_000;

/** Keeps jobs that refund from running far ahead of the payment providers, and pauses them while one has no money. */
@Injectable()
export class JobRefundPace {
  constructor(
    private readonly pool: Pool,
    private readonly shortages: ProviderShortages,
  ) {}

  /** Pauses the job while a provider has no money. `full`: the providers still have enough to do. */
  async check(jobId: string): Promise<'free' | 'full' | 'paused'> {
    const room = await this.shortages.room(MOST_WAITING);
    if (room !== 'short') return room;
    await this.pool.query(PAUSE_BY_ITSELF, [jobId, REASON]);
    return 'paused';
  }

  /** Lets the jobs go on that have paused by themselves, once no provider is short any more. */
  async goOn(): Promise<void> {
    if ((await this.shortages.room(MOST_WAITING)) !== 'short') await this.pool.query(GO_ON, [REASON]);
  }
}
