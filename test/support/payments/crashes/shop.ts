import type { SeededRandomness } from '#base/seeded-randomness';
import { PurchaseError } from '#orders/commands/purchase-error';
import { cardBody } from '../../purchase-bodies.js';

/** Where buyers pay and staff work. */
export interface Till {
  /** @returns the id of the order. @throws PurchaseError if it is refused; anything else leaves open what happened */
  buy(body: object): Promise<string>;
  reject(orderId: string): Promise<unknown>;
  refund(orderId: string, refundId: string, amountCents: number): Promise<unknown>;
}

/** What became of a purchase, as its platform saw it. `cut`: it got no answer, or 500. */
export type Attempt = { readonly refId: string; outcome: 'cut' | 'refused' | Readonly<{ orderId: string }> };

const BUYERS = 3;
const DECLINED = 0.1;
// Its refund fails later, where the double knows the card.
const FAILS_LATER = 0.1;

/** Buyers, and staff who reject and refund orders: what goes on until the next crash, by its seed. */
export class Shop {
  readonly attempts: Attempt[] = [];
  #refunds = 0;

  constructor(private readonly bodies: (random: SeededRandomness) => object = purchaseOf) {}

  /** Begins everything at once. Nobody needs to wait for the end, which a crash may prevent. */
  async open(till: Till, random: SeededRandomness): Promise<void> {
    const before = this.attempts.length;
    const doings = [
      ...Array.from({ length: BUYERS }, (_, index) => this.#buy(till, `buyer-${before + index}`, this.bodies(random))),
      ...this.#orders(random, 2).map((id) => till.reject(id)),
      ...this.#orders(random, 2).map((id) => this.#refund(till, id, 1 + random.integer(26_000))),
    ];
    // Most refunds are refused by a rule: the order is rejected already, or so much is not left of it.
    await Promise.allSettled(doings);
  }

  /** Some of the last orders. */
  #orders(random: SeededRandomness, most: number): string[] {
    const last = this.attempts
      .slice(-8 * BUYERS)
      .flatMap(({ outcome }) => (typeof outcome === 'object' ? outcome.orderId : []));
    return last.length === 0 ? [] : Array.from({ length: random.integer(most + 1) }, () => random.pick(last));
  }

  async #buy(till: Till, refId: string, body: object): Promise<void> {
    const attempt: Attempt = { refId, outcome: 'cut' };
    this.attempts.push(attempt);
    try {
      attempt.outcome = { orderId: await till.buy({ ...body, ref_id: refId }) };
    } catch (error) {
      if (error instanceof PurchaseError) attempt.outcome = 'refused';
    }
  }

  #refund(till: Till, orderId: string, amountCents: number): Promise<unknown> {
    this.#refunds += 1;
    return till.refund(orderId, `rf_${this.#refunds}`, amountCents);
  }
}

export type CardBody = ReturnType<typeof cardBody>;

/** Some are declined, and the refunds of some fail later. */
export function purchaseOf(random: SeededRandomness): CardBody {
  const body = cardBody();
  const chance = random.fraction();
  // The one number is declined by Stripe, the other CVV by Braintree.
  if (chance < DECLINED) Object.assign(body.payment.data, { card_number: '4000000000000002', cvv: '200' });
  else if (chance < DECLINED + FAILS_LATER) body.payment.data.card_number = '4000000000005126';
  return body;
}
