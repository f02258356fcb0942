import type { Pool } from 'pg';
import type { ListingBody } from '#contracts/backoffice/listing';
import type { GivenListing, Listings } from './listings.js';

/** What a broker may write: listings of own sellers. A listing of another seller is treated as if its id were taken. */
export class OwnListings {
  constructor(
    private readonly pool: Pool,
    private readonly listings: Listings,
    private readonly sellers: readonly string[],
  ) {}

  /** The body with its seller. Brokers with one seller need not name it. */
  withSeller(body: ListingBody): ListingBody {
    const [only, ...others] = this.sellers;
    return body.seller === undefined && only !== undefined && others.length === 0 ? { ...body, seller: only } : body;
  }

  /** Why some of the listings must not be written, by listing id. */
  async errors(given: readonly GivenListing[]): Promise<Map<string, string>> {
    const errors = new Map<string, string>();
    for (const { id, body } of given) {
      const { seller } = this.withSeller(body);
      if (seller === undefined || !this.sellers.includes(seller)) {
        errors.set(id, `seller: must be one of ${this.sellers.join(', ')}`);
      }
    }
    const ids = given.map(({ id }) => id);
    const { rows } = await this.pool.query<{ id: string }>(TAKEN, [ids, this.sellers]);
    for (const { id } of rows) errors.set(id, 'listing_id: is already taken');
    return errors;
  }

  async putAll(given: readonly GivenListing[]): Promise<void> {
    await this.listings.putAll(given.map(({ id, body }) => ({ id, body: this.withSeller(body) })));
  }
}

const TAKEN = `
  select id from listings where id = any($1) and (terms ->> 'seller' is null or terms ->> 'seller' <> all($2))`;
