import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { type CsvRecord, CsvRecords } from '#base/csv-records';
import { UnreadableFile, utf8Chunks } from '#base/utf8-chunks';
import type { KnownRecord } from '#upkeep/reconciliation';
import { parseForeignJson } from '#base/json';
import { UserError } from './terminal/user-error.js';

const whole = z.coerce
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const text = z
  .string()
  .max(255)
  .regex(/^[^\p{C}]+$/u);
const absent = (value: unknown) => (value === '' || value === null ? undefined : value);

const Line = z.object({
  order_id: text,
  sequence: z.preprocess(absent, whole.optional()),
  status_code: z.preprocess(absent, whole.optional()),
  reference: z.preprocess(absent, text.optional()),
});

/**
 * The records of an exported file: CSV with a header (`….csv`), or one JSON object a line. For the body of a webhook it reads
 * `data`; for a purchase of the platform it reads `id` as `order_id`. Other columns and keys are ignored.
 */
export async function* readRecords(file: string): AsyncGenerator<KnownRecord> {
  const handle = await openFile(file);
  let number = 0;
  try {
    for await (const value of file.endsWith('.csv') ? readCsv(handle) : readJsonLines(handle)) {
      number += 1;
      const { data, error } = Line.safeParse(flatten(value));
      if (error) throw new UserError(`${error.issues[0]?.path.join('.') || 'it'} is not valid.`);
      yield data;
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new UserError(`${file}: this file ${error.message}.`);
    if (error instanceof UserError) throw new UserError(`${file}: record ${number}: ${error.message}`);
    throw error;
  } finally {
    await handle.close();
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new UserError(`There is no file ${file}.`);
    throw error;
  }
}

/** Flattens the status of a purchase and the body of a webhook. */
function flatten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const outer = value as Record<string, unknown>;
  const record = (typeof outer.data === 'object' && outer.data !== null ? outer.data : outer) as Record<
    string,
    unknown
  >;
  const status = (typeof record.status === 'object' && record.status !== null ? record.status : {}) as object;
  return { ...status, ...record, order_id: record.order_id ?? record.id };
}

async function* readJsonLines(handle: FileHandle): AsyncGenerator<unknown> {
  for await (const line of handle.readLines()) {
    if (line.trim() === '') continue;
    try {
      yield parseForeignJson(line) as unknown;
    } catch {
      // The caller reports the number of the record.
      yield undefined;
    }
  }
}

const MAX_RECORD_BYTES = 64 * 1024;

async function* readCsv(handle: FileHandle): AsyncGenerator<unknown> {
  const csv = new CsvRecords({ maxRecordBytes: MAX_RECORD_BYTES });
  let names: readonly string[] | undefined;
  const read = function* (records: Iterable<CsvRecord>) {
    for (const record of records) {
      if ('error' in record) throw new UserError(`line ${record.line} ${record.error}.`);
      const cells = record.cells.map((cell) => cell.trim());
      if (names && cells.length < names.length) throw new UserError(`line ${record.line} has too few cells.`);
      if (names) yield Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
      // `Order ID` is order_id too.
      else names = cells.map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
    }
  };
  for await (const chunk of utf8Chunks(handle.createReadStream({ autoClose: false }))) yield* read(csv.split(chunk));
  yield* read(csv.end());
}
