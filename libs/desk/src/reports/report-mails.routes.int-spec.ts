import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import {
  MoneyReport,
  OrdersReport,
  RefusalsReport,
  type ReportName,
  SellersReport,
  TimesReport,
} from '../report.contract.js';
import type { ReportSubscriptionList } from '../report-subscription.contract.js';
import { parseSettings } from '#base/load-settings';
import { DatabaseClock } from '#database/database-clock';
import { MailOutbox } from '#mail/mail-outbox';
import { mailFileKey, MailRefused, MailTransport } from '#mail/mail-transport';
import { OrderReports } from './order-reports.js';
import { ReportLinks } from './report-links.js';
import { ReportMails } from './report-mails.js';
import { ObjectStore } from '#platform/object-store';
import type { TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { broken } from '../../../../test/support/broken.js';
import { call, codesOf } from '../../../../test/support/callers.js';
import { type DecodedMail, decodedMail } from '../../../../test/support/decoded-mail.js';
import { type MailApi, startMailApi } from '../../../../test/support/mail-api.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { SmtpDouble } from '../../../../test/support/smtp-double.js';

// A Monday of the past, so that the orders of a test are in no other period than it says.
const MONDAY = Date.parse('2026-03-02T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let stand: MailApi;
let api: TestApi;
let smtp: SmtpDouble;
let clock: DatabaseClock;
let purchases = 0;

beforeAll(async () => {
  stand = await startMailApi();
  ({ api, smtp } = stand);
  clock = api.app.get(DatabaseClock);
  await api.staff.putListing('front', { seller: 'Front Row', quantity: 500 });
  await api.staff.putListing('back', { seller: 'Back Row', quantity: 500 });
  const manual = { quantity: 500, seller: 'Front Row', confirmation: 'manual', confirm_within_minutes: 60 } as const;
  await api.staff.putListing('manual', manual);
});
afterAll(() => stand.close());
beforeEach(async () => {
  await api.pool.query('delete from report_subscriptions');
  // Each test counts its own orders.
  await api.pool.query(`update orders set placed_at = '2020-01-01'`);
});
afterEach(() => {
  vi.restoreAllMocks();
  smtp.forget();
});

/** An order that was placed then. */
async function placed(at: number, listing: 'front' | 'back' | 'manual' = 'front'): Promise<string> {
  purchases += 1;
  const body = broken(cardBody(), { ref_id: `report-${purchases}`, 'product.listing_id': listing });
  const id = await api.payment.bought(body);
  await setPlaced(id, at);
  return id;
}

const setPlaced = (id: string, at: number) =>
  api.pool.query('update orders set placed_at = $2 where id = $1', [id, new Date(at)]);

async function subscribed(by: SignedIn, schedule: string, at: number): Promise<void> {
  timeIs(at);
  const answer = await by.send('PUT', `report-subscriptions/${schedule}`);
  vi.restoreAllMocks();
  expect(answer.status, answer.text).toBe(200);
}

/** Sessions end if they are not used, so this is only for the worker and for what needs no session afterwards. */
function timeIs(at: number): void {
  vi.restoreAllMocks();
  vi.spyOn(clock, 'now').mockReturnValue(at);
}

const worker = (transport = api.app.get(MailTransport)) =>
  new ReportMails(
    new MailOutbox(api.pool, clock, transport),
    clock,
    api.app.get(ReportLinks),
    api.app.get(OrderReports),
  );

/** Two workers send what is due at this time. */
async function workAt(at: number): Promise<void> {
  timeIs(at);
  const work = async (mails: ReportMails) => {
    while (await mails.step());
  };
  await Promise.all([work(worker()), work(worker())]);
  vi.restoreAllMocks();
}

/** What the mail server has accepted. */
const mails = (): DecodedMail[] => smtp.accepted.map(decodedMail);

/** The numbers of a line of the mail's text, after its name. */
const line = ({ text }: DecodedMail, name: string): string[] | undefined =>
  text
    .split('\n')
    .find((one) => one.startsWith(`${name}  `))
    ?.slice(name.length)
    .trim()
    .split(/ {2,}/);

/** The lines of all tables of the mail's HTML. */
const htmlRows = ({ html }: DecodedMail): string[] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    row.replaceAll(/<\/t[dh]><t[dh][^>]*>/g, ' | ').replaceAll(/<[^>]+>/g, ''),
  );

/** What the API says of whole days to this person. */
async function figures(by: Pick<SignedIn, 'get'>, report: ReportName, from: string, to: string): Promise<unknown> {
  const { status, body } = await by.get(`reports/${report}?from=${from}&to=${to}`);
  expect(status).toBe(200);
  return body;
}

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

describe('a report by e-mail', () => {
  it('goes out once for each day, after the day, with two workers', async () => {
    const ada = await signIn(api, ['operations']);
    await subscribed(ada, 'daily', MONDAY + HOUR_MS);
    // The first and the last millisecond of the Monday, and their neighbours.
    for (const at of [-1, 0, 24 * HOUR_MS - 1, 24 * HOUR_MS]) await placed(MONDAY + at);
    await workAt(MONDAY + 24 * HOUR_MS - 1);
    // The last purchases may not be in the database yet.
    await workAt(MONDAY + 24 * HOUR_MS + MINUTE_MS - 1);
    expect(mails()).toEqual([]);
    for (const minutes of [1, 2, 600]) await workAt(MONDAY + 24 * HOUR_MS + minutes * MINUTE_MS);
    expect(mails()).toHaveLength(1);
    const [mail] = mails() as [DecodedMail];
    expect(mail.to).toMatch(/^operator-\d+@example\.com$/);
    expect(mail.subject).toContain('Report of 2 March 2026: 2 orders, ');
    expect(mail.text).toContain('/reports?from=2026-03-02&to=2026-03-02');
    expect(mail.html).toContain('/reports?from=2026-03-02&amp;to=2026-03-02');
    expect(line(mail, 'All orders')?.[0]).toBe('2');
    await workAt(MONDAY + 48 * HOUR_MS + MINUTE_MS);
    expect(mails().map(({ subject }) => /of (\d+) March/.exec(subject)?.[1])).toEqual(['2', '3']);
  });

  it('goes out once for each week, from Monday to Sunday, with its days', async () => {
    const ada = await signIn(api, ['viewer']);
    await subscribed(ada, 'weekly', MONDAY + 50 * HOUR_MS);
    const week = 7 * 24 * HOUR_MS;
    for (const at of [-1, 0, 24 * HOUR_MS, week - 1, week]) await placed(MONDAY + at);
    await workAt(MONDAY + week + MINUTE_MS - 1);
    expect(mails()).toEqual([]);
    for (const minutes of [1, 2]) await workAt(MONDAY + week + minutes * MINUTE_MS);
    await workAt(MONDAY + 2 * week - 1);
    expect(mails()).toHaveLength(1);
    const [mail] = mails() as [DecodedMail];
    expect(mail.subject).toContain('Report of 2 March 2026 to 8 March 2026: 3 orders');
    expect(mail.text).toContain('/reports?from=2026-03-02&to=2026-03-08');
    const days = Array.from({ length: 7 }, (_, day) => line(mail, `${day + 2} March 2026`)?.[0]);
    expect(days).toEqual(['1', '1', '0', '0', '0', '0', '1']);
  });

  it('has the figures that the API gives, and no data of buyers', async () => {
    const ada = await signIn(api, ['operations']);
    await subscribed(ada, 'daily', MONDAY);
    const refused = await placed(MONDAY + HOUR_MS);
    await api.staff.changeStatus(refused, 3004);
    await placed(MONDAY + HOUR_MS);
    const sent = await placed(MONDAY + HOUR_MS, 'manual');
    for (const code of [2000, 2002]) await api.staff.changeStatus(sent, code);
    // A change of status writes the row anew from the events.
    for (const id of [refused, sent]) await setPlaced(id, MONDAY + HOUR_MS);
    await api.pool.query(TIMES, [sent, new Date(MONDAY + HOUR_MS)]);
    await workAt(MONDAY + 24 * HOUR_MS + MINUTE_MS);
    const [mail] = mails() as [DecodedMail];
    const ask = (report: ReportName) => figures(ada, report, '2026-03-02', '2026-03-02');
    const orders = OrdersReport.parse(await ask('orders')).totals;
    const money = MoneyReport.parse(await ask('money')).totals;
    expect(orders).toMatchObject({ orders: 3, rejected: 1, confirmed: 2 });
    for (const [name, status] of Object.entries({ Confirmed: 'confirmed', Rejected: 'rejected' } as const)) {
      expect(line(mail, name), name).toEqual([String(orders[status]), dollars(money[status])]);
    }
    expect(line(mail, 'All orders')).toEqual([String(orders.orders), dollars(money.total)]);
    expect(line(mail, 'Tickets')).toEqual([String(orders.tickets)]);
    expect(line(mail, 'Refunded of rejected')).toEqual([dollars(money.refunded)]);
    expect(mail.subject).toContain(`3 orders, ${dollars(money.confirmed)} confirmed`);
    const [refusal] = RefusalsReport.parse(await ask('refusals')).rows;
    expect(line(mail, refusal?.status_message ?? '?')).toEqual(['1', dollars(refusal?.total ?? 0)]);
    const times = TimesReport.parse(await ask('times')).totals;
    expect([times.confirm_p50_s, times.ship_p90_s]).toEqual([3_660, 120]);
    expect(line(mail, 'To confirm')).toEqual(['1', '1 h 1 min', '1 h 1 min', '1 h 1 min']);
    expect(line(mail, 'To ship')).toEqual(['1', '2 min 0 s', '2 min 0 s', '2 min 0 s']);
    expect(htmlRows(mail)).toContain(`All orders | 3 | ${dollars(money.total)}`);
    expect(htmlRows(mail)).toContain('To ship | 1 | 2 min 0 s | 2 min 0 s | 2 min 0 s');
    const { user, delivery_method: delivery } = cardBody();
    for (const personal of [user.email, user.phone, delivery.data.last_name, delivery.data.city]) {
      expect(mail.text + mail.html).not.toContain(personal);
    }
  });

  it('has the scorecard of the sellers that the API gives', async () => {
    const ada = await signIn(api, ['operations']);
    await subscribed(ada, 'daily', MONDAY);
    for (const listing of ['front', 'back'] as const) await placed(MONDAY + HOUR_MS, listing);
    const faulty = await placed(MONDAY + HOUR_MS);
    await api.staff.changeStatus(faulty, 3004);
    await setPlaced(faulty, MONDAY + HOUR_MS);
    const sent = await placed(MONDAY + HOUR_MS, 'manual');
    for (const code of [2000, 2002]) await api.staff.changeStatus(sent, code);
    await setPlaced(sent, MONDAY + HOUR_MS);
    await api.pool.query(TIMES, [sent, new Date(MONDAY + HOUR_MS)]);
    await workAt(MONDAY + 24 * HOUR_MS + MINUTE_MS);
    const [mail] = mails() as [DecodedMail];
    const { rows, totals } = SellersReport.parse(await figures(ada, 'sellers', '2026-03-02', '2026-03-02'));
    const [front, back] = ['Front Row', 'Back Row'].map((name) => rows.find(({ seller }) => seller === name));
    expect(front).toMatchObject({ orders: 3, faults: 1, fault_rate: 0.3333, shipping_accuracy: 1, unfulfilled: 1 });
    const expected = {
      'Front Row': ['3', '1 (33.3%)', '1 h 1 min', '100%', '1', dollars(front?.exposure ?? 0)],
      'Back Row': ['1', '0', '–', '–', '1', dollars(back?.exposure ?? 0)],
      'All sellers': ['4', '1 (25%)', '1 h 1 min', '100%', '2', dollars(totals.exposure)],
    };
    for (const [name, figuresOf] of Object.entries(expected)) {
      expect(line(mail, name), name).toEqual(figuresOf);
      expect(htmlRows(mail)).toContain([name, ...figuresOf].join(' | '));
    }
  });

  it('has a link that ends it, for mail programs too', async () => {
    const ada = await signIn(api, ['viewer']);
    for (const schedule of ['daily', 'weekly']) await subscribed(ada, schedule, MONDAY);
    await workAt(MONDAY + 24 * HOUR_MS + MINUTE_MS);
    const [{ unsubscribe, unsubscribePost, text, html }] = mails() as [DecodedMail];
    expect(unsubscribe).toContain(`${PUBLIC_URL}/unsubscribe/${ada.id}/daily?`);
    expect(unsubscribePost).toBe('List-Unsubscribe=One-Click');
    expect(text).toContain(`\n${unsubscribe}\n`);
    expect(html).toContain(`<a href="${unsubscribe}">End it without signing in</a>`);
    const address = api.url + unsubscribe.slice(PUBLIC_URL.length);
    expect((await call(address, 'POST', unsubscribePost)).status).toBe(200);
    await workAt(MONDAY + 7 * 24 * HOUR_MS + MINUTE_MS);
    expect(mails().map(({ subject }) => /of (.*):/.exec(subject)?.[1])).toEqual([
      '2 March 2026',
      '2 March 2026 to 8 March 2026',
    ]);
  });

  it('has only the orders of a broker’s own sellers', async () => {
    const broker = await signIn(api, ['broker'], ['Back Row']);
    await subscribed(broker, 'daily', MONDAY);
    for (const listing of ['front', 'front', 'back'] as const) await placed(MONDAY, listing);
    await workAt(MONDAY + 24 * HOUR_MS + MINUTE_MS);
    const [mail] = mails() as [DecodedMail];
    const { totals } = OrdersReport.parse(await figures(broker, 'orders', '2026-03-02', '2026-03-02'));
    expect([totals.orders, line(mail, 'All orders')?.[0]]).toEqual([1, '1']);
    expect(mail.text).toContain('Orders of your sellers');
    expect(line(mail, 'Back Row')?.[0]).toBe('1');
    expect(mail.text + mail.html).not.toMatch(/Front Row|All sellers/);
  });

  it('of missed days is only the newest', async () => {
    await subscribed(await signIn(api, ['viewer']), 'daily', MONDAY);
    await workAt(MONDAY + 5 * 24 * HOUR_MS + HOUR_MS);
    expect(mails().map(({ subject }) => subject)).toEqual([expect.stringContaining('Report of 6 March 2026')]);
  });

  it('does not go to somebody who is disabled, was removed or may no longer read orders', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => signIn(api, ['viewer'])));
    for (const one of people) await subscribed(one, 'daily', MONDAY);
    const [disabled, removed, refused, active] = people.map(({ id }) => id);
    await api.staff.send('PATCH', `operators/${disabled}`, { state: 'disabled' });
    await api.staff.send('DELETE', `operators/${removed}`);
    // No role of today lacks the right.
    await api.pool.query(`update operators set roles = '{}' where id = $1`, [refused]);
    await workAt(MONDAY + 24 * HOUR_MS + MINUTE_MS);
    expect(mails().map(({ messageId }) => messageId)).toEqual([
      expect.stringContaining(`rep_${active}_daily_2026-03-02@`),
    ]);
  });

  it('goes out again with the same id after a crash, and not while another worker may be at it', async () => {
    await subscribed(await signIn(api, ['viewer']), 'daily', MONDAY);
    const at = MONDAY + 24 * HOUR_MS + MINUTE_MS;
    timeIs(at);
    const transport = api.app.get(MailTransport);
    const send = vi.spyOn(transport, 'send').mockImplementationOnce(async (mail) => {
      await MailTransport.prototype.send.call(transport, mail);
      throw new Error('killed');
    });
    await expect(worker(transport).step()).rejects.toThrow('killed');
    expect(send).toHaveBeenCalledTimes(1);
    expect([await worker().step(), mails().length]).toEqual([false, 1]);
    await workAt(at + 2 * MINUTE_MS);
    await workAt(at + 5 * MINUTE_MS);
    const [first, second, ...others] = mails().map(({ messageId }) => messageId);
    expect([second, others]).toEqual([first, []]);
  });

  it('is not given up by a worker that was frozen while another one is at it', async () => {
    await subscribed(await signIn(api, ['viewer']), 'daily', MONDAY);
    const at = MONDAY + 24 * HOUR_MS + MINUTE_MS;
    timeIs(at);
    vi.spyOn(api.app.get(MailTransport), 'send').mockImplementationOnce(async () => {
      timeIs(at + 2 * MINUTE_MS);
      smtp.refusals.push([451, 'later']);
      await expect(worker().step()).rejects.toThrow('the mail could not be sent');
      throw new MailRefused('550');
    });
    await expect(worker().step()).rejects.toThrow('refused the mail');
    expect([await worker().step(), mails().length]).toEqual([false, 0]);
    await workAt(at + 4 * MINUTE_MS);
    expect(mails()).toHaveLength(1);
  });

  it('is not sent by a worker whose figures took longer than its lease', async () => {
    await subscribed(await signIn(api, ['viewer']), 'daily', MONDAY);
    const at = MONDAY + 24 * HOUR_MS + MINUTE_MS;
    timeIs(at);
    const reports = api.app.get(OrderReports);
    vi.spyOn(reports, 'read').mockImplementationOnce(async (asked) => {
      await workAt(at + 2 * MINUTE_MS);
      return await reports.read(asked);
    });
    expect(await worker().step()).toBe(true);
    expect(mails()).toHaveLength(1);
  });

  it('is given up if the mail server never takes it, and tried again if it may', async () => {
    await subscribed(await signIn(api, ['viewer']), 'daily', MONDAY);
    const at = MONDAY + 24 * HOUR_MS + MINUTE_MS;
    smtp.refusals.push([451, 'later'], [550, 'unknown']);
    await expect(workAt(at)).rejects.toThrow('could not be sent');
    await expect(workAt(at + 2 * MINUTE_MS)).rejects.toThrow('refused the mail');
    await workAt(at + 10 * MINUTE_MS);
    expect(mails()).toEqual([]);
  });

  it('is a file without a mail server', async () => {
    const { id } = await signIn(api, ['viewer']);
    await api.pool.query(`insert into report_subscriptions values ($1, 'daily', $2)`, [id, new Date(MONDAY)]);
    timeIs(MONDAY + 24 * HOUR_MS + MINUTE_MS);
    const settings = parseSettings({ PUBLIC_URL: 'https://tickets.example' });
    expect(await worker(new MailTransport(settings, api.app.get(ObjectStore))).step()).toBe(true);
    expect(smtp.accepted).toEqual([]);
    const file = readFileSync(join(stand.folder, mailFileKey(`rep_${id}_daily_2026-03-02`)), 'utf8');
    expect(file).toContain('Report of 2 March 2026');
  });
});

describe('the subscription', () => {
  it('is the operator’s own: listed, set once and removed, and in the audit log', async () => {
    const [ada, other] = [await signIn(api, ['viewer']), await signIn(api, ['viewer'])];
    const list = async ({ get }: SignedIn) =>
      ((await get('report-subscriptions')).body as ReportSubscriptionList).subscriptions;
    await subscribed(ada, 'weekly', MONDAY + HOUR_MS);
    await subscribed(ada, 'weekly', MONDAY + 100 * HOUR_MS);
    await subscribed(ada, 'daily', MONDAY + HOUR_MS);
    expect(await list(ada)).toEqual([
      { schedule: 'daily', next_at: '2026-03-03T00:01:00.000Z' },
      { schedule: 'weekly', next_at: '2026-03-09T00:01:00.000Z' },
    ]);
    expect(await list(other)).toEqual([]);
    expect((await other.send('DELETE', 'report-subscriptions/daily')).status).toBe(404);
    expect((await ada.send('DELETE', 'report-subscriptions/daily')).status).toBe(204);
    expect((await ada.send('DELETE', 'report-subscriptions/daily')).status).toBe(404);
    expect(await list(ada)).toMatchObject([{ schedule: 'weekly' }]);
    const { entries } = (await api.staff.get(`audit?actor=operator:${ada.id}`)).body as AuditPage;
    const about = entries.filter(({ action }) => action.startsWith('report.'));
    expect(about.map(({ action, subject }) => `${action} ${subject}`).toSorted()).toEqual([
      'report.subscribed report:daily',
      'report.subscribed report:weekly',
      'report.unsubscribed report:daily',
    ]);
  });

  it('is refused for an unknown schedule and for a token, which has no address', async () => {
    const ada = await signIn(api, ['viewer']);
    expect(codesOf(await ada.send('PUT', 'report-subscriptions/hourly'))).toEqual([40400]);
    expect(codesOf(await api.staff.send('PUT', 'report-subscriptions/daily'))).toEqual([40300]);
    expect((await api.staff.get('report-subscriptions')).body).toEqual({ subscriptions: [] });
  });
});

/** Confirmed by hand after 61 minutes, and sent two minutes later. */
const TIMES = `
  update status_history set recorded_at = $2::timestamptz + make_interval(mins => case sequence when 2 then 61 else 63 end)
  where order_id = $1 and sequence > 1`;
