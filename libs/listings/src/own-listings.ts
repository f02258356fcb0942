import { seesSeller } from '#domain/order-access';
import type { ListingBody } from './listing.contract.js';
import type { GivenListing, Listings } from './listings.js';

/** What a broker may write: listings of own sellers. A listing of another seller is treated as if its id were taken. */
export class OwnListings {
  constructor(
    private readonly listings: Listings,
    readonly sellers: readonly string[],
  ) {}

  /** The body with its seller. Brokers with one seller need not name it. */
  withSeller(body: ListingBody): ListingBody {
    const [only, ...others] = this.sellers;
    return body.seller === undefined && only !== undefined && others.length === 0 ? { ...body, seller: only } : body;
  }

  /** Why a listing must not be written as it is given. Undefined if it may. */
  error(body: ListingBody): string | undefined {
    const { seller } = this.withSeller(body);
    return seesSeller(this.sellers, seller) ? undefined : `seller: must be one of ${this.sellers.join(', ')}`;
  }

  /** Writes like `Listings.putAll`: what is not of own sellers is left as it is, and returned. */
  async putAll(given: readonly GivenListing[]): Promise<ReadonlySet<string>> {
    const listings = given.map(({ id, body }) => ({ id, body: this.withSeller(body) }));
    return await this.listings.putAll(listings, this.sellers);
  }
}
