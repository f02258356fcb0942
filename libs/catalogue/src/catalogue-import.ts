import type { z } from 'zod';
import {
  CATALOGUE_LINES,
  type CatalogueKind,
  type CatalogueLine,
  PostalCodeLine,
} from '#contracts/backoffice/catalogue';
import { describeIssues } from '#contracts/issues';
import { JsonLinesReader } from '#runtime/json-lines-reader';
import { RecordSplitter, type TextRecord } from '#runtime/record-splitter';
import type { Catalogue } from './catalogue.js';
import type { PostalCodes } from './postal-codes.js';
import type { LineError } from './writing/batch.js';

/** In the order in which they need each other. */
const KINDS = ['taxonomies', 'genres', 'venues', 'performers', 'events'] as const satisfies readonly CatalogueKind[];
/** The files of a catalogue, `<name>.jsonl` each. */
export const IMPORTED_FILES = [...KINDS, 'postal_codes'] as const;
export type ImportedFile = (typeof IMPORTED_FILES)[number];

/** What became of one file; `errors` of the first 1,000 lines that failed. */
export type FileReport = {
  readonly file: ImportedFile;
  imported: number;
  failed: number;
  readonly errors: { line: number; message: string }[];
};

// An event with hundreds of performers.
const MAX_RECORD_BYTES = 1024 * 1024;
// More gains little, and keeps who else writes the catalogue waiting for longer.
const BATCH_RECORDS = 1_000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
const MOST_ERRORS_KEPT = 1_000;

/** Reads the files of a catalogue as they stream in: each line a document; faulty ones are reported, the rest is kept. */
export class CatalogueImport {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly postalCodes: PostalCodes,
  ) {}

  /** `open` gives a file's bytes, or undefined where there is no such file. `onBatch` hears how far it is. */
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
    // While the database writes one batch the next one is read.
    let writing = Promise.resolve();
    try {
      for await (const { records, bytes } of batches(chunks)) {
        const write = this.read(records, report);
        await writing;
        writing = write().then(() => onBatch(bytes));
        // Whoever awaits it hears of its failure; until then it must not count as unheard.
        writing.catch(() => undefined);
      }
    } finally {
      await writing;
    }
  }

  /** What writes the records that can be read. */
  private read(records: readonly TextRecord[], report: FileReport): () => Promise<void> {
    const { file } = report;
    if (file === 'postal_codes') {
      const lines = readable(PostalCodeLine, records, report).map(({ value }) => value);
      return async () => {
        await this.postalCodes.put(lines);
        report.imported += lines.length;
      };
    }
    return this.documents(file, records, report);
  }

  private documents<Kind extends CatalogueKind>(kind: Kind, records: readonly TextRecord[], report: FileReport) {
    const schema = CATALOGUE_LINES[kind] as unknown as z.ZodType<CatalogueLine<Kind>>;
    const lines = readable(schema, records, report);
    return async () => {
      const faults = await this.catalogue.write(
        kind,
        lines.map(({ value }) => value),
      );
      noteFaults(report, lines, faults);
    };
  }
}

function noteFaults(
  report: FileReport,
  lines: readonly Readonly<{ line: number; value: Readonly<{ id: number }> }>[],
  faults: readonly LineError[],
): void {
  const messages = new Map(faults.map(({ id, message }) => [id, message]));
  for (const { line, value } of lines) {
    const message = messages.get(value.id);
    if (message === undefined) report.imported += 1;
    else fail(report, line, message);
  }
}

function fail(report: FileReport, line: number, message: string): void {
  report.failed += 1;
  if (report.errors.length < MOST_ERRORS_KEPT) report.errors.push({ line, message });
}

function readable<T>(schema: z.ZodType<T>, records: readonly TextRecord[], report: FileReport) {
  const sound: { line: number; value: T }[] = [];
  const texts = records.filter((record) => 'text' in record);
  for (const record of records) if ('fault' in record) fail(report, record.line, `the line ${record.fault}`);
  for (const read of new JsonLinesReader().read(texts)) {
    if ('fault' in read) {
      fail(report, read.line, `the line ${read.fault}`);
      continue;
    }
    const { data, error } = schema.safeParse(read.value);
    if (error) fail(report, read.line, describeIssues(error.issues));
    else sound.push({ line: read.line, value: data });
  }
  return sound;
}

async function* batches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ records: TextRecord[]; bytes: number }> {
  const splitter = new RecordSplitter({ quotes: false, maxRecordBytes: MAX_RECORD_BYTES });
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
