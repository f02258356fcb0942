import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command, Option } from 'commander';
import { SystemClock } from '#base/clock';
import { type ColumnMap, ColumnWords, type ListingImportReport } from '#listings/listing-import.contract';
import { describeIssues } from '#web/issues.contract';
import { type Defaults, DefaultsError, type ImportFormat, readDefaults } from '#listings/import-formats';
import { ListingImport } from '#listings/listing-import';
import { type ImportPreview, ListingPreview } from '#listings/listing-preview';
import { Listings } from '#listings/listings';
import { ShowFinder } from '#listings/show-finder';
import { recordChange } from './audit.js';
import { UsageError, UserError } from './terminal/user-error.js';
import { poolFor } from './database/with-pool.js';

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  '.csv': 'csv',
  '.txt': 'tsv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};
const MAX_ERRORS_PRINTED = 20;

export function importCommand(): Command {
  return new Command('import')
    .description('writes or replaces the listings of a file; reports invalid lines and imports the rest')
    .argument('<file>', 'CSV with a header row, or JSON lines')
    .addOption(new Option('--format <format>', 'default: by the file name extension').choices(['csv', 'tsv', 'jsonl']))
    .option(
      '--map <column=field...>',
      'CSV: what columns are that are not named like their field; `column=` ignores one',
    )
    .option('--defaults <json|field=value...>', 'what the lines lack: a JSON object of fields, or single fields')
    .option('--dry-run', 'write nothing, only report what would happen')
    .action(async (file: string, { format = formatOf(file), ...given }: Given) => {
      const report = await importListings(file, format, { ...given, onBatch: showProgress });
      const { dryRun } = given;
      console.log(`${report.imported} ${dryRun ? previewText(report) : 'imported'}, ${report.failed} failed`);
      printColumns(report);
      printErrors(report);
      if (report.failed > 0) process.exitCode = 1;
    });
}

type Given = { format?: ImportFormat; dryRun?: boolean; map?: string[]; defaults?: string[] };

function previewText({ created, replaced }: ImportPreview): string {
  return `would be imported (${created} new listings, ${replaced} replaced)`;
}

type ImportOptions = Omit<Given, 'format'> & Readonly<{ onBatch?: (soFar: ListingImportReport) => void }>;

/** Imports into the database of the settings, whether Willcall runs or not. */
export async function importListings(
  path: string,
  format: ImportFormat,
  { dryRun = false, map: columns = [], defaults: fields = [], onBatch }: ImportOptions = {},
): Promise<ListingImportReport & ImportPreview> {
  const map = mapOf(columns);
  const defaults = defaultsOf(fields);
  // Checked before the database starts, so that a mistyped name starts nothing.
  const file = await openFile(path);
  try {
    return await poolFor('import')(async (pool) => {
      const listings = new Listings(pool, new SystemClock());
      const preview = new ListingPreview(pool);
      const chunks = file.createReadStream({ autoClose: false });
      const options = { map, defaults, shows: new ShowFinder(pool) };
      const target = dryRun ? preview : listings;
      const report = await new ListingImport(listings).run(format, chunks, onBatch, target, options);
      if (!dryRun) await recordChange(pool, 'listings.imported', 'listings');
      return { ...report, ...preview.found };
    });
  } finally {
    await file.close();
  }
}

export function formatOf(file: string): ImportFormat {
  const format = FORMATS[extname(file).toLowerCase()];
  if (!format) throw new UsageError(`Say by --format what is in ${file}: csv, tsv or jsonl.`);
  return format;
}

function mapOf(words: readonly string[]): ColumnMap {
  const { data, error } = ColumnWords.safeParse(words);
  if (error) throw new UsageError(`--map ${describeIssues(error.issues)}`);
  return data;
}

function defaultsOf(words: readonly string[]): Defaults {
  try {
    return readDefaults(words);
  } catch (error) {
    throw error instanceof DefaultsError ? new UsageError(`--${error.message}`) : error;
  }
}

async function openFile(path: string) {
  const file = await open(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new UserError(`There is no file ${path}.`);
    throw error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new UserError(`${path} is not a file.`);
}

function showProgress({ imported, failed }: ListingImportReport): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${imported} imported, ${failed} failed so far \r`);
}

function printColumns({ columns, ignored_columns: ignored }: ListingImportReport): void {
  if (columns) console.log(`columns: ${columns.map(({ column, field }) => `${column} = ${field}`).join(', ')}`);
  if (ignored) console.log(`ignored: ${ignored.join(', ')}`);
}

function printErrors({ errors, failed }: ListingImportReport): void {
  for (const { line, errors: lineErrors } of errors.slice(0, MAX_ERRORS_PRINTED)) {
    console.error(`line ${line}: ${lineErrors.map(({ message }) => message).join('; ')}`);
  }
  if (failed > MAX_ERRORS_PRINTED) console.error(`and ${failed - MAX_ERRORS_PRINTED} more`);
}
