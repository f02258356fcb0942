import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command, Option } from 'commander';
import { SystemClock } from '#runtime/clock';
import { loadSettings } from '#config/load-settings';
import type { ListingImportReport } from '#contracts/backoffice/listing-import';
import { createPool } from '#database/pool';
import type { ImportFormat } from '#orders/listings/import-formats';
import { ListingImport } from '#orders/listings/listing-import';
import { type ImportPreview, ListingPreview } from '#orders/listings/listing-preview';
import { Listings } from '#orders/listings/listings';
import { UsageError, UserError } from './terminal/user-error.js';
import { withDatabase } from './database/with-database.js';

const FORMATS: Readonly<Record<string, ImportFormat>> = { '.csv': 'csv', '.jsonl': 'jsonl', '.ndjson': 'jsonl' };
const MAX_ERRORS_PRINTED = 20;

export function importCommand(): Command {
  return new Command('import')
    .description('writes or replaces the listings of a file; reports invalid lines and imports the rest')
    .argument('<file>', 'CSV with a header row, or JSON lines')
    .addOption(new Option('--format <format>', 'default: by the file name extension').choices(['csv', 'jsonl']))
    .option('--dry-run', 'write nothing, only report what would happen')
    .action(async (file: string, { format = formatOf(file), dryRun }: { format?: ImportFormat; dryRun?: boolean }) => {
      const report = await importListings(file, format, { dryRun, onBatch: showProgress });
      console.log(`${report.imported} ${dryRun ? previewText(report) : 'imported'}, ${report.failed} failed`);
      printErrors(report);
      if (report.failed > 0) process.exitCode = 1;
    });
}

function previewText({ created, replaced }: ImportPreview): string {
  return `would be imported (${created} new listings, ${replaced} replaced)`;
}

type ImportOptions = Readonly<{ dryRun?: boolean | undefined; onBatch?: (soFar: ListingImportReport) => void }>;

/** Imports into the database of the settings, whether Willcall runs or not. */
export async function importListings(
  path: string,
  format: ImportFormat,
  { dryRun = false, onBatch }: ImportOptions = {},
): Promise<ListingImportReport & ImportPreview> {
  // Checked before the database starts, so that a mistyped name starts nothing.
  const file = await openFile(path);
  try {
    return await withDatabase(loadSettings(), async (databaseUrl) => {
      const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall import', onError: () => undefined });
      try {
        const listings = new Listings(pool, new SystemClock());
        const preview = new ListingPreview(pool);
        const chunks = file.createReadStream({ autoClose: false });
        const report = await new ListingImport(listings).run(format, chunks, onBatch, dryRun ? preview : listings);
        return { ...report, created: preview.created, replaced: preview.replaced };
      } finally {
        await pool.end();
      }
    });
  } finally {
    await file.close();
  }
}

export function formatOf(file: string): ImportFormat {
  const format = FORMATS[extname(file).toLowerCase()];
  if (!format) throw new UsageError(`Say by --format what is in ${file}: csv or jsonl.`);
  return format;
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

function printErrors({ errors, failed }: ListingImportReport): void {
  for (const { line, errors: lineErrors } of errors.slice(0, MAX_ERRORS_PRINTED)) {
    console.error(`line ${line}: ${lineErrors.map(({ message }) => message).join('; ')}`);
  }
  if (failed > MAX_ERRORS_PRINTED) console.error(`and ${failed - MAX_ERRORS_PRINTED} more`);
}
