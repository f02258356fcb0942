import { createHash } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { LONGEST_LINE_BYTES, OrderLine } from './order-line.contract.js';
import { describeIssues } from '#web/issues.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { LedgerKey } from '#event-store/hash-chain';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { JsonLinesReader } from '#base/json-lines-reader';
import { RecordSplitter, type TextRecord } from '#base/record-splitter';
import { CardDataPolicy } from '#orders/card-data-policy';
import { OrderRules } from '#orders/order-changes';
import type { PurchaseKeyRow } from '#orders/purchase-keys.projection';
import { type ImportOrigin, type ImportRules, LineRefusal } from './import-rules.js';
import { type ImportedOrder, importedOrder } from './imported-order.js';
import { ImportedRows, purchaseKeysOf, usedBarcodesOf } from './imported-rows.js';

/** What an import has done with a line, or would do. `order_id` is null if the line does not name one. */
export type LineOutcome = Readonly<{
  line: number;
  order_id: string | null;
  outcome: 'done' | 'refused' | 'unchanged';
  reason?: string;
}>;

const NOT_WRITTEN: ImportOrigin = { job: '', actor: '' };

/** What is left of an order whose rows are text already. */
type ReadOrder = Readonly<{
  /** In `ReadLines.rows`. */
  number: number;
  id: string;
  stream: string;
  eventIds: readonly string[];
  key: PurchaseKeyRow | undefined;
  payment: PaymentReference | undefined;
  /** Digests of its seats' barcodes, as PostgreSQL reads them, with the seats. */
  barcodes: ReadonlyMap<string, string>;
}>;
/** What the provider calls a payment. */
type PaymentReference = Readonly<{ provider: string; reference: string }>;
type ReadLine = Readonly<{ line: number; order: ReadOrder } | { line: number; id: string | null; reason: string }>;

/** Lines that were checked and sealed, and can be written. */
export type ReadLines = Readonly<{ lines: readonly ReadLine[]; rows: ImportedRows }>;
type Judged = Readonly<{ outcomes: readonly LineOutcome[]; fresh: readonly ReadOrder[] }>;

// These take about 5 ms of the thread. Meanwhile the database waits for the next statement of the batch before.
const LINES_AT_ONCE = 16;

const UNIQUE_VIOLATION = '23505';
const MAX_ATTEMPTS = 3;

/** Splits an upload into the lines that `OrderImport` reads. */
export function orderLineSplitter(): RecordSplitter {
  return new RecordSplitter({ maxRecordBytes: LONGEST_LINE_BYTES });
}

/**
 * Writes past orders as they were: their events with their own times and all that follows from them. Nobody is told: their pings count as
 * delivered, and are not in the ping stream. Their tickets are of no listing here: they neither reduce what is for sale nor come back to it.
 */
@Injectable()
export class OrderImport {
  private readonly reader = new JsonLinesReader();
  private readonly ledgerKey: LedgerKey;

  constructor(
    private readonly sealer: Sealer,
    private readonly rules: OrderRules,
    private readonly cards: CardDataPolicy,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.ledgerKey = new LedgerKey(sealer.ledgerSecret);
  }

  /** What would happen to these lines. */
  async preview(client: ClientBase, lines: readonly TextRecord[]): Promise<readonly LineOutcome[]> {
    return (await this.judge(client, (await this.read(lines, NOT_WRITTEN)).lines)).outcomes;
  }

  /** Checks and seals lines. Other work of the process goes on in between. */
  async read(lines: readonly TextRecord[], origin: ImportOrigin): Promise<ReadLines> {
    const { sealer, ledgerKey, cards, ids } = this;
    const rules = {
      sealer,
      ledgerKey,
      cards,
      ids,
      origin,
      statusCatalogue: this.rules.catalogue,
      now: this.clock.now(),
    };
    const rows = new ImportedRows();
    const read: ReadLine[] = [];
    for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
      if (from > 0) await othersTurn();
      for (const line of lines.slice(from, from + LINES_AT_ONCE)) read.push(this.readLine(line, rules, rows));
    }
    return { lines: read, rows };
  }

  /**
   * Writes these lines in one transaction, in which `record` notes the outcomes.
   * @throws what `record` throws; then nothing is written
   */
  async write(
    pool: Pool,
    { lines, rows }: ReadLines,
    record: (client: ClientBase, outcomes: readonly LineOutcome[]) => Promise<void> = async () => undefined,
  ): Promise<readonly LineOutcome[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTransaction(pool, async (client) => {
          // Two imports at once would not see each other's payments.
          await client.query(`select pg_advisory_xact_lock(hashtext('willcall order import'))`);
          const { outcomes, fresh } = await this.judge(client, lines);
          const numbers = fresh.map(({ number }) => number);
          if (fresh.length > 0) await rows.copy(client, numbers, this.clock.iso());
          await record(client, outcomes);
          return outcomes;
        });
      } catch (error) {
        // Somebody else has written one of these orders meanwhile. Now it is seen.
        const { code } = error as { code?: string };
        if (code !== UNIQUE_VIOLATION || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private readLine(record: TextRecord, rules: ImportRules, rows: ImportedRows): ReadLine {
    const { line } = record;
    if ('error' in record) return { line, id: null, reason: `the line ${record.error}` };
    const [parsed] = this.reader.read([record]);
    if (!parsed || 'error' in parsed) return { line, id: null, reason: `the line ${parsed?.error}` };
    const { data, error } = OrderLine.safeParse(parsed.value);
    if (error) return { line, id: idOf(parsed.value), reason: describeIssues(error.issues) };
    try {
      return { line, order: addedOrder(importedOrder(data, sha256(record.text), rules), rows) };
    } catch (refusal) {
      if (!(refusal instanceof LineRefusal)) throw refusal;
      return { line, id: data.id, reason: refusal.message };
    }
  }

  /** An order that is here already is left alone. That is no fault if it is the same one, also if it has gone on since. */
  private async judge(client: ClientBase, lines: readonly ReadLine[]): Promise<Judged> {
    const orders = lines.flatMap((line) => ('order' in line ? [line.order] : []));
    const known = await knownEvents(client, orders);
    const taken = await takenKeys(client, orders);
    const paid = await paidOrders(client, orders);
    const used = await usedBarcodes(client, orders);
    const fresh: ReadOrder[] = [];
    const outcomes = lines.map((read): LineOutcome => {
      const { line } = read;
      if (!('order' in read)) return { line, order_id: read.id, outcome: 'refused', reason: read.reason };
      const { id, stream, eventIds, key, payment, barcodes } = read.order;
      const refused = (reason: string) => ({ line, order_id: id, outcome: 'refused', reason }) as const;
      const here = known.get(stream);
      if (here) {
        const isSame = eventIds.every((eventId, index) => here[index] === eventId);
        return isSame
          ? { line, order_id: id, outcome: 'unchanged' }
          : refused('an order with this id and other events is here');
      }
      if (key && taken.has(keyText(key))) return refused('another order of the client has the same ref_id or request');
      if (payment && paid.has(referenceText(payment))) return refused('another order has this payment');
      const usedDigest = [...barcodes.keys()].find((digest) => used.has(digest));
      if (usedDigest !== undefined) {
        return refused(`another order uses the barcode of the seat ${barcodes.get(usedDigest)}`);
      }
      if (key) taken.add(keyText(key));
      for (const digest of barcodes.keys()) used.add(digest);
      if (payment) paid.add(referenceText(payment));
      known.set(stream, eventIds);
      fresh.push(read.order);
      return { line, order_id: id, outcome: 'done' };
    });
    return { outcomes, fresh };
  }
}

function idOf(value: unknown): string | null {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id.slice(0, 100) : null;
}

async function knownEvents(client: ClientBase, orders: readonly ReadOrder[]): Promise<Map<string, readonly string[]>> {
  const { rows } = await client.query<{ stream: string; ids: string[] }>(
    `select stream, array_agg(event_id order by position) as ids from events
     where stream = any($1) and type <> 'OrderImported' group by stream`,
    [orders.map(({ stream }) => stream)],
  );
  return new Map(rows.map(({ stream, ids }) => [stream, ids]));
}

type PurchaseKey = Pick<PurchaseKeyRow, 'client_id' | 'key'>;

async function takenKeys(client: ClientBase, orders: readonly ReadOrder[]): Promise<Set<string>> {
  const keys = orders.flatMap(({ key }) => (key ? [key] : []));
  const { rows } = await client.query<PurchaseKey>(
    `select client_id, key from unnest($1::text[], $2::text[]) as asked (client_id, key)
     where exists (select from purchase_keys k where k.client_id = asked.client_id and k.key = asked.key)`,
    [keys.map(({ client_id }) => client_id), keys.map(({ key }) => key)],
  );
  return new Set(rows.map(keyText));
}

function keyText({ client_id, key }: PurchaseKey): string {
  return JSON.stringify([client_id, key]);
}

/** Of all orders here that have one of these payments. */
async function paidOrders(client: ClientBase, orders: readonly ReadOrder[]): Promise<Set<string>> {
  const references = orders.flatMap(({ payment }) => (payment ? [payment.reference] : []));
  const { rows } = await client.query<PaymentReference>(PAID, [references]);
  return new Set(rows.map(referenceText));
}

const PAID = `
  select summary #>> '{payment,provider}' as provider, summary #>> '{payment,reference}' as reference
  from orders where summary #>> '{payment,reference}' = any($1)`;

function referenceText({ provider, reference }: PaymentReference): string {
  return JSON.stringify([provider, reference]);
}

/** Those of these barcodes that are in use here, by seats or by files. */
async function usedBarcodes(client: ClientBase, orders: readonly ReadOrder[]): Promise<Set<string>> {
  const digests = orders.flatMap(({ barcodes }) => [...barcodes.keys()]);
  if (digests.length === 0) return new Set();
  const { rows } = await client.query<{ digest: Buffer }>(
    'select digest from used_barcodes where digest = any($1::bytea[])',
    [digests],
  );
  return new Set(rows.map(({ digest }) => `\\x${digest.toString('hex')}`));
}

function addedOrder(order: ImportedOrder, rows: ImportedRows): ReadOrder {
  const { id, stream, events, context } = order;
  const { payment } = context.after;
  const [key] = purchaseKeysOf(order);
  return {
    number: rows.add(order),
    id,
    stream,
    eventIds: events.flatMap(({ type, event_id: eventId }) => (type === 'OrderImported' ? [] : eventId)),
    key,
    barcodes: new Map(usedBarcodesOf(order).map(({ digest, seat }) => [digest, seat])),
    payment: 'reference' in payment ? { provider: payment.provider, reference: payment.reference } : undefined,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
