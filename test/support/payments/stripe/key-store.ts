import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock';
import { StripeDoubleError } from './stripe-error.js';

export type Answer = Readonly<{ status: number; body: object }>;

/** `request`: its id. */
type Kept = Readonly<{ asked: string; answer: Answer; request: string; at: number }>;

// A request that is on its way when keys are forgotten is not a day old.
const ON_ITS_WAY_MS = 5_000;

/** What Stripe keeps under idempotency keys: the first answer of each, failures too, and what it was asked. */
export class KeyStore {
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly clock: Clock) {}

  /** @throws StripeDoubleError if the key was used for something else */
  find(key: string, asked: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept && kept.asked !== digest(asked)) {
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      throw new StripeDoubleError(400, { type: 'idempotency_error', message }, false);
    }
    return kept;
  }

  /** What is kept already stays. */
  keep(key: string, kept: Omit<Kept, 'at'>): void {
    if (!this.#kept.has(key)) this.#kept.set(key, { ...kept, asked: digest(kept.asked), at: this.clock.now() });
  }

  /** As after a day. */
  forget(): void {
    const before = this.clock.now() - ON_ITS_WAY_MS;
    for (const [key, { at }] of this.#kept) if (at <= before) this.#kept.delete(key);
  }
}

/** What is asked may be a card. */
const digest = (asked: string): string => createHash('sha256').update(asked).digest('hex');
