import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { Catalogue } from '#discovery/catalogue';
import { removeSampleCatalogue } from '#discovery/sample-catalogue';
import type { Metadata } from '#event-store/event';
import { IS_SAMPLE_ORDER } from '#listings/sample-ids';
import { sampleListings } from '#listings/sample-listings.data';
import { OrderChanges } from '#orders/order-changes';
import type { SampleRemovalResult, SampleState } from '../sample.contract.js';

// Of a pool that serves requests too.
const AT_ONCE = 4;

/** Takes the sample data away. What was begun and interrupted goes on with the next call. */
@Injectable()
export class SampleRemoval {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly orders: OrderChanges,
    private readonly catalogue: Catalogue,
  ) {}

  async state(): Promise<SampleState> {
    const { rows } = await this.pool.query<{ removed_at: Date | null }>('select removed_at from sample_data');
    const [found] = rows;
    return { present: found?.removed_at === null, removed_at: found?.removed_at?.toISOString() ?? null };
  }

  /** Removes nothing where nothing is invented. */
  async remove(metadata: Metadata): Promise<SampleRemovalResult> {
    const { rowCount } = await this.pool.query('select from sample_data');
    if (rowCount === 0) return { orders: 0, listings: 0, events: 0 };
    const { rows: orders } = await this.pool.query<{ id: string }>(SAMPLE_ORDERS);
    const ids = orders.map(({ id }) => id);
    const each = async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        await this.orders.apply(id, { type: 'RemoveSample' }, metadata);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, each));
    for (const sql of SANDBOX_PAYMENTS) await this.pool.query(sql);
    const { rows } = await this.pool.query<{ deleted: number }>('select remove_sample_listings($1) as deleted', [
      sampleListings.map(([id]) => id),
    ]);
    const events = await removeSampleCatalogue(this.catalogue, this.clock);
    await this.pool.query(MARK, [this.clock.iso(), metadata.actor]);
    return { orders: orders.length, listings: rows[0]?.deleted ?? 0, events };
  }
}

// From the listings, which are fewer than the orders of a busy house.
const SAMPLE_ORDERS = `
  select o.id from listings l join orders o on o.listing_id = l.id
  where l.id like 'sample-%' and ${IS_SAMPLE_ORDER} order by o.id`;

// The sandbox lists its payments, and a comparison would miss their orders.
const SANDBOX_PAYMENTS = ['sandbox_refunds', 'sandbox_payments'].map(
  (table) => `delete from ${table} p using removed_samples r where p.order_id = r.order_id`,
);

const MARK = 'update sample_data set removed_at = $1, removed_by = $2 where removed_at is null';
