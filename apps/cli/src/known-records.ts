import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { z } from 'zod';
import type { KnownRecord } from '#verification/reconciliation';
import { UserFault } from './user-fault.js';

const whole = z.coerce
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const text = z.string().min(1).max(255);
const absent = (value: unknown) => (value === '' || value === null ? undefined : value);

const Line = z.object({
  order_id: text,
  sequence: z.preprocess(absent, whole.optional()),
  status_code: z.preprocess(absent, whole.optional()),
  reference: z.preprocess(absent, text.optional()),
});

/**
 * The records of a file that a party has exported: CSV with a header (`….csv`), or one JSON object a line. Of a webhook's body the
 * `data` is taken, of a purchase of the platform the `id` as `order_id`. Other columns and keys are left alone.
 */
export async function* recordsOf(file: string): AsyncGenerator<KnownRecord> {
  let line = file.endsWith('.csv') ? 1 : 0;
  for await (const value of file.endsWith('.csv') ? csvOf(file) : linesOf(file)) {
    line += 1;
    const { data, error } = Line.safeParse(flat(value));
    if (error)
      throw new UserFault(`${file}: record ${line}: ${error.issues[0]?.path.join('.') || 'no object'} is not valid.`);
    yield data;
  }
}

/** Status objects of a purchase and bodies of webhooks, on one level. */
function flat(value: unknown): unknown {
  const outer = (value ?? {}) as Record<string, unknown>;
  const record = (typeof outer.data === 'object' && outer.data !== null ? outer.data : outer) as Record<
    string,
    unknown
  >;
  const status = (typeof record.status === 'object' && record.status !== null ? record.status : {}) as object;
  return { ...status, ...record, order_id: record.order_id ?? record.id };
}

async function* linesOf(file: string): AsyncGenerator<unknown> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  for await (const text of lines) {
    if (text.trim() === '') continue;
    try {
      yield JSON.parse(text) as unknown;
    } catch {
      throw new UserFault(`${file}: a line is no JSON.`);
    }
  }
}

function csvOf(file: string): AsyncIterable<unknown> {
  return createReadStream(file).pipe(parse({ columns: true, bom: true, trim: true, skip_empty_lines: true }));
}
