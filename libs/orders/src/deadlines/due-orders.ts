import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { DueFor } from '../read-models/order-row.js';

export type DueOrder = Readonly<{ id: string; version: number; due_for: DueFor }>;

@Injectable()
export class DueOrders {
  constructor(private readonly pool: Pool) {}

  /** Longest overdue first. A payment without an outcome is due after `paymentOutcomeAfterMs`, because its request may still be open. */
  async find(now: string, paymentOutcomeAfterMs: number, limit: number): Promise<DueOrder[]> {
    const { rows } = await this.pool.query<DueOrder>({
      name: 'due-orders',
      text: `select id, version, due_for from orders
        where due_at <= case due_for when 'payment_outcome' then $1::timestamptz - $2 * interval '1 ms' else $1::timestamptz end
          and due_at <= $1::timestamptz
        order by due_at limit $3`,
      values: [now, paymentOutcomeAfterMs, limit],
    });
    return rows;
  }
}
