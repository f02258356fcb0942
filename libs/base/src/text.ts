import { z } from 'zod';

// PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Returns whether the text survives JSON, UTF-8 and PostgreSQL: well-formed Unicode without NUL. */
export function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text);
}

// Classes of characters are checked beside the schema: each engine of regular expressions names them in its own way.
const INVISIBLE = /\p{C}/u;
const CONTROL = /\p{Cc}/u;
const isVisible = (text: string) => !INVISIBLE.test(text);
const mustBeVisible = (max: number) => `must be 1 to ${max} visible characters`;

/** Storable text of at most `max` UTF-16 code units. */
export function text(max: number) {
  return z.string().max(max).refine(isStorableText, 'must be well-formed Unicode without NUL');
}

/** Text of 1 to `max` visible characters. Blanks are visible. */
export function visibleText(max: number) {
  return text(max).min(1, mustBeVisible(max)).refine(isVisible, mustBeVisible(max));
}

/** A name of 1 to `max` visible characters, without the blanks around it. Blanks alone would name nothing. */
export function visibleName(max: number) {
  return text(max).trim().min(1, mustBeVisible(max)).refine(isVisible, mustBeVisible(max));
}

export function hasNoControl(text: string): boolean {
  return !CONTROL.test(text);
}

/** Text of 1 to `max` characters without control characters, without the blanks around it. */
export function printedText(max: number) {
  return text(max).trim().min(1, mustBeVisible(max)).refine(hasNoControl, mustBeVisible(max));
}

/**
 * Returns whether a value from `parseJson` can be stored: at most `depth` nested objects and arrays, with storable strings and
 * keys. Check this before JSON.stringify, which overflows the stack on deep values that JSON.parse accepts.
 */
export function isStorableJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value);
  // 1e999 is JSON and parses to Infinity, which JSON cannot write. A bigint is never beyond that.
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  // A list of entries would take twice as long, and this looks at every value of a body.
  for (const key of Object.keys(value)) {
    const item: unknown = (value as Readonly<Record<string, unknown>>)[key];
    if (!isStorableText(key) || !isStorableJson(item, depth - 1)) return false;
  }
  return true;
}

/** Returns whether a value from `parseJson` is an object, and no array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
