import { Injectable } from '@nestjs/common';
import type { ScreeningDryRun } from '../screening.contract.js';
import type { DryRunResult } from './screening-dry-runs.js';
import type { Caller } from '#accounts/caller';
import { OrderFinding } from '../order-finding.js';

/** The answer to a dry run: how many orders, and the newest of them as the caller may see them. */
@Injectable()
export class SampledOrders {
  constructor(private readonly finding: OrderFinding) {}

  async of({ newest, lookedAt, ...found }: DryRunResult, caller: Caller): Promise<ScreeningDryRun> {
    const result = { ...found, looked_at: lookedAt };
    if (newest.length === 0) return { ...result, sample: [] };
    const where = { field: 'id', op: 'in', value: newest } as const;
    const question = { where, q: undefined, sort: 'placed_at.desc' } as const;
    const page = await this.finding.page(question, { limit: newest.length }, caller);
    return { ...result, sample: page.orders };
  }
}
