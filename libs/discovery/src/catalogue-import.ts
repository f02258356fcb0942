import type { z } from 'zod';
import { CATALOGUE_LINES, type CatalogueKind, type CatalogueLine, PostalCodeLine } from './catalogue.contract.js';
import { describeIssues } from '#web/issues.contract';
import { JsonLinesReader } from '#base/json-lines-reader';
import { RecordSplitter, type TextRecord } from '#base/record-splitter';
import type { Catalogue } from './catalogue.js';
import type { PostalCodes } from './postal-codes.js';
import type { LineError } from './catalogue/writing/batch.js';

/** In dependency order. */
const KINDS = ['taxonomies', 'genres', 'venues', 'performers', 'events'] as const satisfies readonly CatalogueKind[];
/** The files of a catalogue, `<name>.jsonl` each. */
export const IMPORTED_FILES = [...KINDS, 'postal_codes'] as const;
export type ImportedFile = (typeof IMPORTED_FILES)[number];

/** The result for one file. `errors` holds the first 1,000 failed lines. */
export type FileReport = {
  readonly file: ImportedFile;
  imported: number;
  failed: number;
  readonly errors: { line: number; message: string }[];
};

// Enough for an event with hundreds of performers.
const MAX_RECORD_BYTES = 1024 * 1024;
// Larger batches gain little, and hold the catalogue lock for longer.
const BATCH_RECORDS = 1_000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
const MAX_ERRORS = 1_000;

/** Imports the files of a catalogue as streams with one document a line. Reports invalid lines and imports the rest. */
export class CatalogueImport {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly postalCodes: PostalCodes,
  ) {}

  /** `open` returns the bytes of a file, or undefined if it does not exist. `onBatch` receives the progress. */
  async run(
    open: (file: ImportedFile) => Promise<AsyncIterable<Uint8Array> | undefined>,
    onBatch: (soFar: FileReport, bytes: number) => void = () => undefined,
  ): Promise<FileReport[]> {
    const reports: FileReport[] = [];
    for (const file of IMPORTED_FILES) {
      const chunks = await open(file);
      if (!chunks) continue;
      const report: FileReport = { file, imported: 0, failed: 0, errors: [] };
      reports.push(report);
      await this.importFile(chunks, report, (bytes) => onBatch(report, bytes));
    }
    await this.catalogue.refreshUpcoming();
    for (const { errors } of reports) errors.sort((one, other) => one.line - other.line);
    return reports;
  }

  private async importFile(chunks: AsyncIterable<Uint8Array>, report: FileReport, onBatch: (bytes: number) => void) {
    // The next batch is parsed while the database writes this one.
    let writing = Promise.resolve();
    try {
      for await (const { records, bytes } of batches(chunks)) {
        const write = this.read(records, report);
        await writing;
        writing = write().then(() => onBatch(bytes));
        // A later `await` reports the failure. Until then it must not be an unhandled rejection.
        writing.catch(() => undefined);
      }
    } finally {
      await writing;
    }
  }

  /** Parses the records, and returns a function that writes the valid ones. */
  private read(records: readonly TextRecord[], report: FileReport): () => Promise<void> {
    const { file } = report;
    if (file === 'postal_codes') {
      const lines = parseRecords(PostalCodeLine, records, report).map(({ value }) => value);
      return async () => {
        await this.postalCodes.put(lines);
        report.imported += lines.length;
      };
    }
    return this.documents(file, records, report);
  }

  private documents<Kind extends CatalogueKind>(kind: Kind, records: readonly TextRecord[], report: FileReport) {
    const schema = CATALOGUE_LINES[kind] as unknown as z.ZodType<CatalogueLine<Kind>>;
    const lines = parseRecords(schema, records, report);
    return async () => {
      const errors = await this.catalogue.write(
        kind,
        lines.map(({ value }) => value),
      );
      addResults(report, lines, errors);
    };
  }
}

function addResults(
  report: FileReport,
  lines: readonly Readonly<{ line: number; value: Readonly<{ id: number }> }>[],
  errors: readonly LineError[],
): void {
  const messages = new Map(errors.map(({ id, message }) => [id, message]));
  for (const { line, value } of lines) {
    const message = messages.get(value.id);
    if (message === undefined) report.imported += 1;
    else fail(report, line, message);
  }
}

function fail(report: FileReport, line: number, message: string): void {
  report.failed += 1;
  if (report.errors.length < MAX_ERRORS) report.errors.push({ line, message });
}

function parseRecords<T>(schema: z.ZodType<T>, records: readonly TextRecord[], report: FileReport) {
  const valid: { line: number; value: T }[] = [];
  const texts = records.filter((record) => 'text' in record);
  for (const record of records) if ('error' in record) fail(report, record.line, `the line ${record.error}`);
  for (const read of new JsonLinesReader().read(texts)) {
    if ('error' in read) {
      fail(report, read.line, `the line ${read.error}`);
      continue;
    }
    const { data, error } = schema.safeParse(read.value);
    if (error) fail(report, read.line, describeIssues(error.issues));
    else valid.push({ line: read.line, value: data });
  }
  return valid;
}

async function* batches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ records: TextRecord[]; bytes: number }> {
  const splitter = new RecordSplitter({ maxRecordBytes: MAX_RECORD_BYTES });
  let records: TextRecord[] = [];
  let characters = 0;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    for (const record of splitter.split(chunk)) {
      records.push(record);
      characters += 'text' in record ? record.text.length : 0;
      if (records.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
      yield { records, bytes };
      records = [];
      characters = 0;
    }
  }
  records.push(...splitter.end());
  if (records.length > 0) yield { records, bytes };
}
