import { type OrderOpener, type Sealer, UnsealError } from '#base/sealing';
import { parseJson, stringifyJson } from '#base/json';
import type { PersonalData } from '#orders/purchase-drafts';
import { masked } from '#orders/masking';

/** The buyer's data, and the same as JSON. */
export type OpenedData = Readonly<{ data: PersonalData; json: string }>;

/** Opens what an order has sealed. Data that was damaged or erased stays closed. */
export class OpenedOrder {
  /** Undefined if the order has no key. */
  readonly #opener: OrderOpener | undefined;
  /** The same data is in the order's row and in its last event. */
  #last: Readonly<{ sealed: string; opened: OpenedData | undefined }> | undefined;

  /** @param key base64; null after an erasure, or if nothing was sealed */
  constructor(sealer: Sealer, id: string, key: string | null) {
    if (key !== null) this.#opener = unlessClosed(() => sealer.orderOpener(id, Buffer.from(key, 'base64')));
  }

  /**
   * Undefined if it does not open. `isMasked`: only the beginning of each text.
   * @param sealed base64
   */
  personal(sealed: string, isMasked: boolean): OpenedData | undefined {
    if (this.#last?.sealed !== sealed) this.#last = { sealed, opened: this.#personal(sealed, isMasked) };
    return this.#last.opened;
  }

  #personal(sealed: string, isMasked: boolean): OpenedData | undefined {
    const json = unlessClosed(() => this.#opener?.personal(Buffer.from(sealed, 'base64')));
    if (json === undefined) return undefined;
    const data = parseJson(json) as PersonalData;
    if (!isMasked) return { data, json };
    const { market_specific_fields: marketFields, ...buyer } = data;
    const shown = { ...masked(buyer), ...(marketFields && { market_specific_fields: marketFields }) };
    return { data: shown, json: stringifyJson(shown) };
  }

  /** Undefined if it does not open. */
  note(noteId: string, sealed: string): string | undefined {
    return unlessClosed(() => this.#opener?.note(noteId, Buffer.from(sealed, 'base64')));
  }
}

function unlessClosed<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}

/** The SQL for a bytea as base64, in lines of 76 characters: a third shorter than hex. */
export function base64(column: string): string {
  return `encode(${column}, 'base64')`;
}
