import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORT_GROUPS, type ReportGroup, type ReportName, REPORTS } from '../report.contract.js';
import { OrderRules } from '#orders/order-changes';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { fillLog } from '../../../../test/support/orders/bulk-log.js';
import { loggedOrders, type LoggedOrder } from '../../../../test/support/orders/logged-orders.js';
import { OrderReports } from './order-reports.js';

const ORDERS = 1_500;
const HOUR_MS = 3_600_000;
const ALL_TIME = { from: '0001-01-01T00:00:00.000Z', to: 'infinity', sellers: null };
const SELLERS = ['Front Row', 'Back Row', "O'Neil; drop table orders"];

let database: TestDatabase;
let pool: Pool;
let reports: OrderReports;
/** What the events say, without the read models. */
let logged: readonly LoggedOrder[];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
  await fillLog(pool, ORDERS, {
    everyMs: HOUR_MS / 2,
    purchase: (purchase, number) => ({
      ...purchase,
      product: { ...purchase.product, event_id: ['7', '8', 'gala', '99999999999'][number % 4] ?? '' },
      ...(number % 5 < 3 && { seller: SELLERS[number % 3] ?? '' }),
    }),
  });
  await pool.query(
    `insert into clients (client_id, name, variant, created_at) values ('client-1', 'One', 'payment', now())`,
  );
  reports = new OrderReports(pool, new OrderRules(loadStatusCatalogue()));
  logged = await loggedOrders(pool);
  await pool.query(
    `insert into ledger_entries values ('seller-payment-1', 1, 'USD', '{"seller:Front Row",bank}', '{12345,-12345}', $1)`,
    [logged[500]?.placedAt],
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Row = Record<string, unknown>;
type Group = { key: Row; orders: LoggedOrder[] };

const groupOf: Readonly<Record<ReportGroup, (order: LoggedOrder) => Row>> = {
  day: ({ placedAt }) => ({ day: placedAt.slice(0, 10) }),
  event: ({ eventId }) => ({ event_id: eventId, name: null }),
  seller: ({ seller }) => ({ seller }),
  client: ({ clientId }) => ({ client_id: clientId, name: clientId === 'client-1' ? 'One' : null }),
};

const dollars = (orders: readonly LoggedOrder[]) => orders.reduce((sum, { totalCents }) => sum + totalCents, 0) / 100;
const tickets = (orders: readonly LoggedOrder[]) => orders.reduce((sum, { quantity }) => sum + quantity, 0);
const isIn = (status: string) => (order: LoggedOrder) => order.status?.status === status;
const hadOneOf =
  (...codes: readonly number[]) =>
  (order: LoggedOrder) =>
    order.codes.some((code) => codes.includes(code));
const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000);
const STATUSES = ['pending', 'confirmed', 'rejected', 'exception'];
const each = (value: (status: string) => unknown) => Object.fromEntries(STATUSES.map((name) => [name, value(name)]));

function times(name: string, milliseconds: readonly number[]): Row {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted.length === 0 ? null : (sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1_000;
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  return {
    [`${name}_avg_s`]: sorted.length === 0 ? null : Math.round(mean) / 1_000,
    [`${name}_p50_s`]: at(0.5),
    [`${name}_p90_s`]: at(0.9),
  };
}

const defined = (values: readonly (number | null)[]) => values.filter((value): value is number => value !== null);
const confirmTimes = (orders: readonly LoggedOrder[]) => defined(orders.map(({ confirmMs }) => confirmMs));
const shipTimes = (orders: readonly LoggedOrder[]) => defined(orders.map(({ shipMs }) => shipMs));

const figuresOf: Readonly<Record<ReportName, (orders: readonly LoggedOrder[]) => Row>> = {
  orders: (orders) => ({
    orders: orders.length,
    tickets: tickets(orders),
    ...each((status) => orders.filter(isIn(status)).length),
  }),
  money: (orders) => ({
    orders: orders.length,
    total: dollars(orders),
    ...each((status) => dollars(orders.filter(isIn(status)))),
    refunded: dollars(orders.filter((order) => isIn('rejected')(order) && order.refunded)),
  }),
  refusals: (orders) => ({ orders: orders.length, tickets: tickets(orders), total: dollars(orders) }),
  times: (orders) => ({
    orders: orders.length,
    automatic: orders.filter(({ isAutomatic }) => isAutomatic).length,
    confirmed: confirmTimes(orders).length,
    ...times('confirm', confirmTimes(orders)),
    shipped: shipTimes(orders).length,
    ...times('ship', shipTimes(orders)),
  }),
  sellers: (orders) => {
    const rejected = orders.filter(isIn('rejected')).length;
    const sent = orders.filter(({ isSent }) => isSent);
    const unfulfilled = orders.filter((order) => isIn('confirmed')(order) && !order.isSent);
    return {
      orders: orders.length,
      tickets: tickets(orders),
      total: dollars(orders),
      ...each((status) => orders.filter(isIn(status)).length),
      not_answered: orders.filter(({ status }) => status?.status_code === 3005).length,
      rejected_rate: share(rejected, orders.length),
      faults: orders.filter(hadOneOf(3003, 3004, 3005, 4001, 4004, 4005)).length,
      fault_rate: share(orders.filter(hadOneOf(3003, 3004, 3005, 4001, 4004, 4005)).length, orders.length),
      confirm_p50_s: times('confirm', confirmTimes(orders))['confirm_p50_s'],
      ship_p50_s: times('ship', shipTimes(orders))['ship_p50_s'],
      shipped: sent.length,
      shipping_accuracy: share(sent.length - sent.filter(hadOneOf(4001, 4004)).length, sent.length),
      unfulfilled: unfulfilled.length,
      exposure: dollars(unfulfilled),
      // Nothing of these happens to them.
      late: 0,
      declined: 0,
      expired: 0,
      refused: 0,
      speculative_not_delivered: 0,
      earned: dollars(orders.filter(isEarned)),
      refunded: 0,
    };
  },
};

/** Orders of versions before captures: all of the total is the seller's. Nobody but the buyer of a rejected order gets money back here. */
const isEarned = (order: LoggedOrder) => (order.isAutomatic || order.confirmMs !== null) && !isIn('rejected')(order);

const isPlaced = ({ stage }: LoggedOrder) => stage === 'placed';
const isRefused = (order: LoggedOrder) => isIn('rejected')(order) || ['declined', 'failed'].includes(order.stage);
const reasonOf = ({ stage, status }: LoggedOrder): Row => ({
  reason: stage === 'placed' ? status?.status : stage,
  status_code: status?.status_code ?? null,
  status_message: status?.status_message ?? null,
});

/** What these sellers were paid, and are owed by all of their orders. */
function accountsOf(sellers: readonly (string | null)[]): Row {
  const earned = logged.filter((order) => isPlaced(order) && sellers.includes(order.seller) && isEarned(order));
  const paid = sellers.includes('Front Row') ? 123.45 : 0;
  return { paid, owed: Math.round(100 * (dollars(earned) - paid)) / 100 };
}

/** Counts one order after the other. `sellers`: those whose accounts the caller sees. */
function counted(
  report: ReportName,
  by: ReportGroup,
  orders: readonly LoggedOrder[],
  sellers: readonly (string | null)[] = [...SELLERS, null],
) {
  const included = orders.filter(report === 'refusals' ? isRefused : isPlaced);
  const groups = new Map<string, Group>();
  for (const order of included) {
    const key = {
      ...groupOf[by](order),
      ...(report === 'refusals' && reasonOf(order)),
      ...(report === 'sellers' && { seller: order.seller }),
    };
    const group: Group = groups.get(JSON.stringify(key)) ?? { key, orders: [] };
    group.orders.push(order);
    groups.set(JSON.stringify(key), group);
  }
  const accounts = (of: readonly (string | null)[]) => report === 'sellers' && accountsOf(of);
  const beside = ({ orders: [first] }: Group) => (by === 'seller' ? accounts([first?.seller ?? null]) : NOT_OF_ONE);
  const rows = [...groups.values()].map((group) => ({
    ...group.key,
    ...figuresOf[report](group.orders),
    ...(report === 'sellers' && beside(group)),
  }));
  return { rows: sorted(rows), totals: { ...figuresOf[report](included), ...accounts(sellers) } };
}

const NOT_OF_ONE = { paid: null, owed: null };

const sorted = (rows: readonly Row[]) =>
  rows
    .map((row) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const CASES = REPORTS.flatMap((report) => REPORT_GROUPS.map((by) => ({ report, by })));

describe('the reports', () => {
  it('have orders of every kind to count', () => {
    const stages = new Set(logged.map(({ stage, status }) => status?.status ?? stage));
    expect([...stages].sort()).toEqual(['confirmed', 'declined', 'exception', 'failed', 'pending', 'rejected']);
    expect(confirmTimes(logged).length).toBeGreaterThan(30);
    expect(shipTimes(logged).length).toBeGreaterThan(30);
    expect(logged.filter(({ refunded }) => refunded).length).toBeGreaterThan(30);
    expect(logged.filter(({ isUnderReview, seller }) => isUnderReview && seller !== null).length).toBeGreaterThan(5);
    expect(logged.filter((order) => order.isSent && hadOneOf(4001, 4004)(order)).length).toBeGreaterThan(30);
  });

  it.each(CASES)('$report by $by is what counting the events gives', async ({ report, by }) => {
    const { rows, totals } = await reports.read({ ...ALL_TIME, report, by });
    expect({ rows: sorted(rows), totals }).toEqual(counted(report, by, logged));
  });

  it.each(CASES)(
    '$report by $by of a period and of some sellers is the same count of fewer orders',
    async ({ report, by }) => {
      const [from, to] = [logged[301]?.placedAt ?? '', logged[901]?.placedAt ?? ''];
      const sellers = SELLERS.slice(1);
      const some = logged.filter(
        ({ placedAt, seller, isUnderReview }) =>
          placedAt >= from && placedAt < to && seller !== null && sellers.includes(seller) && !isUnderReview,
      );
      expect(some.length).toBeGreaterThan(100);
      const { rows, totals } = await reports.read({ report, by, from, to, sellers });
      expect({ rows: sorted(rows), totals }).toEqual(counted(report, by, some, sellers));
    },
  );

  it('the days are those of a time zone, also around a change of its clocks', async () => {
    const timeZone = 'Europe/Berlin';
    const dayIn = new Intl.DateTimeFormat('sv-SE', { timeZone });
    const counts = new Map<string, number>();
    for (const { placedAt, stage } of logged) {
      const day = dayIn.format(new Date(placedAt));
      if (stage === 'placed') counts.set(day, (counts.get(day) ?? 0) + 1);
    }
    const { rows } = await reports.read({ ...ALL_TIME, report: 'orders', by: 'day', timeZone });
    expect(new Map(rows.map(({ day, orders }) => [day, orders]))).toEqual(counts);
    expect(rows).not.toEqual((await reports.read({ ...ALL_TIME, report: 'orders', by: 'day' })).rows);
  });

  it.each(REPORTS)('%s of no orders has no rows, and zeros as totals', async (report) => {
    const { rows, totals } = await reports.read({ ...ALL_TIME, report, by: 'day', sellers: [] });
    expect({ rows, totals }).toEqual(counted(report, 'day', [], []));
  });
});
