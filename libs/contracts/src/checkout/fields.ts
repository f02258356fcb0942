import { isStorableText } from '../text.js';
import type { Fault } from './error-body.js';
import type { ErrorCode } from './errors.js';

/** Longest text of a field that says nothing else, in UTF-16 code units. */
export const MAX_TEXT = 255;

/**
 * Reads the fields of one JSON object and notes what is wrong with them, so that all faults of a request come back together.
 * A field at fault reads as empty: whatever is built of it is thrown away, because there is a fault.
 */
export class Fields {
  private constructor(
    private readonly source: Readonly<Record<string, unknown>>,
    private readonly path: string,
    private readonly faults: Fault[],
  ) {}

  /** Of the whole body; null (and a fault) when that is no object. */
  static of(body: unknown, faults: Fault[]): Fields | null {
    if (isObject(body)) return new Fields(body, '', faults);
    faults.push({ code: 40001, field: 'body' });
    return null;
  }

  raw(key: string): unknown {
    return this.source[key];
  }

  fault(key: string, code: ErrorCode = 40001): void {
    const field = this.path + key;
    if (!this.faults.some((fault) => fault.code === code && fault.field === field)) this.faults.push({ code, field });
  }

  object(key: string): Fields | null {
    const value = this.source[key];
    if (isObject(value)) return new Fields(value, `${this.path}${key}.`, this.faults);
    this.fault(key);
    return null;
  }

  /** Text that must be there and not be blank. */
  text(key: string, code: ErrorCode = 40001, max = MAX_TEXT): string {
    const value = this.source[key];
    if (typeof value === 'string' && value.trim() !== '' && this.fits(value, max)) return value;
    this.fault(key, code);
    return '';
  }

  /** Text that may be empty, null or absent; undefined in the last two cases. */
  optionalText(key: string, code: ErrorCode = 40001, max = MAX_TEXT): string | undefined {
    const value = this.source[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && this.fits(value, max)) return value;
    this.fault(key, code);
    return undefined;
  }

  optionalNumber(key: string): number | undefined {
    const value = this.source[key];
    if (value === undefined || value === null) return undefined;
    // 1e999 is JSON and parses to Infinity, which JSON cannot write.
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    this.fault(key);
    return undefined;
  }

  optionalObject(key: string): Fields | null {
    const value = this.source[key];
    return value === undefined || value === null ? null : this.object(key);
  }

  private fits(value: string, max: number): boolean {
    return value.length <= max && isStorableText(value);
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
