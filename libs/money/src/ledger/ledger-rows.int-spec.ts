import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { EventStore } from '#event-store/event-store';
import { prepareScan, scanStreams } from '#event-store/stream-scan';
import { ledgerRows } from '#orders/ledger-entries.projection';
import { rebuild } from '#orders/rebuild';
import type { Logger } from '#platform/logger';
import { verify } from '#upkeep/verify';
import type { TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { connect, databaseWithOrders, moveSomeToFeed } from '../../../../test/support/orders/tampering.js';
import { LedgerBalances } from './ledger-balances.js';
import { LedgerFilling } from './ledger-filling.js';
import { LedgerList } from './ledger-list.js';
import { MONEY_STREAM, type MoneyEventStore } from './money-event-store.js';
import { ProviderPayouts } from './provider-payouts.js';
import { SellerPayments } from './seller-payments.js';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await databaseWithOrders();
  pool = connect(database);
  const clock = new FixedClock('2026-03-02T10:00:00.000Z');
  const store: MoneyEventStore = new EventStore(pool, MONEY_STREAM, clock, new TimeOrderedIds());
  const metadata = { transaction_id: 't', actor: 'system:test' };
  const paid = { seller: 'Front, Row "A"', amount_cents: 700, currency: 'USD', paid_on: '2026-03-02' };
  await new SellerPayments(store).record({ ...paid, reference: 'SEPA {1}' }, metadata);
  for (const reference of ['po_1', 'po_2']) {
    const payout = {
      reference,
      amountCents: 900,
      currency: 'USD',
      state: 'paid',
      arrivesAt: '2026-03-03T00:00:00Z',
    } as const;
    await new ProviderPayouts(store).record('sandbox', payout, metadata);
  }
  await moveSomeToFeed(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const stored = async () =>
  (await pool.query('select l::text as row from ledger_entries l order by stream, position')).rows.map(
    ({ row }: { row: string }) => row,
  );

const silent = { info: () => undefined } as Partial<Logger> as Logger;

describe('the rows of the ledger', () => {
  it('are verified, those of payouts and payments to sellers too', async () => {
    expect((await verify(pool)).differences).toEqual([]);
    const { rows } = await pool.query(
      `select stream, accounts, amounts from ledger_entries where stream not like 'order-%' order by stream, position`,
    );
    expect(rows).toEqual([
      { stream: 'provider-sandbox', accounts: ['bank', 'provider:sandbox'], amounts: [900, -900] },
      { stream: 'provider-sandbox', accounts: ['bank', 'provider:sandbox'], amounts: [900, -900] },
      { stream: 'seller-payment-SEPA {1}', accounts: ['seller:Front, Row "A"', 'bank'], amounts: [700, -700] },
    ]);
  });

  it('are the same after a rebuild, and the other tables can still be rebuilt', async () => {
    const before = await stored();
    expect(before.length).toBeGreaterThan(40);
    await pool.query('delete from ledger_entries');
    await rebuild(pool, 'ledger_entries');
    expect(await stored()).toEqual(before);
    await rebuild(pool, 'orders');
    expect((await verify(pool)).differences).toEqual([]);
  });

  it('of earlier orders are filled in by the worker, by two at once too', async () => {
    const before = await stored();
    await pool.query(
      `delete from ledger_entries where stream > (select stream from ledger_entries order by 1 offset 9 limit 1)`,
    );
    await pool.query(`update ledger_filling set done_at = null, read_to = ''`);
    const fill = async () => {
      for (const filling = new LedgerFilling(pool, silent); await filling.run(););
    };
    await Promise.all([fill(), fill()]);
    expect(await stored()).toEqual(before);
    expect((await pool.query('select from ledger_filling where done_at is not null')).rowCount).toBe(1);
  });

  it.each([
    ['does not add up', '{a,b}', '{5,-4}'],
    ['has an amount without an account', '{a}', '{5,-5}'],
    ['has no amounts', '{}', '{}'],
    ['has an unknown amount', '{a,b,c}', '{5,-5,null}'],
  ])('are refused by the database if one %s', async (_what, accounts, amounts) => {
    const insert = 'insert into ledger_entries values ($1, 1, $2, $3, $4, now())';
    await expect(pool.query(insert, ['order-x', 'USD', accounts, amounts])).rejects.toMatchObject({ code: '23514' });
    const change = 'update ledger_entries set accounts = $1, amounts = $2';
    await expect(pool.query(change, [accounts, amounts])).rejects.toMatchObject({ code: '23514' });
  });

  it('cannot be changed or removed by api and worker', async () => {
    const { rows } = await pool.query<{ may: boolean }>(
      `select has_table_privilege('willcall_app', 'ledger_entries', 'update') or has_table_privilege('willcall_app', 'ledger_entries', 'delete') as may`,
    );
    expect(rows).toEqual([{ may: false }]);
  });
});

describe('the balances', () => {
  it('at each position are what the events up to there have posted', async () => {
    const placed = new Map<string, number>();
    const { rows: feed } = await pool.query<{ position: string; stream: string; stream_position: number }>(
      'select * from feed',
    );
    for (const { position, stream, stream_position } of feed)
      placed.set(`${stream} ${stream_position}`, Number(position));
    const posted: { at: number; account: string; cents: number }[] = [];
    const client = await pool.connect();
    await prepareScan(client);
    for await (const streams of scanStreams(client)) {
      for (const events of streams) {
        for (const { stream, position, accounts, amounts } of ledgerRows(events)) {
          const at = placed.get(`${stream} ${position}`) ?? Number.NaN;
          const names = (accounts.match(/"(?:[^"\\]|\\.)*"|[^{},]+/g) ?? []).map((name) =>
            name.replace(/^"|"$|\\(?=.)/g, ''),
          );
          amounts
            .slice(1, -1)
            .split(',')
            .forEach((cents, index) => posted.push({ at, account: names[index] ?? '', cents: Number(cents) }));
        }
      }
    }
    client.release(true);
    const balances = new LedgerBalances(pool);
    const end = feed.length;
    for (let position = 0; position <= end; position += 1 + Math.floor(end / 40)) {
      const expected = new Map<string, number>();
      for (const { at, account, cents } of posted) {
        if (at <= position) expected.set(account, (expected.get(account) ?? 0) + cents);
      }
      const { accounts } = await balances.read({ position });
      expect(Object.fromEntries(accounts.map(({ account, balance }) => [account, Math.round(balance * 100)]))).toEqual(
        Object.fromEntries(expected),
      );
      expect(accounts.reduce((sum, { balance }) => sum + Math.round(balance * 100), 0)).toBe(0);
    }
  });
});

describe('the entries', () => {
  it('are the same, whether they are near the end of the feed or far from it', async () => {
    const list = new LedgerList(pool);
    const middle = await pool.query<{ at: Date }>(
      'select recorded_at as at from ledger_entries order by 1 offset 20 limit 1',
    );
    const at = middle.rows[0]?.at.toISOString();
    const filters = [
      {},
      { account: 'bank' },
      { from: at },
      { to: at },
      { account: 'buyer', from: at },
      { account: 'nobody' },
    ];
    const pages = () =>
      Promise.all(
        filters.flatMap((filter) => [
          list.read(filter, { limit: 1_000, after: undefined }),
          list.read(filter, { limit: 7, after: undefined }),
          list.read(filter, { limit: 7, after: { position: 60, number: 0 } }),
        ]),
      );
    const near = await pages();
    expect(near.map((page) => page.length)).toContain(7);
    // More positions than a walk back looks at.
    const far = `insert into feed select (select max(position) from feed) + n, 'other', n from generate_series(1, 30000) n`;
    await pool.query(far);
    expect(await pages()).toEqual(near);
  });
});
