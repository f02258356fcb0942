import type { ClientBase, Pool } from 'pg';
import type { Sealer } from '#base/sealing';
import { copyRows } from '#database/copy-rows';
import type { CopiedRow } from '#database/copy-text';
import { orderIdOf } from '#domain/order-stream';
import { chainHash, GENESIS } from '#event-store/hash-chain';
import { personalDataKeysProjection } from '#orders/personal-data-keys.projection';
import { ordersProjection } from '#orders/orders.projection';
import { statusHistoryProjection } from '#orders/status-history.projection';
import { duePingsProjection } from '#outbound/due-pings.projection';
import { SeededRandomness } from '#base/seeded-randomness';
import { type OrderHistory, OrderHistories } from './order-histories.js';

// Few enough that a batch is garbage before it moves to the old generation.
const ORDERS_AT_ONCE = 250;
const LOADED = ['orders', 'personal_data_keys', 'status_history', 'pings', 'feed', 'order_desk', 'order_notes'];

export type LoadedOrders = Readonly<{ orders: number; events: number; seconds: number }>;

/** Fills an empty database with whole orders: events with their hash chain, read models, pings, and what the desk keeps beside them. */
export async function loadOrders(
  pool: Pool,
  sealer: Sealer,
  orders: number,
  say: (line: string) => void,
): Promise<LoadedOrders> {
  const began = performance.now();
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  const [log, models] = clients;
  try {
    for (const client of clients) await client.query('set synchronous_commit = off');
    const indexes = await withoutIndexes(models);
    const histories = new OrderHistories(orders, sealer, Date.now());
    let events = 0;
    let written: Promise<unknown> = Promise.resolve();
    for (let first = 0; first < orders; first += ORDERS_AT_ONCE) {
      const count = Math.min(ORDERS_AT_ONCE, orders - first);
      const batch = Array.from({ length: count }, (_, index) => histories.history(first + index));
      await written;
      written = Promise.all([writeLog(log, batch, events), writeModels(models, batch, first)]);
      written.catch(() => undefined);
      events += batch.reduce((sum, { appended }) => sum + appended.length, 0);
      if (first % 100_000 === 0) say(`${first} orders of ${orders}`);
    }
    await written;
    say(`${orders} orders, ${events} events; indexes …`);
    await models.query(`set maintenance_work_mem = '512MB'`);
    for (const index of indexes) await models.query(index);
    await models.query(FEED_WAS_FOLLOWED);
    await models.query('vacuum analyze');
    // Otherwise the next checkpoint would write all of it while the bench measures.
    await models.query('checkpoint');
    return { orders, events, seconds: (performance.now() - began) / 1_000 };
  } finally {
    for (const client of clients) client.release(true);
  }
}

/** Building an index over all rows is a tenth of the work. Returns the statements that make them again. */
async function withoutIndexes(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [LOADED],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  // That of a partitioned table would be made without those of its partitions.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

async function writeLog(client: ClientBase, histories: readonly OrderHistory[], before: number): Promise<void> {
  const events: CopiedRow[] = [];
  for (const { appended } of histories) {
    let hash: Buffer = GENESIS;
    // All events of an order have the same.
    const metadata = JSON.stringify(appended[0]?.metadata);
    for (const { stream, position, event_id, type, recorded_at, ...event } of appended) {
      const row = { stream, position, event_id, type, recorded_at, data: JSON.stringify(event.data), metadata };
      hash = chainHash(hash, row);
      events.push({ ...row, hash: `\\x${hash.toString('hex')}` });
    }
  }
  await copyRows(
    client,
    'events',
    ['stream', 'position', 'event_id', 'type', 'data', 'metadata', 'recorded_at', 'hash'],
    events,
  );
  const feed = events.map(({ stream, position }, index) => ({
    position: before + index + 1,
    stream: stream ?? null,
    stream_position: position ?? null,
  }));
  await copyRows(client, 'feed', ['position', 'stream', 'stream_position'], feed);
}

const PING_COLUMNS = [...Object.keys(duePingsProjection.columns), 'state', 'due_since', 'tries', 'attempts'];

async function writeModels(client: ClientBase, histories: readonly OrderHistory[], first: number): Promise<void> {
  const random = new SeededRandomness(first + 1);
  const copy = (table: string, columns: readonly string[], rows: readonly object[]) =>
    copyRows(client, table, columns, rows as readonly CopiedRow[]);
  for (const projection of [ordersProjection, statusHistoryProjection]) {
    const rows = histories.flatMap((history) => projection.rows(history));
    await copy(projection.name, Object.keys(projection.columns), rows);
  }
  const keys = histories.flatMap((history) => personalDataKeysProjection.rows(history)) as {
    other_digests: string[] | null;
  }[];
  await copy(
    'personal_data_keys',
    Object.keys(personalDataKeysProjection.columns),
    keys.map((key) => ({ ...key, other_digests: key.other_digests && `{${key.other_digests.join(',')}}` })),
  );
  const pings = histories.flatMap((history) => {
    const state = random.fraction() < 0.002 ? 'parked' : 'delivered';
    return duePingsProjection.rows(history).map((ping) => {
      return { ...ping, state, due_since: (ping as { occurred_at: string }).occurred_at, tries: 1, attempts: 1 };
    });
  });
  await copy('pings', PING_COLUMNS, pings);
  const ids = histories.map(({ stream, after }) => ({
    id: orderIdOf(stream),
    at: after.known ? after.receivedAt : null,
  }));
  const handled = ids.filter(() => random.fraction() < 0.05);
  await copy(
    'order_desk',
    ['order_id', 'assignee', 'tags'],
    handled.map(({ id }) => {
      const tags = random.fraction() < 0.4 ? `{${random.pick(['vip', 'late', 'school', 'refund-asked'])}}` : '{}';
      return { order_id: id, assignee: `opr_${random.integer(40)}`, tags };
    }),
  );
  await copy(
    'order_notes',
    ['id', 'order_id', 'at', 'author', 'visibility', 'sealed'],
    handled
      .filter(() => random.fraction() < 0.3)
      .map(({ id, at }) => ({
        id: `not_${id}`,
        order_id: id,
        at,
        author: 'operator:opr_1',
        visibility: 'internal',
        sealed: 'main:',
      })),
  );
}

// Otherwise a worker would first pass millions of old events to the ping stream and the schedule of pings, beside what is measured.
const FEED_WAS_FOLLOWED = `
  insert into subscriptions (name, position)
  select followed.name, feed.last from (values ('ping-stream'), ('ping-doorbells')) as followed (name)
  cross join (select coalesce(max(position), 0) as last from feed) as feed
  on conflict (name) do update set position = excluded.position`;
