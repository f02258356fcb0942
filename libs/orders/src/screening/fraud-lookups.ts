import { Injectable } from '@nestjs/common';
import { distance } from 'geokdbush';
import type { FraudField } from '../order-condition.contract.js';
import { Sealer } from '#base/sealing';
import { LocalGeocoder } from '#discovery/local-geocoder';
import { askedDigests } from '../buyer-digests.js';
import type { BuyerClues } from './buyer-clues.js';
import { disposableDomains, isDisposable } from './disposable-emails.js';
import { type CountedDigests, type PurchaseCounts, PurchaseCountQueries } from './purchase-counts.js';
import { type FraudFacts, NO_FRAUD_FACTS } from './purchase-facts.js';

/** The rest of what fraud rules ask for: places, throw-away addresses, and earlier purchases. */
@Injectable()
export class FraudLookups {
  constructor(
    private readonly counts: PurchaseCountQueries,
    private readonly places: LocalGeocoder,
    private readonly sealer: Sealer,
  ) {}

  /** What a purchase is counted by. `card`: the card number, or the token of a card-vaulting provider. */
  digestsOf({ emails, address }: BuyerClues, card?: string): CountedDigests {
    const [email] = emails;
    return {
      email: email === undefined ? [] : askedDigests(this.sealer, 'email', email),
      address: address === undefined ? [] : this.sealer.digests('buyer-address', address),
      card: card === undefined ? [] : this.sealer.digests('card-number', card),
    };
  }

  /** Looks up only what the rules need. */
  async find(
    clues: BuyerClues,
    digests: CountedDigests,
    needs: readonly FraudField[],
    at: string,
  ): Promise<FraudFacts> {
    const counts = needs.some((field) => COUNTED.includes(field)) ? await this.counts.before(at, digests) : undefined;
    return { ...NO_FRAUD_FACTS, ...(counts && countFacts(counts, digests)), ...(await this.ofClues(clues, needs)) };
  }

  /** What follows from the purchase alone. */
  async ofClues(clues: BuyerClues, needs: readonly FraudField[]): Promise<Partial<FraudFacts>> {
    const asks = (field: FraudField) => needs.includes(field);
    return {
      ...(asks('distance_km') && { distance_km: await this.distance(clues) }),
      ...(asks('disposable_email') && { disposable_email: await this.hasDisposable(clues) }),
    };
  }

  /** Loads what the rules need, so that the first purchase does not wait for it. */
  async warmUp(needs: readonly FraudField[]): Promise<void> {
    const anybody = { emails: ['a@example.com'], address: undefined, postalCodes: ['10001'], ipAddress: undefined };
    await this.ofClues({ ...anybody, point: undefined }, needs);
  }

  private async hasDisposable({ emails }: BuyerClues): Promise<boolean> {
    const listed = await disposableDomains();
    return emails.some((email) => isDisposable(email, listed));
  }

  /** The longest way between two of the places, in whole kilometres. */
  private async distance({ postalCodes, ipAddress, point }: BuyerClues): Promise<number | null> {
    const found = await Promise.all([
      ...postalCodes.map((code) => this.places.byPostalCode(code)),
      // Where the buyer says to be is better known than where the address of the computer is registered.
      point ?? (ipAddress === undefined ? undefined : this.places.byIp(ipAddress)),
    ]);
    const places = found.filter((place) => place !== undefined);
    const ways = places.flatMap((a, index) => places.slice(index + 1).map((b) => distance(a.lon, a.lat, b.lon, b.lat)));
    return ways.length === 0 ? null : Math.round(Math.max(...ways));
  }
}

const COUNTED: readonly FraudField[] = ['email_orders_24h', 'address_orders_24h', 'card_orders_24h', 'first_order'];

/** This purchase counts, too. Null for what it lacks. */
function countFacts(
  counts: PurchaseCounts,
  digests: CountedDigests,
): Omit<FraudFacts, 'distance_km' | 'disposable_email'> {
  const withThis = (name: keyof CountedDigests) => (digests[name].length === 0 ? null : counts[name] + 1);
  return {
    email_orders_24h: withThis('email'),
    address_orders_24h: withThis('address'),
    card_orders_24h: withThis('card'),
    first_order: !counts.isKnownEmail,
  };
}
