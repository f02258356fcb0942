import { inspect } from 'node:util';

/** Which of the two kinds of purchase the client submits. */
export type Variant = 'payment' | 'wholesale';

/** So many secrets of a client are valid side by side: the one in use, and the one that takes its place. */
export const LIVE_AT_ONCE = 2;

/** A platform that may call us. Its secrets are in memory only: neither `inspect`, JSON nor a copy shows them. */
export class PlatformClient {
  readonly #secrets: readonly Buffer[];

  constructor(
    readonly clientId: string,
    readonly variant: Variant,
    secrets: readonly Buffer[],
  ) {
    this.#secrets = secrets;
  }

  /** Those that are valid now, newest first, as the bytes that key the signature. */
  get secrets(): readonly Buffer[] {
    return this.#secrets;
  }

  toJSON(): { clientId: string; variant: Variant } {
    return { clientId: this.clientId, variant: this.variant };
  }

  // By itself `inspect` can be told to call getters.
  [inspect.custom](): string {
    return `PlatformClient ${this.clientId}`;
  }
}
