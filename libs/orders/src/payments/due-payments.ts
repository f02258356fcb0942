import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';

/** A step of an order's money. `step` and `n` are part of the job's id, so each step is one job. */
export type DuePayment = Readonly<{ id: string; step: string; n: number }>;

/** Deadlines by which versions before captures gave money back. */
const EARLIER = "('payment_release', 'price_difference')";

@Injectable()
export class DuePayments {
  constructor(
    private readonly pool: Pool,
    private readonly settings: Settings,
  ) {}

  /**
   * Longest overdue first, without the orders of `except`. A refund that the provider has is asked about now and then.
   * @param now ISO 8601
   */
  async find(
    now: string,
    { limit, except }: Readonly<{ limit: number; except: readonly string[] }>,
  ): Promise<DuePayment[]> {
    const { rows } = await this.pool.query<{ id: string; version: number; payment_step: string }>({
      name: 'due-payments',
      text: `select id, version, payment_step from (
          select id, version, payment_step, payment_due_at from orders
          where payment_due_at <= case payment_step when 'refund_outcome' then $1::timestamptz - $2 * interval '1 ms'
              else $1::timestamptz end
            and payment_due_at <= $1::timestamptz and id <> all ($4::text[])
          union all
          select id, version, due_for, due_at from orders
          where due_at <= $1::timestamptz and due_for in ${EARLIER} and id <> all ($4::text[])
        ) as due
        order by payment_due_at limit $3`,
      values: [now, this.settings.PAYMENT_SWEEP_MS, limit, except],
    });
    return rows.map(({ id, version, payment_step: step }) => ({ id, step, n: version }));
  }
}
