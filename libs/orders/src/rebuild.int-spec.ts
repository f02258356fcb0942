import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { createPool } from '#database/pool';
import { moveToFeed } from '#event-store/feed-move';
import { fillLog } from '../../../test/support/orders/bulk-log.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { LiveOrders } from '../../../test/support/orders/live-orders.js';
import { tableCatalogue } from '../../../test/support/postgres/table-catalogue.js';
import { changedTables, tableState } from '../../../test/support/postgres/table-state.js';
import { until } from '../../../test/support/until.js';
import { rebuild, REBUILD_LOCK, TablesInUse } from './rebuild.js';
import type { Rebuildable } from './read-models/rebuildable.js';

const TABLES: readonly Rebuildable[] = ['orders', 'status_history', 'ledger_entries', 'disputes', 'money_tasks'];
const COMMENTED: Readonly<Record<Rebuildable, string>> = {
  orders: 'status',
  status_history: 'status',
  ledger_entries: 'currency',
  disputes: 'state',
  money_tasks: 'kind',
};
const EVERY_ID = [{ low: 0, high: 1e9 }];

let database: TestDatabase;
let pool: pg.Pool;
/** Uses the rights and the statements of the api and the worker. */
let served: pg.Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  served = createPool({ databaseUrl: database.url, max: 8, applicationName: 'served', onError: () => undefined });
  pool = createPool({
    databaseUrl: database.url,
    max: 12,
    applicationName: 'test',
    asOwner: true,
    statementTimeoutMs: 0,
    onError: () => undefined,
  });
});

afterEach(async () => {
  await Promise.all([pool.end(), served.end()]);
  await database.drop();
});

/** Other tests share the server. */
const OUR_LOCKS = `(select l.* from pg_locks l join pg_database d on d.oid = l.database where datname = current_database())`;

/** Returns whether a session waits for a table. */
async function isAwaited(table: string, mode: string): Promise<boolean> {
  const text = `select from ${OUR_LOCKS} as l where relation = $1::regclass and mode = $2 and not granted`;
  return (await pool.query(text, [table, mode])).rowCount === 1;
}

async function moveAllToFeed(): Promise<void> {
  const client = await pool.connect();
  while ((await moveToFeed(client, EVERY_ID)).length > 0);
  client.release();
}

describe('a rebuilt table', () => {
  it.each([11, 12, 13])('is what the appends of history %i have written, and nothing else changes', async (seed) => {
    const orders = new LiveOrders(served, new SeededRandomness(seed));
    await orders.live(150);
    await moveAllToFeed();
    await orders.live(40);
    await orders.dispute(40);
    await orders.choose(40);
    const before = await tableState(pool);
    expect(before).toMatchObject({ 'public.orders': expect.stringMatching(/^[1-9]\d+ rows/) });

    await pool.query(`update orders set quantity = 99, personal = null where id in (select id from orders limit 7);
      delete from orders where id = (select min(id) from orders);
      insert into status_history select id, 77, 1, 'confirmed', 2000, '', '', '', now() from orders limit 1`);
    await pool.query(`delete from ledger_entries where stream = (select min(stream) from ledger_entries);
      update ledger_entries set amounts = array[0, 0], accounts = '{a,b}' where stream = (select max(stream) from ledger_entries)`);
    await pool.query(`update disputes set state = 'won', amount_cents = 1; delete from disputes where id = (select min(id) from disputes);
      delete from money_tasks where id = (select min(id) from money_tasks); update money_tasks set ours = '1', kind = 'difference'`);
    const changed = [
      'public.disputes',
      'public.ledger_entries',
      'public.money_tasks',
      'public.orders',
      'public.status_history',
    ];
    expect(changedTables(before, await tableState(pool))).toEqual(changed);
    for (const table of TABLES) await rebuild(pool, table);
    expect(await tableState(pool)).toEqual(before);
  });

  it('keeps the tasks that people ended, those of time and of reconciliation, and the note of each', async () => {
    const orders = new LiveOrders(served, new SeededRandomness(14));
    await orders.live(60);
    await orders.dispute(30);
    const ended = `update money_tasks set done_at = '2026-05-01', done_by = 'operator:ann', note = 'Paid by hand.'
      where id = (select min(id) from money_tasks where done_at is null)`;
    expect((await pool.query(ended)).rowCount).toBe(1);
    await pool.query(`insert into money_tasks (id, subject, kind, order_id, ours, opened_at, done_at, done_by, note) values
      ('tsk_1', 'difference/stripe/ch_1', 'difference', null, '"here"', now(), now(), 'operator:ann', 'Theirs.'),
      ('tsk_2', 'hold_expires/ord_1/', 'hold_expires', 'ord_1', '12', now(), null, null, null),
      ('tsk_3', 'late_refund/ord_1/2026-05-01T00:00:00.000Z', 'refund_failed', 'ord_1', null, now(), null, null, null)`);
    const before = await tableState(pool);
    await pool.query(`delete from money_tasks where done_by is null and order_id <> 'ord_1'`);
    await rebuild(pool, 'money_tasks');
    expect(await tableState(pool)).toEqual(before);
  });

  it('is empty if the log is empty', async () => {
    expect(await rebuild(pool, 'orders')).toMatchObject({ events: 0, rows: 0 });
  });

  it.each(TABLES)('has the columns, indexes, constraints, rights and options of %s as it was', async (table) => {
    await pool.query(`alter table ${table} set (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
      alter table ${table} add constraint "has A name" check (position('x' in 'x') = 1);
      grant select on ${table} to willcall_app with grant option; grant select on ${table} to public;
      comment on column ${table}.${COMMENTED[table]} is 'a comment'`);
    const before = await tableCatalogue(pool, table);
    await rebuild(pool, table);
    const after = await tableCatalogue(pool, table);
    expect(after).toEqual(before);
    expect(before['indexes']?.length).toBeGreaterThan(0);
    expect((await pool.query(`select from pg_namespace where nspname like 'willcall%'`)).rowCount).toBe(0);
  });
});

describe('during reads and writes', () => {
  it.each(['in the outbox', 'in the feed'])(
    'no append is lost and no statement fails; events are %s',
    async (where) => {
      await fillLog(pool, 500);
      const { rows: known } = await pool.query<{ id: string }>('select id from orders limit 50');
      let going = true;
      let reads = 0;
      const whileRunning = async (work: () => Promise<unknown>) => {
        for (; going; await turn()) await work();
      };
      const busy = Promise.all([
        ...[1, 2, 3].map((seed) => {
          const orders = new LiveOrders(served, new SeededRandomness(seed));
          return whileRunning(() => orders.step());
        }),
        ...[1, 2].map((reader) =>
          whileRunning(async () => {
            const { id } = known[reads % known.length]!;
            reads += 1;
            const text =
              'select purchase::text from orders o join status_history h on h.order_id = o.id where o.id = $1';
            await served.query({ name: `read-${reader}`, text, values: [id] });
            const { rowCount } = await served.query({
              name: 'find',
              text: 'select from orders where id = $1',
              values: [id],
            });
            expect(rowCount).toBe(1);
          }),
        ),
        where === 'in the feed' ? whileRunning(moveAllToFeed) : undefined,
      ]).finally(() => (going = false));
      const reports = [];
      for (let round = 0; round < 2; round += 1) for (const table of TABLES) reports.push(await rebuild(pool, table));
      going = false;
      await busy;

      expect(reads).toBeGreaterThan(20);
      expect(reports.at(-1)!.events).toBeGreaterThan(reports[0]!.events);
      const before = await tableState(pool);
      for (const table of TABLES) await rebuild(pool, table);
      expect(changedTables(before, await tableState(pool))).toEqual([]);
    },
  );

  it('yields to a long transaction, lets others continue, and finishes after it', async () => {
    const orders = new LiveOrders(served, new SeededRandomness(5));
    await orders.live(60);
    const long = await pool.connect();
    await long.query('begin');
    await long.query('select from orders limit 1');
    const rebuilding = rebuild(pool, 'orders');
    const waits = () => isAwaited('orders', 'AccessExclusiveLock');
    await until(waits);
    await orders.live(20);
    await moveAllToFeed();
    await until(async () => !(await waits()));
    await orders.live(20);
    await long.query('commit');
    long.release();
    await rebuilding;

    const before = await tableState(pool);
    await rebuild(pool, 'orders');
    expect(changedTables(before, await tableState(pool))).toEqual([]);
  });
});

describe('a rebuild', () => {
  it('that is killed changes nothing, and leaves nothing that blocks the next one', async () => {
    await fillLog(pool, 1_500);
    const before = await tableState(pool);
    const catalogue = await tableCatalogue(pool, 'orders');
    let killing: Promise<unknown> | undefined;
    const kill = `select pg_terminate_backend(pid) from ${OUR_LOCKS} as l where locktype = 'advisory' and objid = ${REBUILD_LOCK}`;
    const killed = rebuild(pool, 'orders', () => (killing ??= pool.query(kill)));
    await expect(killed).rejects.toThrow();
    await killing;
    expect(changedTables(await tableState(pool), before)).toEqual([]);
    expect((await pool.query(`select from pg_namespace where nspname = 'willcall_rebuild'`)).rowCount).toBe(1);

    await until(() => rebuild(pool, 'orders'));
    expect(await tableState(pool)).toEqual(before);
    expect(await tableCatalogue(pool, 'orders')).toEqual(catalogue);
  });

  it('that fails removes its partial result', async () => {
    await new LiveOrders(served, new SeededRandomness(8)).live(20);
    await pool.query(`insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
      values ('order-ord_0', 1, 'evt_0', 'OrderConfirmed', '{}', '{}', now(), '')`);
    await expect(rebuild(pool, 'orders')).rejects.toThrow('An order begins with PurchaseReceived');
    expect((await pool.query(`select from pg_namespace where nspname = 'willcall_rebuild'`)).rowCount).toBe(0);
  });

  it('stops at an event of an unknown type, and changes nothing', async () => {
    await new LiveOrders(served, new SeededRandomness(9)).live(20);
    await pool.query(`insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
      select stream, max(position) + 1, 'evt_0', 'FromTheFuture', '{}', '{}', now(), '' from events group by stream limit 1`);
    const before = await tableState(pool);
    for (const table of TABLES) await expect(rebuild(pool, table)).rejects.toThrow('unknown type FromTheFuture');
    expect(await tableState(pool)).toEqual(before);
  });

  it('runs alone: a second one ends with a message', async () => {
    await new LiveOrders(served, new SeededRandomness(6)).live(40);
    const holder = await pool.connect();
    await holder.query('begin; lock table feed');
    const first = rebuild(pool, 'orders');
    await until(() => isAwaited('feed', 'AccessShareLock'));
    await expect(rebuild(pool, 'status_history')).rejects.toThrow(TablesInUse);
    await holder.query('commit');
    holder.release();
    await first;
    await rebuild(pool, 'status_history');
  });
});
