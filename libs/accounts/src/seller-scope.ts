import { Injectable, SetMetadata } from '@nestjs/common';
import { Pool } from 'pg';
import { seller } from './seen-orders.js';

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

  /** Undefined if there is no such record. Null if it has no seller. */
  async sellerOf(kind: 'order' | 'listing', id: string): Promise<string | null | undefined> {
    const { rows } = await this.pool.query<{ seller: string | null }>(SELLERS[kind], [id]);
    return rows[0]?.seller;
  }
}

const SELLERS = {
  order: `select ${seller('o')} as seller from orders o where o.id = $1`,
  listing: `select terms ->> 'seller' as seller from listings where id = $1`,
} as const;
