import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Refund, RefundList } from '#money/refund.contract';
import { DuePayments } from '#orders/payments/due-payments';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { PaymentProviders } from '#payments/payment-providers';
import { codesOf } from '../../../../test/support/callers.js';
import { secondPerson, signIn } from '../../../../test/support/operators.js';
import { JobStand } from '../../../../test/support/orders/job-stand.js';

const TOTAL = 254.6;
const SYSTEM = { transaction_id: 'test', actor: 'system:refund' };
const APPROVAL_FROM = 50;

let stand: JobStand;
beforeAll(async () => {
  stand = await JobStand.start({ REFUND_APPROVAL_FROM: '1', APPROVAL_FROM_ORDERS: String(APPROVAL_FROM) });
});
afterAll(() => stand.api.close());
beforeEach(() => stand.nextShow());
afterEach(() => void vi.restoreAllMocks());

const provider = () => stand.api.app.get(PaymentProviders).named('sandbox');
const settle = (id: string) => stand.api.app.get(PaymentSteps).run(id, SYSTEM);

async function captured(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let bought = 0; bought < count; bought += 1) ids.push(await stand.paid());
  await Promise.all(ids.map(settle));
  return ids;
}

const refunds = async (id: string): Promise<readonly Refund[]> =>
  ((await stand.api.staff.get(`orders/${id}/refunds`)).body as RefundList).refunds;

/** What the provider gave back, by its own book: cents of each refund, by order. */
async function givenBack(ids: readonly string[]): Promise<Record<string, number[]>> {
  const { rows } = await stand.api.pool.query<{ order_id: string; cents: number[] }>(
    `select order_id, array_agg(amount_cents::int) as cents from sandbox_refunds where order_id = any($1) group by order_id`,
    [ids],
  );
  return Object.fromEntries(rows.map(({ order_id: id, cents }) => [id, cents]));
}

/** Lets so much time pass that the provider is tried again: `PAYMENT_SWEEP_MS`, a minute. */
const nextTurn = () => stand.api.pool.query(`update provider_shortages set tried_at = tried_at - interval '100 s'`);

const ofEvent = (given: object) => ({
  kind: 'refund',
  event_id: stand.show,
  arguments: { reason: 'other', ...given },
});
const today = () => new Date().toISOString().slice(0, 10);

describe('a job that refunds', () => {
  it('says before what would go back, by provider and day, and which orders it leaves', async () => {
    const [one = '', two = ''] = await captured(2);
    const held = await stand.paid();
    const [wholesale = ''] = await stand.bought(1);
    const preview = await stand.preview(ofEvent({ amount: 20.5 }));
    expect(preview).toMatchObject({
      total: 4,
      allowed: 2,
      refused: 2,
      effects: { ping: 0, refund: 2, restock: 0 },
      amount_returned: 41,
      by_provider: [{ provider: 'sandbox', day: today(), count: 2, amount: 41 }],
      needs_approval: false,
    });
    expect(preview.sample.map(({ order_id: id }) => id).toSorted()).toEqual([one, two, held, wholesale].toSorted());
    expect(await refunds(one)).toEqual([]);
  });

  it('refunds the tickets of its orders, with a note, and changes no status', async () => {
    const [id = ''] = await captured(1);
    const job = await stand.run(ofEvent({ quantity: 1, reason: 'event_postponed', note: 'Half of it.' }));
    expect((await stand.finished(job.id)).done).toBe(1);
    await settle(id);
    expect(await refunds(id)).toMatchObject([
      {
        state: 'succeeded',
        amount: 119.77,
        quantity: 1,
        origin: 'desk',
        reason: 'event_postponed',
        note: 'Half of it.',
      },
    ]);
    expect(await stand.codeOf(id)).toBe(2000);
    expect((await stand.job(job.id)).can_undo).toBe(false);
    expect(codesOf(await stand.api.staff.send('POST', `jobs/${job.id}/undo`))).toEqual([40902]);
  });

  it.each([
    ['amount', {}],
    ['quantity', { amount: 1, quantity: 1 }],
    ['reason', { amount: 1, reason: 'because' }],
  ])('with a wrong %s is refused', async (field, given) => {
    const refused = await stand.api.staff.send('POST', 'jobs', ofEvent(given));
    expect(codesOf(refused)).toEqual([40001]);
    expect(refused.text).toContain(field);
  });

  it('is begun and approved only by who may act on money', async () => {
    const ids = Array.from({ length: APPROVAL_FROM }, (_, index) => `ord_none_${index}`);
    const body = { kind: 'refund', ids, arguments: { amount: 1, reason: 'other' } };
    const { body: token } = await stand.api.staff.send('POST', 'tokens', { name: 'runs', scopes: ['runs:act'] });
    const response = await fetch(`${stand.api.url}/backoffice/v1/jobs`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${(token as { token: string }).token}`, 'content-type': 'application/json' },
    });
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('money:act')]);
    const job = await stand.begin(body, await signIn(stand.api, ['operations']));
    expect(job.state).toBe('waiting_for_approval');
    const other = await secondPerson(stand.api, ['operations']);
    expect((await other.send('POST', `jobs/${job.id}/approve`)).status).toBe(200);
  });

  it.each(['request', 'response'] as const)(
    'refunds each order once, however often it is killed and its %s is lost',
    async (lost) => {
      const ids = await captured(6);
      const { id } = await stand.begin(ofEvent({ amount: 30 }));
      expect(await stand.dieOften(id, lost)).toBeGreaterThan(5);
      // The provider makes the refund, and its answer is lost with the worker.
      const refund = provider().refund.bind(provider());
      let crashes = 0;
      vi.spyOn(provider(), 'refund').mockImplementation(async (request) => {
        const outcome = await refund(request);
        if ((crashes += 1) <= ids.length) throw new Error('the worker died');
        return outcome;
      });
      await Promise.all(ids.map((one) => expect(settle(one)).rejects.toThrow('died')));
      await Promise.all(ids.map(settle));
      await Promise.all(ids.map(settle));
      expect(await givenBack(ids)).toEqual(Object.fromEntries(ids.map((one) => [one, [3_000]])));
      for (const one of ids) expect(await refunds(one)).toMatchObject([{ state: 'succeeded', amount: 30 }]);
    },
  );
});

describe('a provider without money', () => {
  it('pauses the job, which goes on by itself once there is money', async () => {
    const ids = await captured(3);
    const asked = vi.spyOn(provider(), 'refund').mockResolvedValue({ is: 'waiting', reason: 'insufficient_funds' });
    const [first = '', ...others] = ids;
    const small = await stand.begin({ ...ofEvent({ amount: 10 }), event_id: undefined, ids: [first] });
    await stand.finished(small.id);
    await expect(settle(first)).rejects.toThrow('has no money for refunds');
    const { id } = await stand.begin({ ...ofEvent({ amount: 10 }), event_id: undefined, ids: others });
    await stand.runner().step();
    expect(await stand.job(id)).toMatchObject({ state: 'paused', reason: 'insufficient_funds', done: 0 });
    // The balance is still empty at the next turn.
    await nextTurn();
    await expect(settle(first)).rejects.toThrow('has no money for refunds');
    expect(asked).toHaveBeenCalledTimes(2);
    await stand.runner().step();
    expect(await stand.job(id)).toMatchObject({ state: 'paused', reason: 'insufficient_funds' });
    vi.restoreAllMocks();
    await nextTurn();
    await settle(first);
    expect(await stand.finished(id)).toMatchObject({ state: 'done', reason: null, done: 2 });
    await Promise.all(others.map(settle));
    expect(await givenBack(ids)).toEqual(Object.fromEntries(ids.map((one) => [one, [1_000]])));
  });

  it('is asked by one worker in a turn, and what waits is tried again', async () => {
    const ids = await captured(4);
    const asked = vi.spyOn(provider(), 'refund').mockResolvedValue({ is: 'waiting', reason: 'insufficient_funds' });
    await stand.finished((await stand.begin(ofEvent({ amount: 10 }))).id);
    const [first = ''] = ids;
    await expect(settle(first)).rejects.toThrow('has no money');
    await Promise.all(ids.map((id) => expect(settle(id)).rejects.toThrow('has no money')));
    expect(asked).toHaveBeenCalledTimes(1);
    await nextTurn();
    await Promise.all(ids.map((id) => expect(settle(id)).rejects.toThrow('has no money')));
    expect(asked).toHaveBeenCalledTimes(2);
    const due = await stand.api.app.get(DuePayments).find(new Date().toISOString(), { limit: 500, except: [] });
    expect(due.filter(({ id }) => ids.includes(id))).toHaveLength(4);
    await stand.api.pool.query('delete from provider_shortages');
  });

  it('leaves a job paused that a person has paused', async () => {
    const ids = await captured(1);
    const { id } = await stand.begin(ofEvent({ amount: 10 }));
    await stand.api.pool.query(`insert into provider_shortages values ('sandbox', now(), now())`);
    await stand.runner().step();
    expect((await stand.job(id)).reason).toBe('insufficient_funds');
    const paused = await stand.api.staff.send('POST', `jobs/${id}/pause`);
    expect(paused.body).toMatchObject({ state: 'paused', reason: null });
    await stand.api.pool.query('delete from provider_shortages');
    await stand.runner().step();
    expect(await stand.job(id)).toMatchObject({ state: 'paused', reason: null });
    await stand.api.staff.send('POST', `jobs/${id}/resume`);
    expect(await stand.finished(id)).toMatchObject({ done: 1 });
    expect(await refunds(ids[0] ?? '')).toHaveLength(1);
  });
});

describe('a cancelled event', () => {
  it('refunds what is left of each captured order with its rejection, and releases what is held', async () => {
    const [id = ''] = await captured(1);
    const held = await stand.paid();
    await stand.api.staff.send('POST', `orders/${id}/refunds`, { amount: 50, reason: 'customer_request' });
    const body = { kind: 'cancel_event', event_id: stand.show };
    expect(await stand.preview(body)).toMatchObject({
      effects: { refund: 2, ping: 2 },
      amount_returned: TOTAL * 2,
      by_provider: [{ provider: 'sandbox', day: today(), count: 1, amount: TOTAL }],
    });
    const job = await stand.begin(body);
    await stand.finished(job.id);
    await Promise.all([id, held].map(settle));
    expect(await refunds(id)).toMatchObject([
      { state: 'declined', amount: 50 },
      {
        state: 'succeeded',
        amount: TOTAL,
        origin: 'desk',
        reason: 'event_cancelled',
        requested_by: 'token:backoffice',
      },
    ]);
    expect(await refunds(held)).toEqual([]);
    expect((await stand.order(id)).payment).toMatchObject({ state: 'refunded', refundable: 0 });
    expect((await stand.order(held)).payment).toMatchObject({ state: 'voided' });
    expect(await givenBack([id, held])).toEqual({ [id]: [25_460] });
  });
});
