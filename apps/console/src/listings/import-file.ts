import type { ImportField, ListingImportReport } from '#listings/listing-import.contract';
import { ask } from '../api/http.js';
import type { ChosenFile } from '../frame/faulty-lines.js';

/** What a person says about a file: which field a column is (empty: none), and what the lines lack. */
export type ImportAnswers = Readonly<{
  map: Readonly<Record<string, ImportField | ''>>;
  defaults: Readonly<Partial<Record<DefaultField, string>>>;
}>;

export type DefaultField = 'fees' | 'wholesale_price' | 'split_rule' | 'delivery_methods';

export const NO_ANSWERS: ImportAnswers = { map: {}, defaults: {} };

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\.(jsonl|ndjson|json)$/i, 'application/x-ndjson'],
  [/\.(txt|tsv|tab)$/i, 'text/tab-separated-values'],
];

export async function chosenFile(file: File): Promise<ChosenFile> {
  const type = TYPES.find(([name]) => name.test(file.name))?.[1] ?? 'text/csv';
  const bytes = await file.arrayBuffer();
  const text = new TextDecoder(encodingOf(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength)))).decode(bytes);
  return { name: file.name, content: new Blob([bytes], { type }), lines: text.split(/\r\n|\n|\r/) };
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Sends the file. @throws ApiError */
export function sendFile(file: ChosenFile, answers: ImportAnswers, dryRun: boolean): Promise<ListingImportReport> {
  const map = Object.entries(answers.map).map(([column, field]) => `${column}=${field}`);
  const defaults = Object.entries(answers.defaults)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => `${field}=${field === 'delivery_methods' ? deliveryOf(value) : value}`);
  return ask('POST listings/import', { query: { dry_run: `${dryRun}`, map, defaults }, file: file.content });
}

const deliveryOf = (type: string) => JSON.stringify([{ type, name: DELIVERY_NAMES[type] ?? type, cost: 0 }]);

const DELIVERY_NAMES: Readonly<Record<string, string>> = {
  download: 'E-tickets',
  transfer: 'Mobile transfer',
  ship: 'Shipping',
  will_call: 'Will call',
};
