import { Injectable, SetMetadata } from '@nestjs/common';
import { Pool } from 'pg';
import type { AskedOrder } from '#domain/order-access';

export const SELLER_SCOPE = 'seller scope of the route';

/** `order` and `listing`: the record of the first path parameter. `shared`: the same data for all sellers. */
export type SellerScopeKind = 'order' | 'listing' | 'shared';

/**
 * How the routes of a controller treat callers who are limited to sellers. With `order` and `listing` a record of another seller is
 * answered like one that does not exist; lists have to filter by `caller.sellers`. Without this decorator the routes refuse such
 * callers, so that a new route leaks nothing.
 *
 * @example
 * @SellerScope('order')
 */
export const SellerScope = (kind: SellerScopeKind) => SetMetadata(SELLER_SCOPE, kind);

/** Finds out who sells something. */
@Injectable()
export class SellerLookup {
  constructor(private readonly pool: Pool) {}

  /** What decides who sees the order. Undefined if there is none. */
  async ofOrder(id: string): Promise<AskedOrder | undefined> {
    const { rows } = await this.pool.query<AskedOrder>('select seller, stage, queue from orders where id = $1', [id]);
    return rows[0];
  }

  /** Undefined if there is no such listing. */
  async ofListing(id: string): Promise<Readonly<{ seller: string | null }> | undefined> {
    const { rows } = await this.pool.query<{ seller: string | null }>(
      `select terms ->> 'seller' as seller from listings where id = $1`,
      [id],
    );
    return rows[0];
  }
}
