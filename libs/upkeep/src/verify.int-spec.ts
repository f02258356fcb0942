import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { ORDER_COLUMNS } from '#orders/orders.projection';
import { rebuild, TablesInUse } from '#orders/rebuild';
import { LiveOrders } from '../../../test/support/orders/live-orders.js';
import type { TestDatabase } from '../../../test/support/database.js';
import { databaseWithOrders, moveSomeToFeed, Tampering } from '../../../test/support/orders/tampering.js';
import { until } from '../../../test/support/until.js';
import { verify } from './verify.js';

let sound: TestDatabase;
let tampering: Tampering;

beforeAll(async () => {
  sound = await databaseWithOrders();
  return () => sound.drop();
});

beforeEach(async () => {
  tampering = await Tampering.with(sound);
  return () => tampering.end();
});

describe('a database that nobody tampered with', () => {
  it('agrees in everything, and much was checked', async () => {
    await tampering.stream();
    const { checked, found: kinds, differences } = await verify(tampering.pool);
    expect({ differences, kinds }).toEqual({ differences: [], kinds: {} });
    const { rows } = await tampering.pool.query<Record<string, number>>(`select
      (select count(*) from events) as events, (select count(distinct stream) from events) as streams,
      (select count(*) from feed) as feed, (select count(*) from listings) as listings,
      (select count(*) from orders) as orders, (select count(*) from status_history) as status_history,
      (select count(*) from ledger_entries) as ledger_entries, (select count(*) from disputes) as disputes,
      (select count(*) from money_tasks) as money_tasks,
      (select count(*) from pings) as pings, (select count(*) from ping_stream) as ping_stream, (select count(*) from purchase_keys) as purchase_keys,
      (select count(*) from personal_data_keys) as personal_data_keys, (select count(*) from audit_log) as audit_log`);
    expect(checked).toEqual(rows[0]);
    expect(Math.min(...Object.values(checked))).toBeGreaterThan(4);
    const stages = await tampering.sql('select distinct stage as id from orders order by 1');
    expect(stages).toEqual(['awaiting_payment', 'declined', 'failed', 'placed']);
    expect((await tampering.pool.query('select from outbox')).rowCount).toBeGreaterThan(0);
  });

  it('agrees at each moment while orders come in and change', async () => {
    let going = true;
    const whileGoing = async (work: () => Promise<unknown>) => {
      for (; going; await turn()) await work();
    };
    const busy = Promise.all([
      ...[1, 2, 3].map((seed) => {
        const others = new LiveOrders(tampering.pool, new SeededRandomness(seed));
        return whileGoing(() => others.step());
      }),
      whileGoing(() => moveSomeToFeed(tampering.pool)),
    ]);
    const events: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { differences, checked } = await verify(tampering.pool);
      expect(differences).toEqual([]);
      events.push(checked.events);
    }
    going = false;
    await busy;
    expect(new Set(events).size).toBe(5);
  });

  it('cannot be verified while a table is rebuilt, nor rebuilt while it is verified', async () => {
    const { pool, hand } = tampering;
    const isWaiting = async () => {
      const text = `select from pg_locks l join pg_database d on d.oid = l.database
        where datname = current_database() and locktype = 'relation' and not granted`;
      return (await pool.query(text)).rowCount === 1;
    };
    await hand.query('begin; lock table feed');
    const rebuilding = rebuild(pool, 'orders');
    await until(isWaiting);
    await expect(verify(pool)).rejects.toThrow(TablesInUse);
    await hand.query('commit');
    await rebuilding;

    await hand.query('begin; lock table pings');
    const verifying = verify(pool);
    await until(isWaiting);
    await expect(rebuild(pool, 'orders')).rejects.toThrow(TablesInUse);
    await hand.query('commit');
    expect((await verifying).differences).toEqual([]);
  });
});

describe('in the read models', () => {
  it('any changed column of an order is found, and named without its value', async () => {
    const id = await tampering.one(
      `select id from orders where status is not null and due_at is not null and personal is not null limit 1`,
    );
    for (const [column, type] of Object.entries(ORDER_COLUMNS)) {
      if (column === 'id') continue;
      const before = await tampering.one(`select ${column}::text as id from orders where id = $1`, [id]);
      await tampering.sql(`update orders set ${column} = ${otherValue(column, type)} where id = $1`, [id]);
      const differences = await tampering.found();
      expect(differences).toContain(`orders | ${id} | ${column} | is not what a replay gives`);
      // The id of a listing is no secret, and shows where to look.
      if (column !== 'listing_id') expect(differences.join()).not.toContain('MARKED');
      await tampering.sql(`update orders set ${column} = $2::${type} where id = $1`, [id, before]);
    }
    expect(await tampering.found()).toEqual([]);
  });

  it('missing and additional orders are found', async () => {
    const gone = await tampering.one(
      `delete from orders where id = (select min(id) from orders where stock_held = 0) returning id`,
    );
    await tampering.insertLike('orders', 'stock_held = 0', { id: 'ord_other' });
    expect(await tampering.found()).toEqual([
      `orders | ${gone} | the row is missing`,
      'orders | ord_other | the row has no events',
    ]);
  });

  it('missing, different and additional statuses are found', async () => {
    const gone =
      await tampering.one(`delete from status_history where order_id = (select max(order_id) from status_history)
      and sequence = 1 returning order_id as id`);
    const other =
      await tampering.one(`update status_history set actor = 'MARKED' where order_id = (select min(order_id) from status_history)
      and sequence = 1 returning order_id as id`);
    await tampering.insertLike('status_history', `order_id = '${other}'`, { sequence: 99 });
    expect(await tampering.found()).toEqual([
      `status_history | ${other} | 1 | actor | is not what a replay gives`,
      `status_history | ${other} | 99 | the row is one too many`,
      `status_history | ${gone} | 1 | the row is missing`,
    ]);
  });

  it('missing, different and additional rows of the ledger are found', async () => {
    const gone = await tampering.one(
      `delete from ledger_entries where stream = (select max(stream) from ledger_entries where position = 4) and position = 4
        returning stream as id`,
    );
    const other =
      await tampering.one(`update ledger_entries set amounts = array[4711, -4711], accounts = '{MARKED,buyer}'
      where stream = (select min(stream) from ledger_entries where position = 4) and position = 4 returning stream as id`);
    await tampering.insertLike('ledger_entries', `stream = '${other}'`, { position: 99 });
    await tampering.insertLike('ledger_entries', `stream = '${other}'`, { stream: 'provider-none', position: 1 });
    expect(await tampering.found()).toEqual([
      `ledger_entries | ${other} | 4 | accounts | is not what a replay gives`,
      `ledger_entries | ${other} | 4 | amounts | is not what a replay gives`,
      `ledger_entries | ${other} | 99 | the row is one too many`,
      `ledger_entries | ${gone} | 4 | the row is missing`,
      `ledger_entries | ${other} | 99 | the row has no event`,
      'ledger_entries | provider-none | 1 | the row has no event',
    ]);
  });

  it('missing, different and additional disputes are found, and named', async () => {
    const gone = await tampering.one('delete from disputes where id = (select min(id) from disputes) returning id');
    const other = await tampering.one(
      `update disputes set amount_cents = 4711 where id = (select max(id) from disputes) returning id`,
    );
    await tampering.insertLike('disputes', `id = '${other}'`, { id: 'dp_more' });
    await tampering.insertLike('disputes', `id = '${other}'`, { id: 'dp_other', order_id: 'ord_other' });
    expect((await tampering.found()).toSorted()).toEqual(
      [
        `disputes | ${gone} | the row is missing`,
        `disputes | ${other} | amount_cents | is not what a replay gives`,
        'disputes | dp_more | the row is one too many',
        'disputes | dp_other | the row has no events',
      ].toSorted(),
    );
  });

  it('missing, different and additional tasks of events are found, but not that a person ended one', async () => {
    const task = (order: string) =>
      `id = (select id from money_tasks where done_at is null order by id ${order} limit 1)`;
    await tampering.one(
      `update money_tasks set done_at = now(), done_by = 'operator:ann' where ${task('asc')} returning id`,
    );
    await tampering.insertLike('money_tasks', 'true', { id: 'tsk_1', subject: 'difference/x', order_id: null });
    expect(await tampering.found()).toEqual([]);
    const gone = await tampering.one(`delete from money_tasks where ${task('asc')} returning subject as id`);
    const other = await tampering.one(
      `update money_tasks set done_at = now(), ours = '4711' where ${task('desc')} returning subject as id`,
    );
    const like = `subject = '${other}'`;
    await tampering.insertLike('money_tasks', like, { id: 'tsk_2', subject: `${other}more` });
    await tampering.insertLike('money_tasks', like, { id: 'tsk_3', subject: 'dispute/o', order_id: 'ord_other' });
    expect((await tampering.found()).toSorted()).toEqual(
      [
        `money_tasks | ${gone} | the row is missing`,
        `money_tasks | ${other} | done_at | is not what a replay gives`,
        `money_tasks | ${other} | ours | is not what a replay gives`,
        `money_tasks | ${other}more | the row is one too many`,
        'money_tasks | dispute/o | the row has no events',
      ].toSorted(),
    );
  });

  it('rows that a worker still has to fill in after an upgrade are no difference', async () => {
    await tampering.sql('delete from ledger_entries');
    expect(await tampering.found()).not.toEqual([]);
    await tampering.sql('update ledger_filling set done_at = null');
    expect(await tampering.found()).toEqual([]);
  });

  it('of many differences the first twenty are named and all are counted', async () => {
    const changed = (await tampering.sql('update orders set transaction_id = $1 returning id', ['MARKED'])).length;
    const { found: counts, differences } = await verify(tampering.pool);
    expect(counts).toEqual({ orders: changed });
    expect(changed).toBeGreaterThan(20);
    expect(differences).toHaveLength(20);
  });
});

const OTHER: Readonly<Record<string, string>> = {
  text: `'MARKED'`,
  int: '4711',
  bigint: '4711',
  timestamptz: `'2020-01-01'`,
  json: `'{"MARKED":1}'`,
  bytea: `'\\x4711'`,
};

const otherValue = (column: string, type: string) => (type === 'boolean' ? `${column} is not true` : OTHER[type]);

describe('in the stock', () => {
  it('a missing or additional ticket is found', async () => {
    const less = await tampering.one(`update listings set available = available - 1
      where id = (select min(id) from listings where available > 0) returning id`);
    const more = await tampering.one(
      `update listings set offered = offered + 1 where id = (select max(id) from listings) returning id`,
    );
    expect(await tampering.found()).toEqual(
      [less, more].map((id) => `stock | ${id} | offered - available is not what the orders hold`),
    );
  });

  it('a seat that no order has is found', async () => {
    const id = await tampering.one(`update listings set held_seats = '{MARKED}'
      where id = (select min(id) from listings) returning id`);
    expect(await tampering.found()).toEqual([`stock | ${id} | the held seats are not those of the orders`]);
  });

  it('a missing listing, or one with a negative stock, is found', async () => {
    const gone = await tampering.one(
      `delete from listings where id = (select listing_id from orders where stock_held > 0 limit 1) returning id`,
    );
    await tampering.sql('alter table listings drop constraint listings_check');
    await tampering.sql('alter table listings drop constraint if exists listings_available_check');
    const less = await tampering.one(`update listings set offered = offered - available - 1, available = -1
      where id = (select min(id) from listings) returning id`);
    expect(await tampering.found()).toEqual([
      `stock | ${gone} | offered - available is not what the orders hold`,
      `stock | ${less} | fewer than none are available`,
    ]);
  });
});

describe('in the pings', () => {
  it('missing, different and additional ones are found', async () => {
    const gone =
      await tampering.one(`delete from pings where order_id = (select max(order_id) from pings) and sequence = 1
      returning order_id as id`);
    const other =
      await tampering.one(`update pings set status_code = 4711 where order_id = (select min(order_id) from pings) and sequence = 1
      returning order_id as id`);
    await tampering.insertLike('pings', `order_id = '${other}'`, { sequence: 99 });
    await tampering.insertLike('pings', `order_id = '${other}'`, { sequence: 99, order_id: 'ord_other' });
    expect(await tampering.found()).toEqual([
      `pings | ${other} | 1 | status_code | is not what a replay gives`,
      `pings | ${other} | 99 | the row is one too many`,
      `pings | ${gone} | 1 | the row is missing`,
      'pings | ord_other | 99 | the row has no events',
    ]);
  });

  it('their state of delivery is not compared', async () => {
    await tampering.sql(
      `update pings set state = 'delivered', delivered_at = now(), next_try_at = null, tries = 3, attempts = 5`,
    );
    expect(await tampering.found()).toEqual([]);
  });
});

describe('in the ping stream', () => {
  it('missing, different and additional entries are found', async () => {
    await tampering.stream();
    const said = (id: string, at: string) =>
      `ping_stream | ${id} | ${at} | the entry is not that of the ping and its place in the feed`;
    const [first = '', second = '', third = ''] = await tampering.sql(
      'select position as id from ping_stream order by position limit 3',
    );
    const orderAt = (at: string) => tampering.one('select order_id as id from ping_stream where position = $1', [at]);
    const expected = [said(await orderAt(first), first), said(await orderAt(second), second)];
    await tampering.sql('delete from ping_stream where position = $1', [first]);
    await tampering.sql(`update ping_stream set listing_id = 'MARKED' where position = $1`, [second]);
    await tampering.insertLike('ping_stream', `position = ${third}`, {
      position: 1e6,
      order_id: 'ord_other',
      sequence: 9,
    });
    expect((await tampering.found()).toSorted()).toEqual([...expected, said('ord_other', '1000000')].toSorted());
  });

  it('entries that the subscription has not reached yet are not differences', async () => {
    await tampering.stream();
    await tampering.sql(`update subscriptions set position = (select max(position) - 1 from ping_stream)`);
    await tampering.sql(`delete from ping_stream where position = (select max(position) from ping_stream)`);
    expect(await tampering.found()).toEqual([]);
  });
});

describe('among the keys', () => {
  it("a purchase key that is missing or another order's is found", async () => {
    const gone = await tampering.one(
      `delete from purchase_keys where (client_id, key) = (select min(client_id), min(key) from purchase_keys where client_id = 'client-0') returning order_id as id`,
    );
    const other = await tampering.one(`update purchase_keys set key = 'ref:MARKED'
      where (client_id, key) = (select 'client-1', max(key) from purchase_keys where client_id = 'client-1') returning order_id as id`);
    const differences = await tampering.found();
    expect(differences.toSorted()).toEqual(
      [
        ...[gone, other].map((id) => `purchase_keys | ${id} | the key is missing`),
        `purchase_keys | ${other} | the key is not the one that the order was received with`,
      ].toSorted(),
    );
  });

  it('a key that a failed attempt still occupies is found', async () => {
    const failed = await tampering.one(`insert into purchase_keys
      select o.client_id, e.data ->> 'duplicate_key', o.id from orders o join events e on e.stream = 'order-' || o.id and e.position = 1
      where stage in ('declined', 'failed') and e.data ->> 'duplicate_key' is not null
        and not exists (select from purchase_keys k where k.client_id = o.client_id and k.key = e.data ->> 'duplicate_key')
      limit 1 returning order_id as id`);
    expect(await tampering.found()).toEqual([`purchase_keys | ${failed} | the key of a failed attempt is still taken`]);
  });

  it('a missing key of personal data is found, and one that should have been deleted', async () => {
    const gone =
      await tampering.one(`delete from personal_data_keys where order_id = (select min(order_id) from personal_data_keys)
      returning order_id as id`);
    const erased = await tampering.one(`insert into personal_data_keys
      select id, '\\x00', null from orders where summary ->> 'personal_data' = 'erased' limit 1 returning order_id as id`);
    await tampering.sql(`insert into personal_data_keys values ('ord_other', '\\x00', null)`);
    expect((await tampering.found()).toSorted()).toEqual(
      [
        `personal_data_keys | ${gone} | the row is missing`,
        `personal_data_keys | ${erased} | the row is one too many`,
        'personal_data_keys | ord_other | the key has no events',
      ].toSorted(),
    );
  });
});

describe('the audit log', () => {
  it('a changed entry is found, also if its hash was computed anew', async () => {
    await tampering.sql(
      `update audit_log set entry = replace(entry, 'ord_3', 'ord_9'), subject = 'order:ord_9' where position = 3`,
    );
    expect(await tampering.found()).toEqual([
      'audit | aud_3 | 3 | the entry was changed, or one before it was removed',
    ]);
    await tampering.sql(`update audit_log set hash = sha256((select hash from audit_log where position = 2)
      || convert_to(id || entry, 'UTF8')) where position = 3`);
    expect(await tampering.found()).toEqual([
      'audit | aud_4 | 4 | the entry was changed, or one before it was removed',
    ]);
  });

  it('a missing entry is found', async () => {
    await tampering.sql('delete from audit_log where position = 4');
    expect((await tampering.found()).toSorted()).toEqual([
      'audit | aud_5 | 5 | an entry is missing before this position',
      'audit | aud_5 | 5 | the entry was changed, or one before it was removed',
    ]);
  });

  it('a changed column is found', async () => {
    await tampering.sql(`update audit_log set actor = 'system' where position = 2`);
    expect(await tampering.found()).toEqual(['audit | aud_2 | 2 | the columns differ from the entry']);
  });
});
