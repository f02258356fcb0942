import { isStorableText } from '../text.js';
import type { ValidationIssue } from './error-body.js';
import type { ErrorCode } from './errors.js';

/** The default maximum length of a text field, in UTF-16 code units. */
export const MAX_TEXT = 255;

/**
 * Reads the fields of one JSON object and collects their faults, so that the answer lists all faults together. A faulty field
 * reads as empty: the result is discarded anyway, because there is a fault.
 */
export class Fields {
  private constructor(
    private readonly source: Readonly<Record<string, unknown>>,
    private readonly path: string,
    private readonly faults: ValidationIssue[],
  ) {}

  /** Reads the whole body; null (and a fault) when it is not an object. */
  static of(body: unknown, faults: ValidationIssue[]): Fields | null {
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

  /** Reads required text that is not blank. */
  text(key: string, code: ErrorCode = 40001, max = MAX_TEXT): string {
    const value = this.source[key];
    if (typeof value === 'string' && value.trim() !== '' && this.fits(value, max)) return value;
    this.fault(key, code);
    return '';
  }

  /** Reads text that may be empty, null or absent; undefined in the last two cases. */
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
