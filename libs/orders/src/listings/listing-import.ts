import { Injectable } from '@nestjs/common';
import { ListingLine } from '#contracts/backoffice/listing';
import type { ListingImportReport } from '#contracts/backoffice/listing-import';
import { describeIssues } from '#contracts/issues';
import { afterWrite } from '#database/database-errors';
import { JsonLinesReader, type ParsedRecord, type RecordText } from '#runtime/json-lines-reader';
import { CsvReader, HeaderError, type ImportFormat } from './import-formats.js';
import { type GivenListing, Listings } from './listings.js';
import { RecordSplitter, type TextRecord } from '#runtime/record-splitter';

// The body limit of a PUT.
const MAX_RECORD_BYTES = 64 * 1024;
// A statement of 500 rows costs a tenth of 500 statements. Larger ones gain little and lock rows for longer.
const BATCH_RECORDS = 500;
const BATCH_CHARACTERS = 1024 * 1024;
const MAX_ERRORS = 1_000;

const MALFORMED = 40000;
const INVALID_FIELD = 40001;

type ImportTarget = Pick<Listings, 'putAll'> & {
  /** Why some listings must not be written, by listing id. */
  errors?: (listings: readonly GivenListing[]) => Promise<ReadonlyMap<string, string>>;
};

/** Each line works like a PUT. Reports invalid lines and imports the rest. */
@Injectable()
export class ListingImport {
  constructor(private readonly listings: Listings) {}

  /** `onBatch` receives the progress. Written batches stay if the stream breaks. A dry run passes a `target` that only counts. */
  async run(
    format: ImportFormat,
    chunks: AsyncIterable<Uint8Array>,
    onBatch: (soFar: ListingImportReport) => void = () => undefined,
    target: ImportTarget = this.listings,
  ): Promise<ListingImportReport> {
    const reader = format === 'csv' ? new CsvReader() : new JsonLinesReader();
    const splitter = new RecordSplitter({ quotes: format === 'csv', maxRecordBytes: MAX_RECORD_BYTES });
    const report = new Report();
    try {
      for await (const batch of batches(splitter, chunks)) {
        const write = () => this.write(readBatch(reader, batch), report, target);
        await (report.imported > 0 ? afterWrite(write) : write());
        onBatch(report);
      }
    } catch (error) {
      if (!(error instanceof HeaderError)) throw error;
      report.fail(error.line, MALFORMED, error.message);
    }
    return report;
  }

  private async write(reads: readonly ParsedRecord[], report: Report, target: ImportTarget): Promise<void> {
    // One statement cannot write a row twice. Of two lines for one listing the later one counts, as with two PUTs.
    const listings = new Map<string, GivenListing>();
    const lines: { line: number; id: string }[] = [];
    for (const read of reads) {
      if ('error' in read) {
        report.fail(read.line, MALFORMED, `the line ${read.error}`);
        continue;
      }
      const parsed = ListingLine.safeParse(read.value);
      if (parsed.success) {
        const { listing_id, ...body } = parsed.data;
        listings.set(listing_id, { id: listing_id, body });
        lines.push({ line: read.line, id: listing_id });
      } else {
        report.fail(read.line, INVALID_FIELD, describeIssues(parsed.error.issues));
      }
    }
    const errors = (await target.errors?.([...listings.values()])) ?? new Map<string, string>();
    await target.putAll([...listings.values()].filter(({ id }) => !errors.has(id)));
    for (const { line, id } of lines) {
      const error = errors.get(id);
      if (error === undefined) report.imported += 1;
      else report.fail(line, INVALID_FIELD, error);
    }
  }
}

class Report implements ListingImportReport {
  imported = 0;
  failed = 0;
  readonly errors: ListingImportReport['errors'] = [];

  fail(line: number, code: number, message: string): void {
    this.failed += 1;
    if (this.errors.length < MAX_ERRORS) this.errors.push({ line, errors: [{ code, message }] });
  }
}

async function* batches(splitter: RecordSplitter, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextRecord[]> {
  let batch: TextRecord[] = [];
  let characters = 0;
  for await (const chunk of chunks) {
    for (const record of splitter.split(chunk)) {
      batch.push(record);
      characters += 'text' in record ? record.text.length : 0;
      if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  batch.push(...splitter.end());
  if (batch.length > 0) yield batch;
}

/** In the order of their lines. */
function readBatch(
  reader: { read(texts: readonly RecordText[]): ParsedRecord[] },
  batch: readonly TextRecord[],
): ParsedRecord[] {
  const unreadable = batch.filter((record) => 'error' in record);
  const read = reader.read(batch.filter((record) => 'text' in record));
  return unreadable.length === 0 ? read : [...unreadable, ...read].sort((a, b) => a.line - b.line);
}
