import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { LedgerKey, LedgerKeys } from '#event-store/hash-chain';
import { Sealer } from '#base/sealing';
import { CardDataPolicy } from '#orders/card-data-policy';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { Mails } from '#fulfilment/mails';
import { OrderNotes } from '#orders/order-notes';
import { SystemRandomness } from '#base/randomness';
import { verify } from '#upkeep/verify';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { CountingIds, FixedClock } from '../../../test/support/fixed-clock.js';
import { moveSomeToFeed } from '../../../test/support/orders/tampering.js';
import { until } from '../../../test/support/until.js';
import { loadSampleData, nameSampleColleagues } from './sample-data.js';

const clock = new FixedClock('2026-11-22T15:00:00.000Z');
const sealer = new Sealer(Buffer.alloc(32, 7), new SystemRandomness());
const keys = new LedgerKeys([new LedgerKey(sealer.ledgerSecret)]);
const policy = new CardDataPolicy(parseSettings({}));
const clientOf = (variant: 'payment' | 'wholesale') => {
  return { clientId: 'demo-1', variant, sealer, settings: parseSettings({}) };
};

// A load takes two seconds on a quiet machine.
const TIMEOUT_MS = 180_000;

let database: TestDatabase;
let pool: Pool;

async function column<T>(sql: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await pool.query<{ value: T }>(sql, values);
  return rows.map(({ value }) => value);
}

describe('the sample orders', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = ownerPool(database.url);
    await loadSampleData(database.url, clock, clientOf('payment'));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('are a few hundred, with every status of the catalogue, over five weeks', async () => {
    const [orders] = await column<number>('select count(*)::int as value from orders');
    expect(orders).toBeGreaterThan(300);
    expect(orders).toBeLessThan(400);
    const codes = await column<number>('select distinct status_code as value from status_history order by 1');
    expect(codes).toEqual(
      loadStatusCatalogue()
        .entries.map(({ status }) => status.status_code)
        .toSorted((a, b) => a - b),
    );
    const now = await column<number>('select distinct status_code as value from orders where status_code is not null');
    expect(now.length).toBe(codes.length);
    const weeks = await column<string>(`select distinct date_trunc('week', placed_at)::text as value from orders`);
    expect(weeks.length).toBeGreaterThanOrEqual(5);
    const queues = await column<string>(
      'select distinct queue as value from orders where queue is not null order by 1',
    );
    expect(queues).toEqual(['exceptions', 'review', 'to_confirm', 'to_deliver', 'to_ship']);
    const [later] = await column<number>('select count(*)::int as value from events where recorded_at > $1', [
      clock.iso(),
    ]);
    expect(later).toBe(0);
  });

  it('agree with their events, their stock and the hash chains', async () => {
    expect(await verify(pool, { keys })).toMatchObject({ found: {}, differences: [] });
  });

  it('have money that was captured, released and given back, as the sandbox knows it', async () => {
    const states = await column<string>(
      `select distinct summary #>> '{payment,state}' as value from orders order by 1`,
    );
    expect(states).toEqual(['authorised', 'captured', 'declined', 'refunded', 'voided']);
    const [due] = await column<number>(
      'select count(*)::int as value from orders where payment_due_at <= $1::timestamptz',
      [clock.iso()],
    );
    expect(due).toBe(0);
    const differing = await column<string>(
      `select o.id as value from orders o left join sandbox_payments p on p.order_id = o.id
       cross join lateral (select coalesce(sum(amount_cents), 0) as cents from sandbox_refunds where order_id = o.id) refunded
       where coalesce(p.captured_cents, 0) <> (summary #>> '{payment,captured_cents}')::bigint
          or refunded.cents <> (summary #>> '{payment,refunded_cents}')::bigint
          or p.reference <> summary #>> '{payment,reference}'
          or p.created_at + interval '7 days' <> (summary #>> '{payment,capture_before}')::timestamptz`,
    );
    expect(differing).toEqual([]);
    const taken = await column<string>(
      `select e.stream as value from events e join sandbox_payments p on 'order-' || p.order_id = e.stream
       where e.type = 'PaymentCaptured' and e.recorded_at is distinct from p.captured_at`,
    );
    expect(taken).toEqual([]);
  });

  it('have been announced to the platform in the past, so that no ping is sent', async () => {
    const states = await column<string>('select distinct state as value from pings order by 1');
    expect(states).toEqual(['delivered', 'parked']);
    const [gaps] = await column<number>(
      `select count(*)::int as value from pings p where attempts <> (
        select count(*) from ping_attempts a where a.order_id = p.order_id and a.sequence = p.sequence)`,
    );
    expect(gaps).toBe(0);
  });

  it('are mailed to nobody, also if the mails are switched on before the feed has them', async () => {
    const mails = new Mails(pool, sealer, clock, new CountingIds());
    await mails.start();
    while ((await pool.query('select from outbox limit 1')).rowCount) await moveSomeToFeed(pool);
    while (await mails.scheduleFromFeed());
    const [reached] = await column<number>(
      `select position::int as value from subscriptions where name = 'mail-schedule'`,
    );
    expect(reached).toBeGreaterThan(600);
    expect(await column('select order_id as value from mails')).toEqual([]);
  });

  it('have ids in the order in which they were placed', async () => {
    const byId = await column<string>('select id as value from orders order by id');
    expect(await column<string>('select id as value from orders order by placed_at, id')).toEqual(byId);
  });

  it('keep their buyers and notes encrypted', async () => {
    const [order = ''] = await column<string>('select order_id as value from order_notes limit 1');
    const notes = await new OrderNotes(pool, clock, new CountingIds(), sealer, policy).ofOrder(order, ['internal']);
    expect(notes[0]?.text).toMatch(/\w+ \w+/);
    const [key] = await column<Buffer>('select key as value from personal_data_keys where order_id = $1', [order]);
    const [personal] = await column<Buffer>('select personal as value from orders where id = $1', [order]);
    expect(sealer.openPersonal(order, key ?? Buffer.alloc(0), personal ?? Buffer.alloc(0))).toMatchObject({
      user: { email: expect.stringContaining('@example.com') as string },
    });
  });

  it('name their colleagues as soon as there is an operator', async () => {
    await nameSampleColleagues(database.url);
    // Otherwise the administrator of the settings would not be created.
    expect(await column('select id as value from operators')).toEqual([]);
    await pool.query(`insert into operators (id, email, name, roles, state, created_at)
      values ('opr_1', 'admin@example.com', 'Administrator', '{administrator}', 'active', now())`);
    await nameSampleColleagues(database.url);
    await nameSampleColleagues(database.url);
    const removed = await column('select name as value from operators where state = $1 order by id', ['removed']);
    expect(removed).toEqual(['Mara Voss', 'Tom Okafor', 'Lin Castillo']);
    const [unnamed] = await column<number>(
      `select count(*)::int as value from status_history
       where actor like 'operator:%' and substr(actor, 10) not in (select id from operators)`,
    );
    expect(unnamed).toBe(0);
  });

  it('are not written a second time', async () => {
    const before = await column('select id as value from orders order by id');
    await loadSampleData(database.url, clock, clientOf('payment'));
    expect(await column('select id as value from orders order by id')).toEqual(before);
  });
});

describe('sample orders of which the load was killed', () => {
  it(
    'are all written by the next load, none twice, also in the wholesale variant',
    async () => {
      database = await createTestDatabase();
      pool = ownerPool(database.url);
      try {
        const gate = await pool.connect();
        await gate.query('begin; lock table recorded_requests in share mode');
        const killed = loadSampleData(database.url, clock, clientOf('wholesale')).catch((error: unknown) => error);
        const waiting = `from pg_stat_activity where application_name = 'willcall sample data'
        and datname = current_database() and wait_event_type = 'Lock'`;
        await until(async () => (await pool.query(`select ${waiting}`)).rowCount, { withinMs: 60_000 });
        await pool.query(`select pg_terminate_backend(pid) ${waiting}`);
        expect(await killed).toBeInstanceOf(Error);
        await gate.query('commit');
        gate.release();
        expect(await column('select id as value from orders')).toEqual([]);
        await loadSampleData(database.url, clock, clientOf('wholesale'));
        expect((await column('select id as value from orders')).length).toBeGreaterThan(300);
        expect(await verify(pool, { keys })).toMatchObject({ found: {}, differences: [] });
      } finally {
        await pool.end();
        await database.drop();
      }
    },
    TIMEOUT_MS,
  );
});
