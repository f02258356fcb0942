import { isStorableText } from './text.js';

/**
 * Whether a value that came out of JSON.parse can be kept: at most `depth` objects and arrays inside each other, every
 * string and key storable. The depth comes first for whoever serialises it: JSON.stringify overflows the stack, JSON.parse does not.
 */
export function isStorableJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value);
  // 1e999 is JSON and parses to Infinity, which JSON cannot write.
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorableJson(item, depth - 1));
}
