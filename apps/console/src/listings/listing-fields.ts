import type { ListingDocument } from '#contracts/backoffice/listing';

const LISTING_FIELDS = [
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
  'confirmation',
  'confirm_within_minutes',
  'seller',
  'notes',
  'delivery_methods',
] as const;
export type ListingField = (typeof LISTING_FIELDS)[number];

/** The texts in the form. */
export type ListingTexts = Readonly<Record<ListingField, string>>;

const NUMBERS: readonly ListingField[] = ['quantity', 'price', 'fees', 'wholesale_price', 'confirm_within_minutes'];

const NEW: Partial<ListingTexts> = {
  split_rule: 'any',
  confirmation: 'automatic',
  delivery_methods: 'download, E-tickets, 0',
};

export function textsOf(listing: ListingDocument | null): ListingTexts {
  const text = (field: ListingField): string => {
    const value = listing?.[field];
    if (value === undefined) return (listing === null && NEW[field]) || '';
    if (field === 'delivery_methods' && listing) {
      return listing.delivery_methods.map(({ type, name, cost }) => `${type}, ${name}, ${cost}`).join('\n');
    }
    return Array.isArray(value) ? value.map(String).join(', ') : String(value as string | number);
  };
  return Object.fromEntries(LISTING_FIELDS.map((field) => [field, text(field)])) as ListingTexts;
}

/** The changed fields, as the API takes them. An invalid number stays a text, so that the server names its field. */
export function changeOf(before: ListingTexts, after: ListingTexts, listing: ListingDocument | null): object {
  const changed = LISTING_FIELDS.filter((field) => field !== 'listing_id' && before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, valueOf(field, after[field].trim(), listing)]));
}

export function bodyOf(texts: ListingTexts): object {
  const filled = LISTING_FIELDS.filter(
    (field) => field !== 'listing_id' && (texts[field].trim() !== '' || field === 'section' || field === 'row'),
  );
  return Object.fromEntries(filled.map((field) => [field, valueOf(field, texts[field].trim(), null)]));
}

function valueOf(field: ListingField, text: string, listing: ListingDocument | null): unknown {
  if (NUMBERS.includes(field)) return text === '' ? null : numberOf(text);
  if (field === 'seats') return text === '' ? null : listOf(text);
  if (field === 'split_rule') return /^\d/.test(text) ? listOf(text).map(numberOf) : text;
  if (field === 'seller') return text === '' ? null : text;
  if (field === 'delivery_methods') return deliveriesOf(text, listing);
  return text;
}

/** A line is type, name and cost. Costs by place have no place in a line: they stay as they are. */
function deliveriesOf(text: string, listing: ListingDocument | null): object[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [type = '', ...rest] = line.split(',').map((part) => part.trim());
    const cost = numberOf(rest.pop() ?? '');
    const costs = listing?.delivery_methods.find((method) => method.type === type)?.costs;
    return { type, name: rest.join(', '), cost, ...(costs && { costs }) };
  });
}

const listOf = (text: string): string[] => text.split(',').map((part) => part.trim());

function numberOf(text: string): unknown {
  const value = Number(text.replace(/^\$/, ''));
  return text === '' || Number.isNaN(value) ? text : value;
}

/** What the server says about single fields, out of `… price: must be …; row: …`. */
export function fieldErrors(message: string): Partial<Record<ListingField, string>> {
  const errors: Partial<Record<ListingField, string>> = {};
  for (const part of message.split('; ')) {
    const field = LISTING_FIELDS.find((name) => new RegExp(`(^|[ :])${name}[.:]`).test(part));
    if (field) errors[field] ??= sentence(part.slice(part.lastIndexOf(': ') + 2));
  }
  return errors;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
