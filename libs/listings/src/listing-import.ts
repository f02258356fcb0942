import { Injectable } from '@nestjs/common';
import { ListingLine } from './listing.contract.js';
import type { ColumnMap, ListingImportReport } from './listing-import.contract.js';
import { describeIssues } from '#web/issues.contract';
import { afterWrite } from '#database/database-errors';
import { UnreadableFile, utf8Chunks } from '#base/utf8-chunks';
import type { Columns } from './import/import-columns.js';
import { type Defaults, type ImportFormat, type LineReader, lineReader, type ReadLine } from './import-formats.js';
import { ImportReport } from './import/import-report.js';
import { LineCompletion } from './import/line-completion.js';
import { ExternalIdTaken, type GivenListing, Listings } from './listings.js';
import type { ShowFinder } from './show-finder.js';

// The body limit of a PUT.
const MAX_RECORD_BYTES = 64 * 1024;
// A statement of 500 rows costs a tenth of 500 statements. Larger ones gain little and lock rows for longer.
const BATCH_RECORDS = 500;
const BATCH_BYTES = 1024 * 1024;

type ImportTarget = Pick<Listings, 'putAll'> & {
  /** Why a listing must not be written; undefined if it may. */
  error?: (body: GivenListing['body']) => string | undefined;
  /** Called once the header of a CSV file was read. */
  onColumns?: (columns: Columns) => void;
};

type ImportOptions = Readonly<{
  map?: ColumnMap | undefined;
  defaults?: Defaults | undefined;
  /** For CSV files that name shows and seats as points of sale do. */
  shows?: ShowFinder | undefined;
}>;

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
    { map = new Map(), defaults = {}, shows }: ImportOptions = {},
  ): Promise<ListingImportReport> {
    const reader = lineReader(format, { maxRecordBytes: MAX_RECORD_BYTES, map, defaults });
    const report = new ImportReport();
    let completion: LineCompletion | undefined;
    try {
      for await (const batch of batches(reader, utf8Chunks(chunks))) {
        if (reader.columns && !completion) {
          completion = new LineCompletion(reader.columns, shows);
          report.ignored(reader.columns.ignored);
          target.onColumns?.(reader.columns);
        }
        const lines = completion ? await completion.complete(batch) : batch;
        const write = () => this.write(lines, report, target);
        await (report.imported > 0 ? afterWrite(write) : write());
        onBatch(report);
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      report.unreadable(error.message);
    }
    return report;
  }

  private async write(reads: readonly ReadLine[], report: ImportReport, target: ImportTarget): Promise<void> {
    // One statement cannot write a row twice. Of two lines for one listing the later one counts, as with two PUTs.
    const listings = new Map<string, GivenListing>();
    const lines: { line: number; id: string }[] = [];
    for (const read of reads) {
      if (!('value' in read)) {
        report.unread(read);
        continue;
      }
      const parsed = ListingLine.safeParse(read.value);
      if (parsed.success) {
        const { listing_id, ...body } = parsed.data;
        listings.set(listing_id, { id: listing_id, body });
        lines.push({ line: read.line, id: listing_id });
      } else {
        report.invalid(read.line, describeIssues(parsed.error.issues));
      }
    }
    const errors = new Map<string, string>();
    for (const { id, body } of listings.values()) {
      const error = target.error?.(body);
      if (error !== undefined) errors.set(id, error);
    }
    await this.put(
      [...listings.values()].filter(({ id }) => !errors.has(id)),
      target,
      errors,
    );
    for (const { line, id } of lines) {
      const error = errors.get(id);
      if (error === undefined) report.imported += 1;
      else report.invalid(line, error);
    }
  }

  /** Adds to `errors` why a listing was not written. An external id that is taken stops the whole statement, so each is then tried alone. */
  private async put(given: readonly GivenListing[], target: ImportTarget, errors: Map<string, string>): Promise<void> {
    try {
      for (const id of await target.putAll(given)) errors.set(id, 'listing_id: is already taken');
    } catch (error) {
      if (!(error instanceof ExternalIdTaken)) throw error;
      if (given.length > 1) for (const one of given) await this.put([one], target, errors);
      else for (const { id } of given) errors.set(id, error.message);
    }
  }
}

async function* batches(reader: LineReader, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine[]> {
  let batch: ReadLine[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    for (const line of reader.split(chunk)) {
      batch.push(line);
      if (batch.length < BATCH_RECORDS && bytes < BATCH_BYTES) continue;
      yield batch;
      [batch, bytes] = [[], 0];
    }
  }
  batch.push(...reader.end());
  if (batch.length > 0) yield batch;
}
