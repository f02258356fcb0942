import { setImmediate as othersTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventArchive } from '#event-store/event-archive';
import type { ParsedCondition } from '#orders/order-condition.contract';
import { EXPORT_COLUMNS, type ExportArguments, type ExportColumn } from '../order-export.contract.js';
import { Sealer } from '#base/sealing';
import { stringifyJson } from '#base/json';
import { OrderFinder, type OrderShape, type SearchAccess, type SearchPosition } from '#orders/order-finder';
import { BYTE_ORDER_MARK, csvLine } from './csv-text.js';
import { ExportShape, type ExportValue } from './export-columns.js';
import { OpenedOrder } from './opened-order.js';
import { LINE_COLUMNS, withArchivedTexts, writeOrderLine } from './order-lines.js';
import { Utf8Text } from '#base/utf8-text';
import { xlsxFile } from './xlsx-file.js';

/** Orders that meet a condition, or these orders. */
type ExportSelection = Readonly<{ where?: ParsedCondition | undefined; ids?: readonly string[] | undefined }>;

export type ExportRequest = ExportArguments &
  Readonly<{
    selection: ExportSelection;
    access: SearchAccess;
    /** Whether the buyers' data is shown with the beginning of each text only. */
    isMasked: boolean;
  }>;

/** Called again and again with the number of orders so far. May throw to end the export. */
export type OnOrders = (orders: number) => void;

type Texts = readonly (string | null)[];
type Read = (shape: OrderShape, pageOrders: number) => AsyncGenerator<Texts[]>;

// Planning a page takes about as long as 50 of its orders. Two pages are in memory, each of up to 1.5 MB. What is larger outlives the
// first collections of the garbage collector, which then moves it twice and keeps 60 MB more.
const PAGE_ROWS = 1_000;
const PAGE_WHOLE_ORDERS = 500;
// These take a few milliseconds of the thread. In between other work of the process goes on, and the socket is read, so that PostgreSQL can
// write on.
const ORDERS_AT_ONCE = 100;
const IDS_AT_ONCE = 500;
const SOURCE = `orders o left join personal_data_keys k on k.order_id = o.id
  left join order_desk d on d.order_id = o.id left join operators p on p.id = d.assignee`;

/** Writes orders, newest first, as a file. It holds two pages in memory, and an order that is placed meanwhile is not in the file. */
@Injectable()
export class OrderExport {
  constructor(
    private readonly pool: Pool,
    private readonly finder: OrderFinder,
    private readonly sealer: Sealer,
    private readonly archive: EventArchive,
  ) {}

  /** The number of orders that the file would have now. */
  async count({ selection, access }: Pick<ExportRequest, 'selection' | 'access'>): Promise<number> {
    let orders = 0;
    for (const where of conditionsOf(selection)) orders += await this.finder.count({ where, q: undefined }, access);
    return orders;
  }

  /** The content of the file, piece by piece. Reads on only as far as the pieces are taken. */
  async *bytes(request: ExportRequest, onOrders: OnOrders = () => undefined): AsyncGenerator<Buffer> {
    const { format, columns } = request;
    let orders = 0;
    const read: Read = async function* (this: OrderExport, shape: OrderShape, pageOrders: number) {
      for await (const page of this.pages(request, shape, pageOrders)) {
        yield page;
        onOrders((orders += page.length));
      }
    }.bind(this);
    if (format === 'ndjson' && !columns) return yield* this.wholeOrders(read, request.isMasked);
    const names = columns ?? EXPORT_COLUMNS;
    const shape = new ExportShape(names);
    const rows = this.rows(read, shape, request.isMasked);
    if (format === 'xlsx') return yield* xlsxFile(shape.headings, shape.kinds, rows);
    if (format === 'csv')
      yield Buffer.from(`${request.bom === false ? '' : BYTE_ORDER_MARK}${csvLine(shape.headings)}`);
    const lines = new Utf8Text();
    for await (const page of rows) {
      for (const row of page) lines.add(format === 'csv' ? csvLine(row) : jsonLine(names, row));
      yield lines.take();
    }
  }

  private async *rows(read: Read, shape: ExportShape, isMasked: boolean): AsyncGenerator<ExportValue[][]> {
    for await (const page of read({ columns: ['o.id', ...shape.selected].join(', '), source: SOURCE }, PAGE_ROWS)) {
      yield page.map(([id, ...texts]) =>
        shape.row(texts, (sealed, key) => {
          return new OpenedOrder(this.sealer, id ?? '', key).personal(sealed, isMasked)?.data;
        }),
      );
    }
  }

  private async *wholeOrders(read: Read, isMasked: boolean): AsyncGenerator<Buffer> {
    const lines = new Utf8Text();
    for await (const page of read({ columns: LINE_COLUMNS.join(', '), source: SOURCE }, PAGE_WHOLE_ORDERS)) {
      const rows = await withArchivedTexts(this.pool, this.archive, page);
      for (const texts of rows) writeOrderLine(lines, texts, this.sealer, isMasked);
      yield lines.take();
    }
  }

  /** While one page is processed, the next one is read. */
  private async *pages(
    { selection, access }: ExportRequest,
    shape: OrderShape,
    pageOrders: number,
  ): AsyncGenerator<Texts[]> {
    for (const where of conditionsOf(selection)) {
      const read = async (after: SearchPosition | undefined): Promise<Texts[]> => {
        const question = { where, q: undefined, sort: 'placed_at.desc' } as const;
        const statement = this.finder.statement(question, { limit: pageOrders, after }, access, shape);
        return (await this.pool.query<string[]>({ ...statement, rowMode: 'array', types: RAW })).rows;
      };
      let next: Promise<Texts[]> | undefined = read(undefined);
      while (next) {
        const page: Texts[] = await next;
        const last = page.at(-1);
        next = last && page.length === pageOrders ? read({ id: last[0] ?? '', at: last.at(-1) ?? '' }) : undefined;
        // Awaited when the page is processed. Until then, a failure would be unhandled.
        next?.catch(() => undefined);
        for (let from = 0; from < page.length; from += ORDERS_AT_ONCE) {
          // Also before the first ones: only then is the statement of the next page sent.
          await othersTurn();
          yield page.slice(from, from + ORDERS_AT_ONCE);
        }
      }
    }
  }
}

// The texts as PostgreSQL sends them: most are passed on, and parsing them would take most of the time.
const RAW = { getTypeParser: () => (text: string) => text };

function* conditionsOf({ where, ids }: ExportSelection): Generator<ParsedCondition | undefined> {
  if (!ids) return yield where;
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const chosen = { field: 'id', op: 'in', value: ids.slice(from, from + IDS_AT_ONCE) } as const;
    yield where ? { and: [where, chosen] } : chosen;
  }
}

function jsonLine(names: readonly ExportColumn[], row: readonly ExportValue[]): string {
  return `${stringifyJson(Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])))}\n`;
}
