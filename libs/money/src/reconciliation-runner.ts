import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DifferenceTasks } from './reconciliation/difference-tasks.js';
import { ProviderReconciliation } from './reconciliation/provider-reconciliation.js';
import { type Claimed, ReconciliationEnded, ReconciliationLeases } from './reconciliation/reconciliation-leases.js';
import { RemittanceReconciliation } from './reconciliation/remittance-reconciliation.js';

/** Does comparisons, one at a time in each process. A process that is killed loses nothing: another one goes on where it was. */
@Injectable()
export class ReconciliationRunner {
  constructor(
    private readonly pool: Pool,
    private readonly leases: ReconciliationLeases,
    private readonly providers: ProviderReconciliation,
    private readonly remittances: RemittanceReconciliation,
    private readonly tasks: DifferenceTasks,
  ) {}

  /** Works on the oldest one that nobody works on, until it ends or the process stops. @param id on that one only */
  async step(stop: AbortSignal, id?: string): Promise<void> {
    const claimed = await this.leases.claim(id);
    if (!claimed) return await this.tidy();
    try {
      await this.compare(claimed, stop);
    } catch (error) {
      if (error instanceof ReconciliationEnded) return await this.leases.release(claimed);
      await this.leases.fail(claimed, (error as Error).message);
      throw error;
    }
  }

  private async compare(claimed: Claimed, stop: AbortSignal): Promise<void> {
    const prolong = () => this.leases.prolong(claimed, stop);
    if (claimed.provider === null) await this.remittances.run(claimed, prolong);
    else await this.providers.run(claimed, prolong);
    await this.tasks.settle(claimed, prolong);
  }

  /** Ends uploads that broke off with their api, and removes the lines of what has ended. */
  private async tidy(): Promise<void> {
    await this.pool.query(END_UPLOADS);
    for (const table of ['provider_lines', 'remittance_lines']) await this.pool.query(prune(table));
  }
}

const END_UPLOADS = `
  update reconciliations set state = 'failed', error = 'The upload broke off.'
  where state = 'running' and client_id is not null and not is_read and leased_until < clock_timestamp()`;

// A list may have millions of lines, which one statement would delete for minutes.
const LINES_AT_ONCE = 20_000;

const prune = (table: string) => `
  delete from ${table} where ctid = any(array(
    select l.ctid from ${table} l left join reconciliations r on r.id = l.reconciliation_id
    where r.state is distinct from 'running' limit ${LINES_AT_ONCE}))`;
