import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '#base/clock';
import type { OrderDetail } from '#orders/order.contract';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { type Answer, call, codesOf } from '../../../../test/support/callers.js';
import { JobStand } from '../../../../test/support/orders/job-stand.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';
import type { ChoiceLink } from '../choice.contract.js';

const RATE = 100;
const HOUR_MS = 3_600_000;
const TOTAL = 254.6;

let stand: JobStand;
beforeAll(async () => {
  stand = await JobStand.start({ DISCOVERY_RATE_PER_SECOND: String(RATE), REFUND_APPROVAL_FROM: '1' });
});
afterAll(() => stand.api.close());
beforeEach(() => stand.nextShow());
afterEach(() => void vi.restoreAllMocks());

const postpone = (given: object = { choice_within_hours: 48 }) => ({
  kind: 'postpone_event',
  event_id: stand.show,
  arguments: given,
});
const settle = (id: string) =>
  stand.api.app.get(PaymentSteps).run(id, { transaction_id: 'test', actor: 'system:refund' });
const askLink = (id: string) => stand.api.staff.send('POST', `orders/${id}/choice-link`);

/** The address that the buyer gets, at this api. */
async function linkOf(id: string): Promise<string> {
  const { body } = await askLink(id);
  return stand.api.url + (body as ChoiceLink).url.slice(PUBLIC_URL.length);
}
const choose = (url: string, choice: string): Promise<Answer> =>
  call(url, 'POST', `choice=${choice}`, { 'content-type': 'application/x-www-form-urlencoded' });
const choiceOf = async (id: string) => (await stand.order(id)).choice;
const choicesOf = async (jobId: string) => (await stand.job(jobId)).choices;

/** An order whose buyer is asked, and the job that asked. */
async function asked(): Promise<Readonly<{ id: string; job: string; url: string }>> {
  const id = await stand.paid();
  await settle(id);
  const { id: job } = await stand.run(postpone());
  return { id, job, url: await linkOf(id) };
}

describe('a show that is postponed', () => {
  it('asks each buyer who paid here, and says how many chose what', async () => {
    const ids = [await stand.paid(), await stand.paid(), await stand.paid()];
    const [partner = ''] = await stand.bought(1);
    const [waiting = ''] = await stand.bought(1, 'ask');
    const job = await stand.run(postpone());
    expect(job).toMatchObject({
      total: 5,
      done: 5,
      choices: { asked: 3, kept: 0, refunded: 0, open: 3 },
      can_undo: false,
    });
    expect(await Promise.all([partner, waiting].map(choiceOf))).toEqual([null, null]);
    const [keeper = '', giver = '', silent = ''] = ids;
    expect(await choiceOf(keeper)).toEqual({ state: 'open', until: expect.any(String) as string });
    await choose(await linkOf(keeper), 'keep');
    await choose(await linkOf(giver), 'refund');
    expect(await choicesOf(job.id)).toEqual({ asked: 3, kept: 1, refunded: 1, open: 1 });
    expect(await Promise.all(ids.map((id) => stand.codeOf(id)))).toEqual([2000, 3010, 2000]);
    await stand.api.staff.changeStatus(silent, 3004);
    expect(await choicesOf(job.id)).toEqual({ asked: 3, kept: 1, refunded: 1, open: 0 });
    expect((await choiceOf(silent))?.state).toBe('lapsed');
  });

  it('asks nobody unless the job says so', async () => {
    const id = await stand.paid();
    const job = await stand.run(postpone({}));
    expect([job.choices, await choiceOf(id)]).toEqual([null, null]);
    const refused = await askLink(id);
    expect([refused.status, codesOf(refused)]).toEqual([409, [40901]]);
    expect((await stand.api.staff.send('POST', 'orders/ord_none/choice-link')).status).toBe(404);
  });

  it('asks until an instant', async () => {
    const id = await stand.paid();
    const end = new Date(Date.now() + HOUR_MS).toISOString();
    await stand.run(postpone({ choice_until: end }));
    expect(await choiceOf(id)).toEqual({ state: 'open', until: end });
    expect((await askLink(id)).body).toMatchObject({ expires_at: end });
  });

  it.each([
    [{ choice_within_hours: 0 }],
    [{ choice_within_hours: 1.5 }],
    [{ choice_until: '2020-01-01T00:00:00Z' }],
    [{ choice_until: 'tomorrow' }],
    [{ choice_within_hours: 1, choice_until: '2100-01-01T00:00:00Z' }],
  ])('refuses %j', async (given) => {
    const answer = await stand.api.staff.send('POST', 'jobs', postpone(given));
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
  });

  it('again asks anew, and the earlier link is over', async () => {
    const { id, job, url } = await asked();
    await choose(url, 'keep');
    const again = await stand.run(postpone());
    expect(await choiceOf(id)).toMatchObject({ state: 'open' });
    for (const answer of [await call(url, 'GET'), await choose(url, 'keep')]) expect(answer.status).toBe(410);
    expect((await choose(await linkOf(id), 'refund')).status).toBe(200);
    expect(await choicesOf(job)).toEqual({ asked: 1, kept: 1, refunded: 0, open: 0 });
    expect(await choicesOf(again.id)).toEqual({ asked: 1, kept: 0, refunded: 1, open: 0 });
  });
});

describe('the link of a buyer', () => {
  it('opens a page with two buttons and nothing of the buyer, and changes nothing', async () => {
    const { id, url } = await asked();
    const before = (await stand.order(id)).version;
    for (const method of ['GET', 'HEAD', 'GET']) expect((await call(url, method)).status).toBe(200);
    const { text, headers } = await call(url, 'GET');
    expect(text.match(/<button[^>]*>/g)).toEqual([
      '<button name="choice" value="keep">',
      '<button name="choice" value="refund">',
    ]);
    expect(text).toContain('Get $254.60 back');
    expect(text).not.toMatch(/Ada|Lovelace|example\.com|<script|<a /);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*form-action 'self'/);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    expect((await stand.order(id)).version).toBe(before);
  });

  it('keeps the tickets: the same again is the same, and another answer is refused', async () => {
    const { id, url } = await asked();
    for (const answer of [await choose(url, 'keep'), await choose(url, 'keep'), await call(url, 'GET')]) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('You keep your tickets');
      expect(answer.text).not.toContain('<button');
    }
    const other = await choose(url, 'refund');
    expect([other.status, codesOf(other)]).toEqual([409, [40902]]);
    expect([await stand.codeOf(id), (await choiceOf(id))?.state]).toEqual([2000, 'kept']);
    expect((await askLink(id)).status).toBe(409);
  });

  it('gives the money back with the status 3010 and a refund, which is in the timeline', async () => {
    const { id, job, url } = await asked();
    expect((await choose(url, 'refund')).text).toContain('You get your money back');
    expect((await choose(url, 'refund')).status).toBe(200);
    expect((await choose(url, 'keep')).status).toBe(409);
    await settle(id);
    expect(await stand.order(id)).toMatchObject({
      status: { status_code: 3010 },
      choice: { state: 'refunded' },
      payment: { state: 'refunded' },
    });
    expect((await stand.api.staff.get(`orders/${id}/refunds`)).body).toMatchObject({
      refunds: [{ state: 'succeeded', amount: TOTAL, reason: 'event_postponed', requested_by: `link:${job}` }],
    });
    const { text } = await stand.api.staff.get(`orders/${id}/timeline`);
    expect(text).toContain('Buyer gives the tickets back');
  });

  it('takes one of two answers at once', async () => {
    const { id, url } = await asked();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => choose(url, index % 2 === 0 ? 'keep' : 'refund')),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 409)).toHaveLength(4);
    expect(new Set(statuses.filter((_, index) => index % 2 === 0)).size).toBe(1);
    const { rows } = await stand.api.pool.query(`select from events where stream = $1 and type = 'ChoiceMade'`, [
      `order-${id}`,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('is over after the deadline, and the tickets are kept', async () => {
    const id = await stand.paid();
    const deadline = new Date(Date.now() + 1_500).toISOString();
    const { id: job } = await stand.run(postpone({ choice_until: deadline }));
    const url = await linkOf(id);
    const { version, updated_at: before } = await stand.order(id);
    await until(async () => (await choiceOf(id))?.state === 'lapsed');
    for (const answer of [await call(url, 'GET'), await choose(url, 'refund')]) {
      expect([answer.status, codesOf(answer)]).toEqual([410, [41000]]);
    }
    expect((await askLink(id)).status).toBe(409);
    expect([await stand.codeOf(id), (await stand.order(id)).version]).toEqual([2000, version]);
    expect(await choicesOf(job)).toEqual({ asked: 1, kept: 1, refunded: 0, open: 0 });
    const asOf = async (query: string) =>
      ((await stand.api.staff.get(`orders/${id}?${query}`)).body as OrderDetail).choice?.state;
    expect([await asOf(`at=${before}`), await asOf(`version=${version}`)]).toEqual(['open', 'lapsed']);
  });

  it('is over once the order was cancelled, which the page says', async () => {
    const { id, url } = await asked();
    await stand.api.staff.changeStatus(id, 3007);
    const page = await call(url, 'GET', undefined, { accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8']);
    expect(page.text).toContain('The order has ended');
    expect((await choose(url, 'refund')).status).toBe(410);
    expect((await choiceOf(id))?.state).toBe('lapsed');
  });

  it('shows the choice as it was at each version', async () => {
    const { id, url } = await asked();
    const open = (await stand.order(id)).version;
    await choose(url, 'refund');
    const at = async (version: number) =>
      ((await stand.api.staff.get(`orders/${id}?version=${version}`)).body as OrderDetail).choice?.state ?? null;
    expect([await at(open - 1), await at(open), await at(open + 1)]).toEqual([null, 'open', 'refunded']);
  });

  it.each([['choice'], ['choice=sell'], ['choice=keep&choice=refund'], ['']])('refuses %j', async (body) => {
    const { id, url } = await asked();
    const answer = await call(url, 'POST', body, { 'content-type': 'application/x-www-form-urlencoded' });
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect((await choiceOf(id))?.state).toBe('open');
  });

  it('is refused if somebody changed it', async () => {
    const { id, job, url } = await asked();
    const [order = '', , signature = ''] = (url.split('/').at(-1) ?? '').split('.');
    const at = (token: string) => `${stand.api.url}/choices/${token}`;
    const other = await stand.paid();
    const forged = [
      `${other}.${job}.${signature}`,
      `${order}.job_1.${signature}`,
      `${order}.${job}.`,
      order,
      `${url}.a`,
    ];
    for (const token of forged) {
      const address = token.startsWith('http') ? token : at(token);
      for (const answer of [await call(address, 'GET'), await choose(address, 'refund')]) {
        expect([answer.status, codesOf(answer)], token).toEqual([403, [40300]]);
      }
    }
    expect((await choiceOf(id))?.state).toBe('open');
  });

  it('is not in the log', async () => {
    const { url } = await asked();
    await call(url, 'GET');
    expect(stand.api.log.some((line) => line.includes('/choices/'))).toBe(true);
    expect(stand.api.log.join('\n')).not.toContain(url.split('.').at(-1));
  });

  it('is refused with 429 while an address asks too often', async () => {
    vi.spyOn(stand.api.app.get(Clock), 'monotonic').mockReturnValue(performance.now());
    const answers = await Promise.all(
      Array.from({ length: 3 * RATE }, () => call(`${stand.api.url}/choices/a.b.c`, 'GET')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
  });
});

it('an order without an address of e-mail has a link all the same', async () => {
  const { user: _user, ...body } = cardBody() as ReturnType<typeof cardBody> & { user?: object };
  const id = await stand.api.payment.bought({ ...body, ref_id: stand.refId(), product: stand.product('now') });
  await stand.run(postpone());
  expect((await choose(await linkOf(id), 'keep')).status).toBe(200);
});
