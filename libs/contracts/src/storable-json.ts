import { isStorableText } from './text.js';

/**
 * Returns whether a value from JSON.parse can be stored: at most `depth` nested objects and arrays, with storable strings and
 * keys. Check this before JSON.stringify, which overflows the stack on deep values that JSON.parse accepts.
 */
export function isStorableJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value);
  // 1e999 is JSON and parses to Infinity, which JSON cannot write.
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

/** Returns whether a value from JSON.parse is an object, and no array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
