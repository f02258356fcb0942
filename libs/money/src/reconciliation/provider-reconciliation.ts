import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { inTransaction } from '#database/transaction';
import { PaymentProviders } from '#payments/payment-providers';
import { daySlices, iso } from './day-slices.js';
import { ProviderReading } from './provider-reading.js';
import { ADD_MISSING_THERE, ADD_NAMELESS, COMPARE_LINES, NEXT_REFERENCE } from './provider-statements.js';
import { type Claimed, ReconciliationLeases } from './reconciliation-leases.js';

type OfProvider = Extract<Claimed, { client_id: null }>;
/** In milliseconds since the epoch. The end is exclusive. `asOf`: when the list was read. */
type Compared = Readonly<{ from: number; to: number; asOf: number }>;

const REFERENCES_AT_ONCE = 2_000;

/** What our own next step, or an event that just came, is about to record, is no difference for so long. */
const IN_FLIGHT_MS = 3_600_000;

/** Compares the list of a provider with our ledger, in the database: no process ever holds more than a slice of the list. */
@Injectable()
export class ProviderReconciliation {
  constructor(
    private readonly pool: Pool,
    private readonly providers: PaymentProviders,
    private readonly reading: ProviderReading,
    private readonly leases: ReconciliationLeases,
  ) {}

  /** @throws ReconciliationEnded, and what the provider throws */
  async run(claimed: OfProvider, prolong: () => Promise<void>): Promise<void> {
    const { id, provider } = claimed;
    const asOf = await this.reading.run(claimed, this.providers.named(provider), prolong);
    const compared = { from: claimed.from?.getTime() ?? 0, to: claimed.to?.getTime() ?? 0, asOf };
    await this.compareLines(claimed, compared, prolong);
    await this.pool.query(ADD_NAMELESS, [id, iso(compared.from), iso(compared.to), provider, iso(asOf)]);
    // What was recorded after the list was read cannot be in it.
    for (const { from, to } of daySlices(compared.from, Math.min(compared.to, asOf))) {
      await prolong();
      await this.pool.query(ADD_MISSING_THERE, [id, from, to, provider]);
    }
  }

  private async compareLines(claimed: OfProvider, { from, to, asOf }: Compared, prolong: () => Promise<void>) {
    const { id, provider } = claimed;
    const period = [iso(from), iso(to), iso(asOf), iso(asOf - IN_FLIGHT_MS)];
    for (let after = claimed.compared_to; ;) {
      await prolong();
      const last = await this.nextReference(id, after);
      if (last === null) return;
      await inTransaction(this.pool, async (client) => {
        const values = [id, after, last, provider, ...period];
        const { rows } = await client.query<{ matched: number }>(COMPARE_LINES, values);
        await this.leases.advance(client, claimed, { comparedTo: last, matched: rows[0]?.matched ?? 0 });
      });
      after = last;
    }
  }

  private async nextReference(id: string, after: string): Promise<string | null> {
    const values = [id, after, REFERENCES_AT_ONCE];
    const { rows } = await this.pool.query<{ reference: string | null }>(NEXT_REFERENCE, values);
    return rows[0]?.reference ?? null;
  }
}
