import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  MoneyReport,
  OrdersReport,
  RefusalsReport,
  REPORT_GROUPS,
  SellersReport,
  TimesReport,
} from '../report.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken } from '../../../../test/support/broken.js';
import { codesOf, messagesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';

const SCHEMAS = {
  orders: OrdersReport,
  money: MoneyReport,
  refusals: RefusalsReport,
  times: TimesReport,
  sellers: SellersReport,
};
const HOSTILE = '=cmd|"/C calc"!A1';

let api: TestApi;
const orders: string[] = [];
beforeAll(async () => {
  api = await startTestApi();
  for (const [id, seller] of [
    ['front', 'Front Row'],
    ['back', HOSTILE],
  ] as const) {
    await api.staff.putListing(id, { seller, quantity: 10 });
    for (let number = 0; number < 2; number += 1) {
      const body = broken(wholesaleBody(), { ref_id: `${id}-${number}`, 'product.listing_id': id });
      orders.push(await api.wholesale.bought(body));
    }
  }
  await api.staff.changeStatus(orders[0] ?? '', 3004);
  const { body } = await api.staff.get(`orders/${orders.at(-1)}`);
  placedAt = (body as { placed_at: string }).placed_at;
  day = placedAt.slice(0, 10);
});
afterAll(() => api.close());

const csv = (path: string) => api.staff.send('GET', path, undefined, { accept: 'text/csv' });
/** The day on which the orders were placed. */
let day: string;
let placedAt: string;

describe('a report', () => {
  it.each(Object.entries(SCHEMAS))('%s answers as its schema says, by each group', async (name, schema) => {
    for (const by of REPORT_GROUPS) {
      const answer = await api.staff.get(`reports/${name}?by=${by}`);
      expect(answer.status, answer.text).toBe(200);
      expect(Object.keys(answer.body as object)).toEqual(['rows', 'totals']);
      expect(() => schema.strict().parse(answer.body)).not.toThrow();
    }
  });

  it('includes purchases of this moment, by day and in dollars', async () => {
    const { rows, totals } = OrdersReport.parse((await api.staff.get('reports/orders')).body);
    expect(totals).toEqual({ orders: 4, tickets: 8, pending: 0, confirmed: 3, rejected: 1, exception: 0 });
    expect(rows).toEqual([{ day, ...totals }]);
    const money = MoneyReport.parse((await api.staff.get('reports/money?by=seller')).body);
    expect(money.totals.total).toBe(4 * wholesaleBody().product.total);
    const sellers = SellersReport.parse((await api.staff.get('reports/sellers')).body);
    expect(sellers.rows).toMatchObject([
      { seller: HOSTILE, orders: 2, rejected_rate: 0 },
      { seller: 'Front Row', orders: 2, rejected_rate: 0.5 },
    ]);
    const refusals = RefusalsReport.parse((await api.staff.get('reports/refusals?by=client')).body);
    expect(refusals.rows).toMatchObject([
      { client_id: 'wh-1', name: 'wholesale', reason: 'rejected', status_code: 3004, orders: 1 },
    ]);
  });

  it('takes a day as the end of the period whole, and an instant exactly', async () => {
    const count = async (query: string) =>
      OrdersReport.parse((await api.staff.get(`reports/orders?${query}`)).body).totals.orders;
    expect(await count(`from=2020-01-01&to=${day}`)).toBe(4);
    expect(await count(`from=2020-01-01&to=${day}T00:00:00Z`)).toBe(0);
    expect(await count('to=2020-01-01')).toBe(0);
  });

  it('has the days of a time zone that is asked for', async () => {
    // Its clock is 14 hours before UTC, so for ten hours of the day it shows the next one.
    const zone = 'Pacific/Kiritimati';
    const { rows } = OrdersReport.parse((await api.staff.get(`reports/orders?time_zone=${zone}`)).body);
    const days = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
    expect(rows.map(({ day: shown }) => shown)).toEqual([days.format(new Date(placedAt))]);
  });

  it('shows a broker only the rows of their sellers', async () => {
    const { send } = await signIn(api, ['broker'], ['Front Row']);
    for (const name of Object.keys(SCHEMAS)) {
      const { rows } = (await send('GET', `reports/${name}?by=seller`)).body as { rows: { seller: string }[] };
      expect(
        rows.map(({ seller }) => seller),
        name,
      ).toEqual(['Front Row']);
    }
  });

  it('begins with a byte order mark, unless it is switched off', async () => {
    const begin = async (query: string) => {
      const headers = { authorization: `Bearer ${STAFF_TOKEN}`, accept: 'text/csv' };
      const answer = await fetch(`${api.url}/backoffice/v1/reports/money?by=event${query}`, { headers });
      return Buffer.from(await answer.arrayBuffer())
        .subarray(0, 4)
        .toString('latin1');
    };
    expect(await begin('')).toBe('\xef\xbb\xbfe');
    expect(await begin('&bom=false')).toBe('even');
  });

  it('is a file for a spreadsheet, in which nothing runs', async () => {
    const answer = await csv('reports/sellers');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="sellers-by-seller.csv"');
    const rows = parse<Record<string, string>>(answer.text, { columns: true });
    expect(rows).toMatchObject([
      { seller: `'${HOSTILE}`, orders: '2' },
      { seller: 'Front Row', rejected: '1' },
    ]);
    const none = await csv('reports/money?to=2020-01-01&by=event');
    expect(none.text).toBe('event_id,name,orders,total,pending,confirmed,rejected,exception,refunded\r\n');
  });

  it.each([
    ['orders?by=colour', 'by'],
    ['orders?from=yesterday', 'from'],
    ['orders?to=0000-01-01', 'to'],
    ['orders?from=2026-01-02&to=2026-01-01', 'to'],
    ['orders?time_zone=Berlin', 'time_zone'],
    ['orders?colour=red', 'colour'],
  ])('is not read by %s', async (path, field) => {
    const answer = await api.staff.get(`reports/${path}`);
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(messagesOf(answer)[0]).toContain(field);
  });

  it('that does not exist is not found', async () => {
    const answer = await api.staff.get('reports/weather');
    expect([answer.status, codesOf(answer)]).toEqual([404, [40400]]);
  });
});
