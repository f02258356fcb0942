import { createHash } from 'node:crypto';
import { StripeDoubleError } from './stripe-error.js';

export type Answer = Readonly<{ status: number; body: object }>;

/** What Stripe keeps under idempotency keys: the first answer of each, failures too, and what it was asked. */
export class KeyStore {
  readonly #kept = new Map<string, Readonly<{ asked: string; answer: Answer }>>();

  /** @throws StripeDoubleError if the key was used for something else */
  find(key: string, asked: string): Answer | undefined {
    const kept = this.#kept.get(key);
    if (kept && kept.asked !== digest(asked)) {
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      throw new StripeDoubleError(400, { type: 'idempotency_error', message }, false);
    }
    return kept?.answer;
  }

  /** What is kept already stays. */
  keep(key: string, asked: string, answer: Answer): void {
    if (!this.#kept.has(key)) this.#kept.set(key, { asked: digest(asked), answer });
  }

  /** As after a day. */
  forget(): void {
    this.#kept.clear();
  }
}

/** What is asked may be a card. */
const digest = (asked: string): string => createHash('sha256').update(asked).digest('hex');
