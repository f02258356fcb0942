import { inspect } from 'node:util';
import type { HmacKey } from '#base/hmac';
import { signingKey } from '#base/signature';

export type Variant = 'payment' | 'wholesale';

/** A client may have two valid secrets during rotation: the current one and its replacement. */
export const MAX_LIVE_SECRETS = 2;

/** `inspect`, JSON and copies do not reveal its secrets. */
export class PlatformClient {
  readonly #secrets: readonly Buffer[];
  #signingKeys?: readonly HmacKey[];

  constructor(
    readonly clientId: string,
    readonly variant: Variant,
    secrets: readonly Buffer[],
    /** Its purchases are refused without a `ref_id`. */
    readonly requireRefId = false,
  ) {
    this.#secrets = secrets;
  }

  get secrets(): readonly Buffer[] {
    return this.#secrets;
  }

  /** Of its secrets, in their order. */
  get signingKeys(): readonly HmacKey[] {
    return (this.#signingKeys ??= this.#secrets.map(signingKey));
  }

  toJSON(): { clientId: string; variant: Variant } {
    return { clientId: this.clientId, variant: this.variant };
  }

  // `inspect` has an option that calls getters.
  [inspect.custom](): string {
    return `PlatformClient ${this.clientId}`;
  }
}
