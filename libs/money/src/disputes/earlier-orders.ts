import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import type { OrderEvent } from '#domain/order-events';
import type { KnownOrder, Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventStore } from '#event-store/event-store';
import { askedDigests } from '#orders/buyer-digests';
import { OrderShows } from '#orders/order-shows';
import type { ComparedOrder, EarlierOrder } from './compared-order.js';
import { type DisputedBuyer, DisputedBuyers } from './disputed-buyers.js';
import { sharedBy } from './shared-traits.js';

const DAY_MS = 24 * 3_600_000;
/** So old an earlier purchase is, in days before the dispute, for Visa to count it: a thief of the card would have been found by then. */
const LEAST_DAYS = 120;
const MOST_DAYS = 365;
// A reseller may have thousands. The newest are enough, and each has to be decrypted.
const MOST_COMPARED = 50;

/** Orders that the buyer of a disputed one had paid before and never disputed. */
@Injectable()
export class EarlierOrders {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly buyers: DisputedBuyers,
    private readonly shows: OrderShows,
  ) {}

  /** An order as it is compared. */
  async compared(id: string, order: KnownOrder): Promise<ComparedOrder> {
    const [buyers, shows] = await Promise.all([this.buyers.of([id]), this.shows.of([id])]);
    const buyer = buyers.get(id);
    if (!buyer) throw new Error(`There is no order ${id}.`);
    return { id, order, buyer, show: shows.get(id) ?? null };
  }

  /** Those that share an address or the IP address, newest first. @param disputedAt ISO 8601 */
  async before({ id, buyer }: ComparedOrder, disputedAt: string): Promise<EarlierOrder[]> {
    const ids = await this.idsOf(buyer, id, Date.parse(disputedAt));
    const [streams, buyers, shows] = await Promise.all([
      this.store.readAll(ids.map(orderStream)),
      this.buyers.of(ids),
      this.shows.of(ids),
    ]);
    return ids.flatMap((earlier, index) => {
      const [order, their] = [streams[index]?.state, buyers.get(earlier)];
      if (!order?.known || !their || !isUndisputedSale(order)) return [];
      const shares = sharedBy(buyer, their);
      if (!shares.some((trait) => trait !== 'email')) return [];
      return [{ id: earlier, order, buyer: their, show: shows.get(earlier) ?? null, shares }];
    });
  }

  private async idsOf({ email, phone }: DisputedBuyer, except: string, disputedAt: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ order_id: string }>(OF_BUYER, [
      email === null ? [] : askedDigests(this.sealer, 'email', email),
      phone === null ? [] : askedDigests(this.sealer, 'phone', phone),
      new Date(disputedAt - MOST_DAYS * DAY_MS),
      new Date(disputedAt - LEAST_DAYS * DAY_MS),
      except,
      MOST_COMPARED,
    ]);
    return rows.map(({ order_id: id }) => id);
  }
}

function isUndisputedSale({ payment, disputes, status }: KnownOrder): boolean {
  return payment.is === 'captured' && status?.status !== 'rejected' && disputes.length === 0;
}

const among = (column: string, digests: string) => `
  select order_id, placed_at from personal_data_keys
  where ${column} = any(${digests}::bytea[]) and placed_at >= $3::timestamptz and placed_at <= $4::timestamptz and order_id <> $5`;

const OF_BUYER = `
  select order_id from (${among('email_digest', '$1')} union ${among('phone_digest', '$2')}) as theirs
  order by placed_at desc, order_id limit $6`;
