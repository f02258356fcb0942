import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import type { ReportSchedule } from '../report-subscription.contract.js';
import { ReportLinks } from './report-links.js';
import { Clock } from '#base/clock';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { type Answer, call, codesOf } from '../../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { until } from '../../../../test/support/until.js';

// More than the other tests need.
const RATE = 40;

let api: TestApi;
let ada: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  api = await startTestApi({ DISCOVERY_RATE_PER_SECOND: String(RATE) });
  ada = await signIn(api, ['viewer']);
  other = await signIn(api, ['viewer']);
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const { send } of [ada, other]) {
    for (const schedule of ['daily', 'weekly']) await send('PUT', `report-subscriptions/${schedule}`);
  }
});

/** As in the e-mail, at this api. */
function link({ id: operatorId }: SignedIn, schedule: ReportSchedule = 'daily'): string {
  const address = api.app.get(ReportLinks).unsubscribe({ operatorId, schedule });
  return api.url + address.slice(PUBLIC_URL.length);
}

const send = (method: string, url: string, body?: string, type = 'application/x-www-form-urlencoded') =>
  call(url, method, body, body === undefined ? {} : { 'content-type': type });

async function schedulesOf({ get }: SignedIn): Promise<string[]> {
  const { body } = await get('report-subscriptions');
  return (body as { subscriptions: { schedule: string }[] }).subscriptions.map(({ schedule }) => schedule);
}
const BOTH = ['daily', 'weekly'];

async function audited(of: SignedIn): Promise<string[]> {
  const { entries } = (await api.staff.get(`audit?actor=link:${of.id}`)).body as AuditPage;
  return entries.map(({ action, subject }) => `${action} ${subject}`);
}

describe('the link of a report', () => {
  it('opens a page with one button, and changes nothing however often it is opened', async () => {
    for (const method of ['GET', 'HEAD', 'GET']) expect((await send(method, link(ada))).status).toBe(200);
    const { text, headers } = await send('GET', link(ada));
    expect(text.match(/<button|<a |<input|<script/g)).toEqual(['<button']);
    expect(text).toContain('End the daily report?');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*form-action 'self'/);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    expect([await schedulesOf(ada), await audited(ada)]).toEqual([BOTH, []]);
  });

  it.each([
    ['a mail program', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
    ['another mail program', '--b\r\n\r\nOne-Click\r\n--b--\r\n', 'multipart/form-data; boundary=b'],
    ['the button', '', 'application/x-www-form-urlencoded'],
    ['a program without a body', undefined, ''],
  ])('ends this subscription by a POST without a session: %s', async (_who, body, type) => {
    const answer = await send('POST', link(ada), body, type);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('The daily report has ended');
    expect(answer.text).not.toContain('<form');
    expect([await schedulesOf(ada), await schedulesOf(other)]).toEqual([['weekly'], BOTH]);
  });

  it('ends it once, and says the same again', async () => {
    const before = (await audited(other)).length;
    const answers: Answer[] = [];
    for (let time = 0; time < 3; time += 1) answers.push(await send('POST', link(other, 'weekly')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await schedulesOf(other)).toEqual(['daily']);
    expect(await audited(other)).toHaveLength(before + 1);
    expect((await audited(other))[0]).toBe('report.unsubscribed report:weekly');
    const gone = await signIn(api, ['viewer']);
    await api.staff.send('DELETE', `operators/${gone.id}`);
    expect((await send('POST', link(gone))).status).toBe(200);
  });

  it('is refused if it was changed, or belongs to somebody else', async () => {
    const good = new URL(link(ada));
    const signature = good.searchParams.get('signature') ?? '';
    const wrong = [
      good.href.replace(ada.id, other.id),
      good.href.replace('/daily', '/weekly'),
      good.href.replace('/daily', '/hourly'),
      good.href.replace(/signature=./, `signature=${signature.startsWith('A') ? 'B' : 'A'}`),
      good.href.replace(signature, ''),
      good.href.replace(/\?.*/, ''),
      `${good.href}&signature=${signature}`,
    ];
    for (const url of wrong) {
      for (const method of ['GET', 'POST']) {
        const answer = await send(method, url);
        expect(answer.status, `${method} ${url}`).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      }
    }
    expect(codesOf(await send('POST', wrong[0] ?? ''))).toEqual([40300]);
    expect([await schedulesOf(ada), await schedulesOf(other)]).toEqual([BOTH, BOTH]);
  });

  it('is refused with a page if a person pressed the button', async () => {
    const forged = link(ada).replace('/daily', '/weekly');
    const headers = {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const { status, text, headers: answered } = await call(forged, 'POST', '', headers);
    expect([status, answered.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(text).toContain('This link does not open anything');
    expect(await schedulesOf(ada)).toEqual(BOTH);
  });

  it('still works if a mail program adds to it', async () => {
    expect((await send('POST', `${link(ada)}&utm_source=mail`)).status).toBe(200);
    expect(await schedulesOf(ada)).toEqual(['weekly']);
  });

  it('is not in the log', () => {
    expect(api.log.some((line) => line.includes(`/unsubscribe/${ada.id}/daily`))).toBe(true);
    expect(api.log.join('\n')).not.toContain('signature');
  });

  it('is refused with 429 while an address asks too often, whatever the signature', async () => {
    const clock = vi.spyOn(api.app.get(Clock), 'monotonic').mockReturnValue(performance.now());
    const asked = Array.from({ length: 2 * RATE + 10 }, () => send('POST', `${api.url}/unsubscribe/opr_1/daily`));
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
    expect((await send('POST', link(ada))).status).toBe(429);
    expect(await schedulesOf(ada)).toEqual(BOTH);
    clock.mockRestore();
    await until(async () => (await send('POST', link(ada))).status === 200);
  });
});
