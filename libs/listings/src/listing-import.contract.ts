import { z } from 'zod';
import { LISTING_FIELDS } from './listing.contract.js';

/** What a column of a CSV file can be: a field of a listing, or what exports of points of sale say instead. */
export const IMPORT_FIELDS = [
  'listing_id',
  ...LISTING_FIELDS,
  'event',
  'venue',
  'event_date',
  'event_time',
  'seat_from',
  'seat_thru',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** Which field a column is, by its name in the header. Null: the column is ignored. */
export type ColumnMap = ReadonlyMap<string, ImportField | null>;

/** Both in words: `Sec=section,Notes=` and `fees=0`, or JSON. They may be repeated. */
const Words = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(z.string().max(65_536)).max(100),
);

const isImportField = (name: string): name is ImportField => IMPORT_FIELDS.some((field) => field === name);

export const ColumnWords = Words.transform((texts, context): ColumnMap => {
  const map = new Map<string, ImportField | null>();
  for (const pair of texts.flatMap(pairsOf)) {
    const equals = pair.lastIndexOf('=');
    const [column, field] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    if (equals < 1) context.addIssue('must be column=field');
    else if (field === '') map.set(column, null);
    else if (isImportField(field)) map.set(column, field);
    else context.addIssue(`must name one of these fields: ${IMPORT_FIELDS.join(', ')}`);
  }
  return map;
});

/** Texts separated by commas. A comma before the next equals sign is part of a name: `Price, USD=price`. */
function pairsOf(text: string): string[] {
  const pairs: string[] = [];
  for (const part of text.split(',')) {
    const before = pairs.at(-1);
    if (before === undefined || before.includes('=')) pairs.push(part);
    else pairs[pairs.length - 1] = `${before},${part}`;
  }
  return pairs;
}

/** Query of POST /backoffice/v1/listings/import. */
export const ListingImportQuery = z.strictObject({
  dry_run: z.enum(['true', 'false']).default('false').meta({ description: 'only check the lines, and write nothing' }),
  map: ColumnWords.optional().meta({
    description: 'of CSV: `column=field`, for columns that are not named like their field; `column=` ignores one',
  }),
  defaults: Words.optional().meta({
    description: 'what the lines lack: a JSON object of fields, or `field=value`, written as in a cell',
  }),
});
export type ListingImportQuery = z.output<typeof ListingImportQuery>;

/** The answer to POST /backoffice/v1/listings/import. */
export const ListingImportReport = z
  .object({
    imported: z.int().min(0).meta({ description: 'lines that were written, or would be' }),
    failed: z.int().min(0).meta({ description: 'all other lines that are not blank' }),
    errors: z
      .array(
        z.object({
          line: z.int().min(1).meta({ description: 'the first line of the record, counted from 1' }),
          errors: z.array(z.object({ code: z.int(), message: z.string() })).min(1),
        }),
      )
      .meta({ description: 'of the first 1,000 lines that failed' }),
    ignored_columns: z
      .array(z.string())
      .exactOptional()
      .meta({ description: 'of CSV: columns that are no field of a listing, if there are any' }),
    dry_run: z.literal(true).exactOptional().meta({ description: 'nothing was written' }),
    columns: z
      .array(z.object({ column: z.string(), field: z.enum(IMPORT_FIELDS) }))
      .exactOptional()
      .meta({ description: 'of a dry run of CSV: the field that each column was taken for' }),
    created: z.int().min(0).exactOptional().meta({ description: 'of a dry run: new listings' }),
    replaced: z.int().min(0).exactOptional().meta({ description: 'of a dry run: listings that exist already' }),
  })
  .meta({ id: 'ListingImportReport' });
export type ListingImportReport = z.infer<typeof ListingImportReport>;
