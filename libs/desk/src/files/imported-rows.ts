import type { ClientBase } from 'pg';
import { arrayText } from '#database/array-text';
import { copyText } from '#database/copy-rows';
import { type CopiedRow, CopyText } from '#database/copy-text';
import { freesPurchaseKey } from '#domain/order-effects';
import { duePingsProjection } from '#outbound/due-pings.projection';
import { usedBarcodesProjection } from '#orders/barcodes.projection';
import { personalDataKeyRow, personalDataKeysProjection } from '#orders/personal-data-keys.projection';
import { type PurchaseKeyRow, purchaseKeyRows } from '#orders/purchase-keys.projection';
import { disputesProjection } from '#orders/disputes.projection';
import { ledgerEntriesProjection } from '#orders/ledger-entries.projection';
import { MONEY_TASK_COLUMNS, moneyTaskRows } from '#orders/money-tasks.projection';
import { ordersProjection } from '#orders/orders.projection';
import { statusHistoryProjection } from '#orders/status-history.projection';
import type { ImportedOrder } from './imported-order.js';

/** `digest` is hex as PostgreSQL reads it. */
type UsedBarcode = Readonly<{ digest: string; seat: string }>;

const EVENT_COLUMNS = ['stream', 'position', 'event_id', 'type', 'data', 'metadata', 'recorded_at', 'hash'];
const OUTBOX_COLUMNS = ['stream', 'stream_position', 'recorded_at'];
const PAST_PING = { state: 'delivered', imported: true };
const PING_COLUMNS = [
  ...Object.keys(duePingsProjection.columns),
  ...Object.keys(PAST_PING),
  'due_since',
  'delivered_at',
];

/**
 * The rows of imported orders as text for COPY. It is made as soon as an order is read: then the database waits less for the next table, and of
 * an order that waits to be written hardly any objects are left for the garbage collector.
 */
export class ImportedRows {
  readonly #streams: Readonly<{ stream: string; events: number }>[] = [];
  readonly #events = new CopyText('events', EVENT_COLUMNS);
  readonly #orders = new CopyText('orders', Object.keys(ordersProjection.columns));
  readonly #history = new CopyText('status_history', Object.keys(statusHistoryProjection.columns));
  readonly #pings = new CopyText('pings', PING_COLUMNS);
  readonly #ledger = new CopyText('ledger_entries', Object.keys(ledgerEntriesProjection.columns));
  readonly #purchaseKeys = new CopyText('purchase_keys', ['client_id', 'key', 'order_id']);
  readonly #dataKeys = new CopyText('personal_data_keys', Object.keys(personalDataKeysProjection.columns));
  readonly #disputes = new CopyText('disputes', Object.keys(disputesProjection.columns));
  readonly #tasks = new CopyText('money_tasks', Object.keys(MONEY_TASK_COLUMNS));
  readonly #barcodes = new CopyText('used_barcodes', Object.keys(usedBarcodesProjection.columns));
  readonly #desk = new CopyText('order_desk', ['order_id', 'tags']);

  /** Returns its number among the orders that were added, from 0. */
  add(order: ImportedOrder): number {
    const { id, stream, events, context, key, tags } = order;
    this.#events.addLines(events.map((event) => eventLine(stream, event)).join(''));
    this.#orders.addGroup(ordersProjection.rows(context) as CopiedRow[]);
    this.#history.addGroup(statusHistoryProjection.rows(context) as CopiedRow[]);
    this.#pings.addGroup((duePingsProjection.rows(context) as CopiedRow[]).map(deliveredPing));
    this.#ledger.addGroup(ledgerEntriesProjection.rows(context) as CopiedRow[]);
    this.#purchaseKeys.addGroup(purchaseKeysOf(order));
    this.#dataKeys.addGroup(key ? [withTextArray(personalDataKeyRow(stream, context.after, key))] : []);
    this.#disputes.addGroup(disputesProjection.rows(context) as CopiedRow[]);
    this.#tasks.addGroup(moneyTaskRows(context));
    this.#barcodes.addGroup(usedBarcodesOf(order));
    this.#desk.addGroup(tags.length > 0 ? [{ order_id: id, tags: arrayText(tags) }] : []);
    return this.#streams.push({ stream, events: events.length }) - 1;
  }

  /** Writes these orders, in the order of the locks that an append takes. The feed measures its lag by `now`. */
  async copy(client: ClientBase, numbers: readonly number[], now: string): Promise<void> {
    await copyText(client, this.#events, numbers);
    const outbox = new CopyText('outbox', OUTBOX_COLUMNS);
    outbox.addLines(numbers.map((number) => this.#outboxLines(number, now)).join(''));
    await copyText(client, outbox, [0]);
    const others = [
      this.#orders,
      this.#history,
      this.#pings,
      this.#ledger,
      this.#purchaseKeys,
      this.#dataKeys,
      this.#barcodes,
      this.#disputes,
      this.#tasks,
      this.#desk,
    ];
    for (const text of others) await copyText(client, text, numbers);
  }

  #outboxLines(number: number, now: string): string {
    const { stream, events } = this.#streams[number]!;
    let lines = '';
    for (let position = 1; position <= events; position += 1) lines += `${stream}\t${position}\t${now}\n`;
    return lines;
  }
}

/** What makes another order of the same purchase a duplicate. */
export function purchaseKeysOf({ stream, context: { after } }: ImportedOrder): readonly PurchaseKeyRow[] {
  return freesPurchaseKey(after) ? [] : purchaseKeyRows(stream, after);
}

/** Of seats: by its digest a barcode is found again where the order comes from, or came from before. */
export const usedBarcodesOf = ({ context }: ImportedOrder): readonly UsedBarcode[] =>
  usedBarcodesProjection.rows(context) as UsedBarcode[];

/** Ids, times and names of types have no character that needs quotes, and JSON has none either. */
function eventLine(stream: string, event: ImportedOrder['events'][number]): string {
  const { position, event_id, type, data, metadata, recorded_at, hash } = event;
  return `${stream}\t${position}\t${event_id}\t${type}\t${data}\t${metadata}\t${recorded_at}\t\\x${hash.toString('hex')}\n`;
}

/** The projection has made the row for this call, so it needs no copy. */
function deliveredPing(ping: CopiedRow): CopiedRow {
  const at = ping['occurred_at'] ?? null;
  return Object.assign(ping, PAST_PING, { due_since: at, delivered_at: at });
}

function withTextArray(row: ReturnType<typeof personalDataKeyRow>): CopiedRow {
  return Object.assign(row, { other_digests: row.other_digests && arrayText(row.other_digests) });
}
