import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { copyRows } from '#database/copy-rows';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import type { PaymentProvider } from '#payments/payment-provider';
import type { BalanceLine, ProviderPayout } from '#payments/provider-lists';
import { ProviderEventSweep } from '../provider-events/provider-event-sweep.js';
import { ProviderEventWork } from '../provider-events/provider-event-work.js';
import { iso } from './day-slices.js';
import { type Claimed, ReconciliationLeases } from './reconciliation-leases.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Lines of these times around the period are read too, to find what is ours in it: what we heard of late was made before, and two clocks may
 * differ.
 */
const HEARD_AFTER_MS = 3 * DAY_MS;
const CLOCKS_DIFFER_MS = HOUR_MS;

// A provider may give a part of its list only whole, so each part should be about so long, whatever it has in a day.
const LINES_A_SLICE = 5_000;
const SHORTEST_SLICE_MS = 60_000;
const LINES_AT_ONCE = 1_000;

/** Reads the list of a provider into table `provider_lines`, slice by slice: it goes on behind the last slice that was read. */
@Injectable()
export class ProviderReading {
  constructor(
    private readonly pool: Pool,
    private readonly leases: ReconciliationLeases,
    private readonly sweep: ProviderEventSweep,
    private readonly work: ProviderEventWork,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** @returns when it was read, in milliseconds since the epoch @throws ReconciliationEnded, and what the provider throws */
  async run(claimed: Claimed, provider: PaymentProvider, prolong: () => Promise<void>): Promise<number> {
    const asOf = claimed.as_of?.getTime() ?? (await this.readAll(claimed, provider, prolong));
    // After the list, so that nothing in it is new to us only because we have not read the provider's events.
    await this.sweep.read(provider);
    while (await this.work.run()) await prolong();
    return asOf;
  }

  private async readAll(claimed: Claimed, provider: PaymentProvider, prolong: () => Promise<void>): Promise<number> {
    const begin = (claimed.from?.getTime() ?? 0) - HEARD_AFTER_MS;
    const last = (claimed.to?.getTime() ?? 0) + CLOCKS_DIFFER_MS;
    let length = HOUR_MS;
    let start = claimed.read_to?.getTime() ?? begin;
    for (;;) {
      await prolong();
      // What comes after this instant may not be in the answer.
      const asOf = this.clock.now();
      const end = Math.min(last, asOf);
      const to = Math.min(start + length, end);
      await this.forget(claimed, start);
      const count = to > start ? await this.store(claimed, provider, { from: iso(start), to: iso(to) }) : 0;
      const isRead = to >= end;
      if (isRead) await this.addPayouts(claimed, provider, { from: iso(begin), to: iso(end) });
      await inTransaction(this.pool, (client) =>
        this.leases.advance(client, claimed, { readTo: iso(to), ...(isRead && { isRead, asOf: iso(asOf) }) }),
      );
      if (isRead) return asOf;
      start = to;
      if (count > LINES_A_SLICE) length = Math.max(SHORTEST_SLICE_MS, length / 2);
      else if (count < LINES_A_SLICE / 4) length = Math.min(DAY_MS, length * 2);
    }
  }

  /** What an attempt has read of a slice before it was killed. */
  private async forget({ id, attempt }: Claimed, from: number): Promise<void> {
    if (attempt === 1) return;
    await this.pool.query('delete from provider_lines where reconciliation_id = $1 and created_at >= $2', [
      id,
      iso(from),
    ]);
  }

  private async store({ id }: Claimed, provider: PaymentProvider, slice: Slice): Promise<number> {
    let rows: LineRow[] = [];
    let count = 0;
    const flush = async () => {
      await this.copy(rows);
      count += rows.length;
      rows = [];
    };
    for await (const line of provider.balanceLines(slice.from, slice.to)) {
      rows.push(lineRow(id, line));
      if (rows.length === LINES_AT_ONCE) await flush();
    }
    await flush();
    return count;
  }

  private async copy(rows: readonly LineRow[]): Promise<void> {
    if (rows.length === 0) return;
    const client = await this.pool.connect();
    try {
      await copyRows(client, 'provider_lines', COLUMNS, rows);
    } finally {
      client.release();
    }
  }

  /** Those whose movement of money the list of lines does not have. */
  private async addPayouts({ id }: Claimed, provider: PaymentProvider, period: Slice): Promise<void> {
    for await (const payout of provider.payouts(period.from, period.to) ?? []) {
      const row = payoutRow(id, payout);
      await this.pool.query(
        ADD_PAYOUT,
        COLUMNS.map((column) => row[column]),
      );
    }
  }
}

type Slice = Readonly<{ from: string; to: string }>;

const COLUMNS = [
  'reconciliation_id',
  'line_id',
  'kind',
  'reference',
  'payment',
  'order_id',
  'refund_id',
  'amount_cents',
  'fee_cents',
  'currency',
  'created_at',
] as const;

type LineRow = Readonly<Record<(typeof COLUMNS)[number], string | number | null>>;

const ADD_PAYOUT = `
  insert into provider_lines (${COLUMNS.join(', ')}) select ${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')}
  where not exists (select from provider_lines where reconciliation_id = $1 and reference = $4 and kind = $3)`;

function lineRow(id: string, line: BalanceLine): LineRow {
  return {
    reconciliation_id: id,
    line_id: line.id,
    kind: line.kind,
    reference: line.reference,
    payment: line.payment,
    order_id: line.orderId,
    refund_id: line.refundId,
    amount_cents: line.amountCents,
    fee_cents: line.feeCents,
    currency: line.currency,
    created_at: line.createdAt,
  };
}

function payoutRow(id: string, { reference, amountCents, currency, createdAt }: ProviderPayout): LineRow {
  const line = { payment: null, orderId: null, refundId: null, feeCents: 0, currency, createdAt };
  return lineRow(id, { ...line, id: reference, kind: 'payout', reference, amountCents: -amountCents });
}
