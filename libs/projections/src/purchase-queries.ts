import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** A purchase as it is kept: the wire-ready JSON text, and the sealed data of its buyer with the key, where they are part of it. */
export type KeptPurchase = Readonly<{ purchase: string; personal: Buffer | null; key: Buffer | null }>;

/** What the platform may read. */
@Injectable()
export class PurchaseQueries {
  constructor(private readonly pool: Pool) {}

  /** A client's own purchase; another client's is as unknown as one that is not placed. */
  async find(clientId: string, orderId: string): Promise<KeptPurchase | undefined> {
    const { rows } = await this.pool.query<KeptPurchase>({
      name: 'find-purchase',
      // As text: what stands in the table goes over the wire without being parsed. A wholesale purchase has no delivery
      // data, so its buyer need not be unsealed.
      text: `select o.purchase::text as purchase, case when o.variant = 'payment' then o.personal end as personal, k.key
        from orders o left join personal_data_keys k on k.order_id = o.id and o.variant = 'payment'
        where o.id = $1 and o.client_id = $2 and o.stage = 'placed'`,
      values: [orderId, clientId],
    });
    return rows[0];
  }
}
