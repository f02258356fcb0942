import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { stringifyJson } from '#base/json';
import { inTransaction } from '#database/transaction';
import { OrderChanges } from '#orders/order-changes';
import { daySlices } from './day-slices.js';
import { prefixOf } from './difference-tasks.js';
import { type Claimed, ReconciliationLeases } from './reconciliation-leases.js';
import { differencesOf, type PaidOrder } from './remittance-agreement.js';
import { ADD_OF_ORDERS, ADD_UNKNOWN, ADD_UNPAID, FIND_ORDERS, NEXT_ORDERS } from './remittance-statements.js';

type OfClient = Extract<Claimed, { provider: null }>;

const LINES_AT_ONCE = 5_000;
const ORDERS_AT_ONCE = 200;

/** Compares what a client paid with what it owes, and records the payments. */
@Injectable()
export class RemittanceReconciliation {
  constructor(
    private readonly pool: Pool,
    private readonly orders: OrderChanges,
    private readonly leases: ReconciliationLeases,
  ) {}

  /** @throws ReconciliationEnded */
  async run(claimed: OfClient, prolong: () => Promise<void>): Promise<void> {
    const { id, client_id: clientId, from, to } = claimed;
    await this.findOrders(claimed, prolong);
    await this.pool.query(ADD_UNKNOWN, [id, clientId, prefixOf(claimed)]);
    await this.compareOrders(claimed, prolong);
    for (const slice of daySlices(from?.getTime() ?? 0, to?.getTime() ?? 0)) {
      await prolong();
      await this.pool.query(ADD_UNPAID, [id, clientId, slice.from, slice.to, prefixOf(claimed)]);
    }
  }

  private async findOrders({ id, client_id: clientId }: OfClient, prolong: () => Promise<void>): Promise<void> {
    const { rows } = await this.pool.query<{ last: number | null }>(
      'select max(number) as last from remittance_lines where reconciliation_id = $1',
      [id],
    );
    for (let after = 0; after < (rows[0]?.last ?? 0); after += LINES_AT_ONCE) {
      await prolong();
      await this.pool.query(FIND_ORDERS, [id, clientId, after, after + LINES_AT_ONCE]);
    }
  }

  private async compareOrders(claimed: OfClient, prolong: () => Promise<void>): Promise<void> {
    for (let after = claimed.compared_to; ;) {
      await prolong();
      const { rows } = await this.pool.query<PaidOrder>(NEXT_ORDERS, [claimed.id, after, ORDERS_AT_ONCE]);
      const last = rows.at(-1);
      if (!last) return;
      const found = [];
      for (const order of rows) found.push({ order, differences: await this.compare(claimed, order) });
      const matched = found.filter(({ differences }) => differences.length === 0).length;
      const rowsOf = found.flatMap(({ order, differences }) => differences.map((one) => rowOf(claimed, order, one)));
      await inTransaction(this.pool, async (client) => {
        await client.query(ADD_OF_ORDERS, [claimed.id, stringifyJson(rowsOf)]);
        await this.leases.advance(client, claimed, { comparedTo: last.order_id, matched });
      });
      after = last.order_id;
    }
  }

  /** A payment counts although its amount is wrong: the bank has it. For an order that should not be paid, a person decides first. */
  private async compare({ id, client_id: clientId, requested_by: actor }: OfClient, order: PaidOrder) {
    const differences = differencesOf(clientId, order);
    if (differences.some(({ kind }) => kind === 'state')) return differences;
    for (const { paid_on: paidOn, amount_cents: amountCents } of order.lines) {
      const command = { type: 'RecordRemittance', clientId, amountCents, paidOn } as const;
      await this.orders.apply(order.order_id, command, { transaction_id: id, actor });
    }
    return differences;
  }
}

function rowOf(claimed: Claimed, order: PaidOrder, { kind, ours, theirs }: ReturnType<typeof differencesOf>[number]) {
  const { order_id, ref_id: reference, placed_at: at } = order;
  const part = kind === 'twice' ? `/${theirs}` : '';
  return { subject: `${prefixOf(claimed)}${kind}/${order_id}${part}`, kind, order_id, reference, ours, theirs, at };
}
