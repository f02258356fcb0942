import type { SeededRandomness } from '#base/seeded-randomness';
import { PurchaseError } from '#orders/commands/purchase-error';
import { cardBody } from '../../purchase-bodies.js';
import type { Life } from './life.js';
import type { PayingProgram } from './paying-program.js';

/** What became of a purchase, as its platform saw it. `cut`: it got no answer, or 500. */
export type Attempt = { readonly refId: string; outcome: 'cut' | 'refused' | Readonly<{ orderId: string }> };

const BUYERS = 3;
const DECLINED = 0.1;
// Its refund fails later, where the double knows the card.
const FAILS_LATER = 0.1;

/** Buyers, and staff who reject and refund orders: what goes on during a life, by its seed. */
export class Shop {
  readonly attempts: Attempt[] = [];
  #refunds = 0;

  /** Begins everything at once. Nobody waits for it, because the life may end at any time. */
  open(program: PayingProgram, life: Life, random: SeededRandomness): void {
    const before = this.attempts.length;
    const doings = [
      ...Array.from({ length: BUYERS }, (_, index) => this.#buy(program, `buyer-${before + index}`, bodyFor(random))),
      ...this.#orders(random, 2).map((id) => program.reject(id)),
      ...this.#orders(random, 2).map((id) => this.#refund(program, id, 1 + random.integer(26_000))),
      ...(random.fraction() < 0.3 ? [program.readProviderEvents()] : []),
    ];
    // Most are refused by a rule: the order is rejected already, or so much is not left of it.
    for (const doing of doings) doing.catch(() => life.breathe());
  }

  /** Some of the last orders. */
  #orders(random: SeededRandomness, most: number): string[] {
    const last = this.attempts
      .slice(-8 * BUYERS)
      .flatMap(({ outcome }) => (typeof outcome === 'object' ? outcome.orderId : []));
    return last.length === 0 ? [] : Array.from({ length: random.integer(most + 1) }, () => random.pick(last));
  }

  async #buy(program: PayingProgram, refId: string, body: object): Promise<void> {
    const attempt: Attempt = { refId, outcome: 'cut' };
    this.attempts.push(attempt);
    try {
      attempt.outcome = { orderId: await program.buy({ ...body, ref_id: refId }) };
    } catch (error) {
      if (error instanceof PurchaseError) attempt.outcome = 'refused';
    }
  }

  #refund(program: PayingProgram, orderId: string, amountCents: number): Promise<void> {
    this.#refunds += 1;
    return program.refund(orderId, `rf_${this.#refunds}`, amountCents);
  }
}

function bodyFor(random: SeededRandomness): object {
  const body = cardBody();
  const chance = random.fraction();
  // The one number is declined by Stripe, the other CVV by Braintree.
  if (chance < DECLINED) Object.assign(body.payment.data, { card_number: '4000000000000002', cvv: '200' });
  else if (chance < DECLINED + FAILS_LATER) body.payment.data.card_number = '4000000000005126';
  return body;
}
