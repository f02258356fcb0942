import { isDeepStrictEqual } from 'node:util';
import { refusal } from './records.js';

type Kept = Readonly<{ input: object; result: object | undefined }>;

/** At-most-once processing: a repeated key gets what it made, in its state of now. */
export class ApiKeys {
  readonly #kept = new Map<string, Kept>();

  /** `make` is called for a new key. What it throws is not kept. */
  once<T extends object>(input: Readonly<{ apiRequestKey?: string | null }>, make: () => T): T {
    const { apiRequestKey: key, ...rest } = input;
    if (key === undefined || key === null) return make();
    const kept = this.#kept.get(key);
    if (!kept) {
      const result = make();
      this.#kept.set(key, { input: rest, result });
      return result;
    }
    if (kept.result === undefined) throw refusal('INTERNAL');
    if (!isDeepStrictEqual({ ...kept.input }, rest)) throw refusal('VALIDATION', undefined, 'apiRequestKey');
    return kept.result as T;
  }

  /** From now on this key gets an error. */
  spoil(key: string): void {
    this.#kept.set(key, { input: {}, result: undefined });
  }

  clear(): void {
    this.#kept.clear();
  }
}
