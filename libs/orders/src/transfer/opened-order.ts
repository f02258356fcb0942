import { type Sealer, UnsealError } from '#crypto/sealing';
import type { PersonalData } from '../commands/purchase-drafts.js';
import { masked } from '../desk/masking.js';

/** Opens what an order has sealed. Data that was damaged or erased stays closed. */
export class OpenedOrder {
  readonly #key: Buffer | null;
  /** The same data is in the order's row and in its last event. */
  #last: Readonly<{ sealed: Buffer; data: PersonalData | undefined }> | undefined;

  /** @param key base64; null after an erasure, or if nothing was sealed */
  constructor(
    private readonly sealer: Sealer,
    private readonly id: string,
    key: string | null,
  ) {
    this.#key = key === null ? null : Buffer.from(key, 'base64');
  }

  /** Undefined if it does not open. `isMasked`: only the beginning of each text. */
  personal(sealed: Buffer, isMasked: boolean): PersonalData | undefined {
    if (!this.#last?.sealed.equals(sealed)) this.#last = { sealed, data: this.#personal(sealed, isMasked) };
    return this.#last.data;
  }

  #personal(sealed: Buffer, isMasked: boolean): PersonalData | undefined {
    const data = this.#opened((key) => this.sealer.openPersonal(this.id, key, sealed) as PersonalData);
    if (!data || !isMasked) return data;
    const { market_specific_fields: marketFields, ...buyer } = data;
    return { ...masked(buyer), ...(marketFields && { market_specific_fields: marketFields }) };
  }

  /** Undefined if it does not open. */
  note(noteId: string, sealed: Buffer): string | undefined {
    return this.#opened((key) => this.sealer.openNote(this.id, noteId, key, sealed));
  }

  #opened<T>(open: (key: Buffer) => T): T | undefined {
    if (!this.#key) return undefined;
    try {
      return open(this.#key);
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }
}

/** The SQL for a bytea as base64, in lines of 76 characters: a third shorter than hex. */
export function base64(column: string): string {
  return `encode(${column}, 'base64')`;
}
