import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import type { ReceivedPurchase } from '#domain/order-events';
import { EventArchive } from '#event-store/event-archive';
import type { Metadata } from '#event-store/event';
import type { Status } from '#domain/status';
import { NO_BUYER_DIGESTS } from '../buyer-digests.js';
import type { PersonalData } from '../purchase-drafts.js';
import { type BuyerClues, buyerClues } from './buyer-clues.js';
import type { ScreenedPurchase } from './purchase-facts.js';

/** A purchase as it came in, whatever has become of it since. */
export type PastPurchase = Readonly<{
  id: string;
  placed_at: Date;
  transaction_id: string;
  /** The code of its first status after its review, if it had one. Null if it never had such a status. */
  first_status: number | null;
  received: ReceivedPurchase;
  key: Buffer | null;
  email: Buffer | null;
  phone: Buffer | null;
  last_name: Buffer | null;
  others: readonly Buffer[] | null;
  address: Buffer | null;
  card: Buffer | null;
}>;

/** With the event that `received` comes from. */
type PurchaseRow = Omit<PastPurchase, 'received'> &
  Readonly<{ stream: string; position: number; metadata: Metadata; data: ReceivedPurchase }>;

// Few enough that the api answers others in between.
const AT_ONCE = 200;

@Injectable()
export class PastPurchases {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
    private readonly archive: EventArchive,
  ) {}

  /** From when on at most `most` purchases were placed before `to`: `from`, or later. Times are ISO 8601. */
  async boundedFrom(from: string, to: string, most: number): Promise<string> {
    const { rows } = await this.pool.query<{ placed_at: Date }>(BEYOND, [from, to, most]);
    return rows[0] ? new Date(rows[0].placed_at.getTime() + 1).toISOString() : from;
  }

  /** Those placed in a period, oldest first, some hundred at a time. Times are ISO 8601. `review` is the status of a held order. */
  async *between(from: string, to: string, review: Status): AsyncGenerator<readonly PastPurchase[]> {
    let after: Readonly<{ placed_at: string | Date; id: string }> | undefined = { placed_at: from, id: '' };
    while (after) {
      const purchases: readonly PastPurchase[] = await this.page([
        after.placed_at,
        after.id,
        to,
        AT_ONCE,
        review.status_code,
      ]);
      if (purchases.length > 0) yield purchases;
      after = purchases.at(-1);
    }
  }

  /** Without what has been erased or cannot be read. */
  cluesOf({ id, key, received }: PastPurchase): BuyerClues {
    return buyerClues(this.personalDataOf(id, key, received.personal));
  }

  private async page(values: readonly unknown[]): Promise<readonly PastPurchase[]> {
    const query = { name: 'past-purchases', text: PURCHASES, values: [...values] };
    const { rows } = await this.pool.query<PurchaseRow>(query);
    const whole = await this.archive.complete(this.pool, rows);
    return whole.map(({ stream: _stream, position: _position, metadata: _metadata, data: received, ...past }) => {
      return { ...past, received };
    });
  }

  private personalDataOf(id: string, key: Buffer | null, personal: string | null): PersonalData {
    const none = { user: null, delivery: {}, billing: null };
    if (key === null || personal === null) return none;
    try {
      return this.sealer.openPersonal(id, key, Buffer.from(personal, 'base64')) as PersonalData;
    } catch (error) {
      if (error instanceof UnsealError) return none;
      throw error;
    }
  }
}

/** What it was when it was screened. A later correction of the buyer has changed the digests. */
export function screenedPurchase(past: PastPurchase): ScreenedPurchase {
  const { email, phone, last_name, others } = past;
  return {
    orderId: past.id,
    received: past.received,
    transactionId: past.transaction_id,
    placedAt: past.placed_at.toISOString(),
    digests: { ...NO_BUYER_DIGESTS, email, phone, last_name, others: others ?? [] },
  };
}

const BEYOND = `
  select placed_at from orders where placed_at >= $1::timestamptz and placed_at < $2::timestamptz
  order by placed_at desc offset $3 limit 1`;

// The log knows the purchase as it came in. A later offer of other tickets may have changed the order.
const PURCHASES = `
  select o.id, o.placed_at, o.transaction_id, e.stream, e.position, e.metadata, e.data,
    (select h.status_code from status_history h where h.order_id = o.id and h.status_code <> $5
      order by h.sequence limit 1) as first_status,
    k.key, k.email_digest as email, k.phone_digest as phone, k.last_name_digest as last_name, k.other_digests as others,
    k.address_digest as address, k.card_digest as card
  from (select id, placed_at, transaction_id from orders
    where (placed_at, id) > ($1::timestamptz, $2) and placed_at < $3::timestamptz
    order by placed_at, id limit $4) o
  join events e on e.stream = 'order-' || o.id and e.position <= 2 and e.type = 'PurchaseReceived'
  left join personal_data_keys k on k.order_id = o.id
  order by o.placed_at, o.id`;
