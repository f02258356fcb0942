import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { SealedClaim } from '../transfer-recipient.js';
import { BatchedLookup } from '#database/batched-lookup';

/** Wire-ready JSON text and, if there is any, the buyer's encrypted data with the key. */
export type StoredPurchase = Readonly<{
  version: number;
  purchase: string;
  personal: Buffer | null;
  key: Buffer | null;
  /** Of transferred tickets. Null for most. */
  sealed_claims: readonly SealedClaim[] | null;
}>;

type PlacedPurchase = StoredPurchase & Readonly<{ id: string; client_id: string }>;

@Injectable()
export class PurchaseQueries {
  private readonly lookup = new BatchedLookup((orderIds: readonly string[]) => this.read(orderIds));

  constructor(private readonly pool: Pool) {}

  /** Another client's purchase, or one that is not placed, is unknown. */
  async find(clientId: string, orderId: string): Promise<StoredPurchase | undefined> {
    const placed = await this.lookup.find(orderId);
    return placed?.client_id === clientId ? placed : undefined;
  }

  private async read(orderIds: readonly string[]): Promise<(PlacedPurchase | undefined)[]> {
    const { rows } = await this.pool.query<PlacedPurchase>({
      name: 'find-purchases',
      // As text, the stored JSON goes over the wire without parsing. Of a wholesale purchase only the market's own fields need
      // decrypting, which few have.
      text: `select o.id, o.client_id, o.version, o.purchase::text as purchase, k.key,
          case when o.variant = 'payment' or o.sealed_market_fields then o.personal end as personal, o.sealed_claims
        from orders o left join personal_data_keys k
          on k.order_id = o.id and (o.variant = 'payment' or o.sealed_market_fields or o.sealed_claims is not null)
        where o.id = any ($1) and o.stage = 'placed'`,
      values: [orderIds],
    });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return orderIds.map((id) => byId.get(id));
  }
}
