import type { ListingDocument } from '#listings/listing.contract';
import type { Request } from '../api/http.js';
import { recordOf } from '../api/keys-of.js';
import {
  deliveriesToRows,
  type DeliveryMethodRow,
  NEW_DELIVERY,
  numberOf,
  percentText,
  type PlaceRow,
  rateOf,
  ratesToRows,
  rowsToDeliveries,
  rowsToRates,
} from './listing-rows.js';

const TEXT_FIELDS = [
  'listing_id',
  'event_id',
  'section',
  'row',
  'seats',
  'quantity',
  'split_rule',
  'price',
  'fees',
  'wholesale_price',
  'tax_rate',
  'confirmation',
  'confirm_within_minutes',
  'seller',
  'external_id',
  'speculative',
  'notes',
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

// `tax_rates` comes first: its name begins with that of `tax_rate`.
const LISTING_FIELDS = ['tax_rates', 'delivery_methods', ...TEXT_FIELDS] as const;
export type ListingField = (typeof LISTING_FIELDS)[number];

/** What stands in the form. */
export type ListingDraft = Readonly<{
  texts: Readonly<Record<TextField, string>>;
  rates: readonly PlaceRow[];
  deliveries: readonly DeliveryMethodRow[];
}>;

const NUMBERS: readonly TextField[] = ['quantity', 'price', 'fees', 'wholesale_price', 'confirm_within_minutes'];

const NEW: Partial<ListingDraft['texts']> = { split_rule: 'any', confirmation: 'automatic', speculative: 'false' };

export function draftOf(listing: ListingDocument | null): ListingDraft {
  const text = (field: TextField): string => {
    const value = listing?.[field];
    if (value === undefined) return (listing === null && NEW[field]) || '';
    if (field === 'tax_rate') return value === 0 ? '' : percentText(Number(value));
    return Array.isArray(value) ? value.map(String).join(', ') : String(value);
  };
  return {
    texts: recordOf(TEXT_FIELDS, text),
    rates: listing ? ratesToRows(listing.tax_rates) : [],
    deliveries: listing ? deliveriesToRows(listing.delivery_methods) : [NEW_DELIVERY],
  };
}

/** The fields that differ, as the API takes them. */
export function changeOf(before: ListingDraft, after: ListingDraft): Readonly<Record<string, unknown>> {
  const [old, now] = [wholeOf(before), wholeOf(after)];
  const changed = Object.entries(now).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field]));
  return Object.fromEntries(changed);
}

/** Without what was left empty. The server says what is wrong in the rest. */
export function bodyOf(draft: ListingDraft): Request<'PUT listings/{listing_id}'>['body'] {
  const filled = Object.entries(wholeOf(draft)).filter(([, value]) => value !== null);
  // What is no number stays the text that was typed, against the type, so that the server names its field.
  return Object.fromEntries(filled) as Request<'PUT listings/{listing_id}'>['body'];
}

function wholeOf({ texts, rates, deliveries }: ListingDraft): Readonly<Record<string, unknown>> {
  const fields = TEXT_FIELDS.filter((field) => field !== 'listing_id');
  return {
    ...Object.fromEntries(fields.map((field) => [field, valueOf(field, texts[field].trim())])),
    tax_rates: rowsToRates(rates),
    delivery_methods: rowsToDeliveries(deliveries),
  };
}

function valueOf(field: TextField, text: string): unknown {
  if (field === 'section' || field === 'row' || field === 'notes') return text;
  if (field === 'tax_rate') return text === '' ? 0 : rateOf(text);
  if (text === '') return null;
  if (NUMBERS.includes(field)) return numberOf(text);
  if (field === 'speculative') return text === 'true';
  if (field === 'seats') return listOf(text);
  if (field === 'split_rule') return /^\d/.test(text) ? listOf(text).map(numberOf) : text;
  return text;
}

const listOf = (text: string): string[] => text.split(',').map((part) => part.trim());

/** What the server says about single fields, out of `… price: must be …; row: …`. */
export function fieldErrors(message: string): Partial<Record<ListingField, string>> {
  const errors: Partial<Record<ListingField, string>> = {};
  for (const part of message.split('; ')) {
    const field = LISTING_FIELDS.find((name) => new RegExp(`(^|[ :])${name}[.:[]`).test(part));
    if (field) errors[field] ??= sentence(part.slice(part.lastIndexOf(': ') + 2));
  }
  return errors;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
