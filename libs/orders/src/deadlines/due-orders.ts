import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { DueFor } from '../order-row.js';

/** `due_at` is ISO 8601. */
export type DueOrder = Readonly<{ id: string; version: number; due_for: DueFor; due_at: string }>;

@Injectable()
export class DueOrders {
  constructor(private readonly pool: Pool) {}

  /**
   * Longest overdue first, without the orders of `except`. A payment without an outcome is due after `paymentOutcomeAfterMs`, because its
   * request may still be open.
   */
  async find(
    now: string,
    paymentOutcomeAfterMs: number,
    { limit, except = [] }: Readonly<{ limit: number; except?: readonly string[] }>,
  ): Promise<DueOrder[]> {
    const { rows } = await this.pool.query<DueRow>({
      name: 'due-orders',
      text: `select id, version, due_for, due_at from orders
        where due_at <= case due_for when 'payment_outcome' then $1::timestamptz - $2 * interval '1 ms' else $1::timestamptz end
          and due_at <= $1::timestamptz and due_for in ('payment_outcome', 'confirmation', 'replacement') and id <> all ($4::text[])
        order by due_at limit $3`,
      values: [now, paymentOutcomeAfterMs, limit, except],
    });
    return rows.map(dueOrder);
  }

  /** Those that somebody may still answer, and whose deadline comes after `from` and not after `to`. The next ones first. */
  async findNext(from: string, to: string, limit: number): Promise<DueOrder[]> {
    const { rows } = await this.pool.query<DueRow>({
      name: 'next-due-orders',
      text: `select id, version, due_for, due_at from orders
        where due_at > $1::timestamptz and due_at <= $2::timestamptz and due_for in ('confirmation', 'replacement')
        order by due_at limit $3`,
      values: [from, to, limit],
    });
    return rows.map(dueOrder);
  }
}

type DueRow = Omit<DueOrder, 'due_at'> & { due_at: Date };

function dueOrder({ due_at: dueAt, ...order }: DueRow): DueOrder {
  return { ...order, due_at: dueAt.toISOString() };
}
