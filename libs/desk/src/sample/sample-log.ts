import type { ClientBase, Pool } from 'pg';
import type { LedgerKey } from '#event-store/hash-chain';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import type { AppendedRows } from '#event-store/append-statement';
import { EventStore } from '#event-store/event-store';
import type { Clock } from '#base/clock';
import type { Ids } from '#base/ids';
import { ORDER_STREAM } from '#orders/order-stream';

/** Collects appends in memory and writes them with a few statements. Thousands of statements would slow down the first start. */
export class SampleLog extends EventStore<Order, OrderEvent> {
  readonly #appends: AppendedRows[] = [];

  constructor(pool: Pool, clock: Clock, ids: Ids, key: LedgerKey) {
    super(pool, ORDER_STREAM, clock, ids, { key });
  }

  protected override async write(append: AppendedRows): Promise<void> {
    this.#appends.push(append);
  }

  /** The database must have no orders, and its listings enough tickets. */
  async flush(client: ClientBase): Promise<void> {
    const events = this.#appends.flatMap(({ stream, metadata, recordedAt: recorded_at, events: rows }) =>
      rows.map(({ hash, ...row }) => ({ ...row, stream, metadata, recorded_at, hash: `\\x${hash.toString('hex')}` })),
    );
    await client.query(WRITE_EVENTS, [JSON.stringify(events)]);
    await client.query(WRITE_OUTBOX, [JSON.stringify(events)]);
    for (const [index, projection] of ORDER_STREAM.projections.entries()) {
      const { name, columns } = projection;
      // Its projection writes one sale of a listing; here each listing has many.
      if (name === 'stock') continue;
      const all = this.#appends.flatMap(({ written }) => written[index] ?? []);
      const rows = name === 'orders' ? lastOfEach(all as { id: string }[]) : all;
      const types = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`);
      const source = `json_to_recordset($1) as "${name}"(${types.join(', ')})`;
      if (rows.length > 0) await client.query(projection.statement(source), [JSON.stringify(rows)]);
    }
    await client.query(TAKE_STOCK);
  }
}

/** The read model has one row for an order. */
function lastOfEach(rows: readonly Readonly<{ id: string }>[]): object[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

const EVENTS = `json_to_recordset($1) as appended (stream text, position int, event_id text, type text, data text,
  metadata text, recorded_at timestamptz, hash bytea)`;

// The hash is over the very text of data and metadata.
const WRITE_EVENTS = `
  insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
  select stream, position, event_id, type, data::json, metadata::json, recorded_at, hash from ${EVENTS}`;

const WRITE_OUTBOX = `
  insert into outbox (stream, stream_position, recorded_at)
  select stream, position, recorded_at from ${EVENTS} order by recorded_at, stream, position`;

const TAKE_STOCK = `
  update listings set available = offered - held
  from (select listing_id, sum(stock_held) as held from orders group by listing_id) as sold
  where listings.id = sold.listing_id`;
