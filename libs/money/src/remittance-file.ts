import { z } from 'zod';
import { type CsvRecord, CsvRecords } from '#base/csv-records';
import { text } from '#base/text';
import { centsOf } from '#domain/money';

/** A line of a remittance. `given`: the `order_id`, or else the `ref_id`; null if it has neither. `paid_on`: YYYY-MM-DD. */
export type RemittanceRow = Readonly<{
  number: number;
  given: string | null;
  is_ref_id: boolean;
  amount_cents: number;
  paid_on: string;
}>;

/** The file cannot be read. The message names the line. */
export class RemittanceFault extends Error {}

const MAX_RECORD_BYTES = 64 * 1024;
const LONGEST = 200;

const reference = text(LONGEST).default('');

const Line = z.object({
  order_id: reference,
  ref_id: reference,
  amount: z
    .string('is missing')
    .regex(/^-?\d{1,9}(\.\d{1,2})?$/, 'must be a number with at most two decimals')
    .transform((amount) => centsOf(Number(amount)) ?? 0),
  paid_on: z.iso.date('must be a date: YYYY-MM-DD'),
});

/**
 * The lines of a CSV file with the columns `ref_id` or `order_id`, `amount` and `paid_on`; others are ignored. Holds one line in memory.
 * @throws RemittanceFault
 */
export async function* remittanceRows(file: AsyncIterable<Uint8Array>): AsyncGenerator<RemittanceRow> {
  const csv = new CsvRecords({ maxRecordBytes: MAX_RECORD_BYTES });
  const lines = new RemittanceLines();
  for await (const chunk of file) yield* lines.read(csv.split(chunk));
  yield* lines.read(csv.end());
  lines.end();
}

class RemittanceLines {
  #names: readonly string[] | undefined;

  *read(records: Iterable<CsvRecord>): Generator<RemittanceRow> {
    for (const record of records) {
      if ('error' in record) throw new RemittanceFault(`line ${record.line} ${record.error}`);
      const cells = record.cells.map((cell) => cell.trim());
      if (this.#names) yield rowOf(record.line, this.#names, cells);
      else this.#names = namesOf(cells);
    }
  }

  /** @throws RemittanceFault of a file without any line */
  end(): void {
    if (!this.#names) throw new RemittanceFault('the file is empty');
  }
}

/** `Order ID` is order_id too. */
function namesOf(cells: readonly string[]): readonly string[] {
  const names = cells.map((name) =>
    name
      .replace(/^\uFEFF/, '')
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  if (!names.includes('order_id') && !names.includes('ref_id')) {
    throw new RemittanceFault('the header has no column ref_id or order_id');
  }
  const missing = ['amount', 'paid_on'].find((name) => !names.includes(name));
  if (missing !== undefined) throw new RemittanceFault(`the header has no column ${missing}`);
  return names;
}

function rowOf(number: number, names: readonly string[], cells: readonly string[]): RemittanceRow {
  const { data, error } = Line.safeParse(Object.fromEntries(names.map((name, index) => [name, cells[index]])));
  if (error) {
    const [issue] = error.issues;
    throw new RemittanceFault(`line ${number}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  }
  const { order_id: orderId, ref_id: refId, amount, paid_on } = data;
  const given = orderId || refId || null;
  return { number, given, is_ref_id: orderId === '', amount_cents: amount, paid_on };
}
