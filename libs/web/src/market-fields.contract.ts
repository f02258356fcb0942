import { z } from 'zod';
import { stringifyJson } from '#base/json';
import { isJsonObject, isStorableJson } from '#base/text';

/** Data that a market defines and Willcall passes on unchanged (`market_specific_fields`). */
export type MarketFields = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 8;
// As large as a body may be: the market decides what it writes there.
const MAX_CHARACTERS = 65_536;
const DESCRIPTION = `Passed on as it is: at most ${MAX_DEPTH} levels deep and ${MAX_CHARACTERS} characters of JSON.`;

export const MarketFields = z
  .record(z.string(), z.unknown())
  .refine((fields) => isStorableJson(fields, MAX_DEPTH), {
    message: `must be at most ${MAX_DEPTH} levels deep and well-formed Unicode without NUL`,
    // Deep values must not reach JSON.stringify: it overflows the stack on values that JSON.parse accepts.
    abort: true,
  })
  .refine(isShort, `must be at most ${MAX_CHARACTERS} characters as JSON`)
  .meta({ description: DESCRIPTION });

/** The same for a purchase, which these fields pass through without a copy. */
export const SubmittedMarketFields = z
  .unknown()
  .refine(areMarketFields)
  .meta({ type: 'object', description: DESCRIPTION });

function areMarketFields(fields: unknown): fields is MarketFields {
  return isJsonObject(fields) && isStorableJson(fields, MAX_DEPTH) && isShort(fields);
}

function isShort(fields: MarketFields): boolean {
  return stringifyJson(fields).length <= MAX_CHARACTERS;
}
