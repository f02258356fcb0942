import type { ListingDocument } from '#listings/listing.contract';
import type { listingsWords } from './listing-words.js';

/** An amount for a country (`US`) or a country and state (`US-NY`), as it is typed. */
export type PlaceRow = Readonly<{ place: string; amount: string }>;

/** `form` is empty for the first form of the type. */
export type DeliveryMethodRow = Readonly<{
  type: string;
  name: string;
  form: string;
  cost: string;
  places: readonly PlaceRow[];
}>;

/** What a seller can send, by type; none has other choices. The first one is what a listing means that names none. */
export const FORMS_OF: Readonly<Record<string, readonly (keyof typeof listingsWords.form.deliveries.forms)[]>> = {
  download: ['files', 'links', 'barcodes'],
  ship: ['own', 'label'],
};

export const NEW_DELIVERY: DeliveryMethodRow = { type: 'download', name: 'E-tickets', form: '', cost: '0', places: [] };

const PERCENT = 100;

/** The form shows rates in percent. A rate such as 0.08875 is not exact in binary: 8.875 and no more digits than it has. */
export const percentText = (rate: number): string => String(Number((rate * PERCENT).toFixed(8)));

/** A text that is no number stays one, so that the server names its field. */
export function rateOf(text: string): unknown {
  const percent = numberOf(text.replace(/\s*%$/, ''));
  return typeof percent === 'number' ? Number((percent / PERCENT).toFixed(10)) : percent;
}

/** The same. */
export function numberOf(text: string): unknown {
  const value = Number(text.trim().replace(/^\$/, ''));
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

export function ratesToRows(rates: Readonly<Record<string, number>>): PlaceRow[] {
  return Object.entries(rates).map(([place, rate]) => ({ place, amount: percentText(rate) }));
}

export const rowsToRates = (rows: readonly PlaceRow[]): object => byPlace(rows, rateOf);

export function deliveriesToRows(methods: ListingDocument['delivery_methods']): DeliveryMethodRow[] {
  return methods.map(({ type, name, form = '', cost, costs }) => ({
    type,
    name,
    form,
    cost: String(cost),
    places: Object.entries(costs ?? {}).map(([place, amount]) => ({ place, amount: String(amount) })),
  }));
}

export function rowsToDeliveries(rows: readonly DeliveryMethodRow[]): object[] {
  return rows.map(({ type, name, form, cost, places }) => ({
    type,
    name: name.trim(),
    ...(form !== '' && { form }),
    cost: numberOf(cost),
    ...(places.some(isFilled) && { costs: byPlace(places, numberOf) }),
  }));
}

/** Empty rows count as absent. */
function byPlace(rows: readonly PlaceRow[], valueOf: (text: string) => unknown): object {
  return Object.fromEntries(
    rows.filter(isFilled).map(({ place, amount }) => [place.trim().toUpperCase(), valueOf(amount)]),
  );
}

const isFilled = ({ place, amount }: PlaceRow) => place.trim() !== '' || amount.trim() !== '';
