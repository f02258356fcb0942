import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ChoiceLink } from '#fulfilment/choice.contract';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { PaymentProviders } from '#payments/payment-providers';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { call } from '../../../../test/support/callers.js';
import { JobStand } from '../../../../test/support/orders/job-stand.js';

let stand: JobStand;
beforeAll(async () => {
  stand = await JobStand.start();
});
afterAll(() => stand.api.close());
beforeEach(() => stand.nextShow());
afterEach(() => void vi.restoreAllMocks());

const postponed = () => ({
  kind: 'postpone_event',
  event_id: stand.show,
  arguments: { choice_within_hours: 24, note: 'Flooded.' },
});

it('says before how many buyers it would ask, and asks none yet', async () => {
  const id = await stand.paid();
  await stand.bought(1);
  expect(await stand.preview(postponed())).toMatchObject({
    total: 2,
    allowed: 2,
    effects: { note: 2, choice: 1, ping: 0 },
  });
  expect((await stand.order(id)).choice).toBeNull();
});

it.each(['request', 'response'] as const)(
  'asks each buyer once, however often it is killed and its %s is lost',
  async (lost) => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(await stand.paid());
    await stand.bought(2);
    const { id } = await stand.begin(postponed());
    expect(await stand.dieOften(id, lost)).toBeGreaterThan(5);
    expect(await stand.job(id)).toMatchObject({
      done: 6,
      failed: 0,
      choices: { asked: 4, kept: 0, refunded: 0, open: 4 },
    });
    const changes = await stand.changesByOrder(id);
    expect([...changes.keys()].toSorted()).toEqual(ids.toSorted());
    expect(new Set(changes.values())).toEqual(new Set([1]));
  },
);

it('has the answer of a buyer also if the refund fails, which a person then sees', async () => {
  const id = await stand.paid();
  const settle = () => stand.api.app.get(PaymentSteps).run(id, { transaction_id: 'test', actor: 'system:refund' });
  await settle();
  const { id: job } = await stand.run(postponed());
  const { url } = (await stand.api.staff.send('POST', `orders/${id}/choice-link`)).body as ChoiceLink;
  const choose = () => call(stand.api.url + url.slice(PUBLIC_URL.length), 'POST', 'choice=refund');
  expect((await choose()).status).toBe(200);
  const provider = stand.api.app.get(PaymentProviders).named('sandbox');
  vi.spyOn(provider, 'refund').mockResolvedValue({ is: 'failed', reference: null, reason: 'account closed' });
  await settle();
  expect(await stand.order(id)).toMatchObject({ status: { status_code: 3010 }, choice: { state: 'refunded' } });
  expect((await stand.job(job)).choices).toMatchObject({ refunded: 1, open: 0 });
  expect((await stand.api.staff.get(`money/tasks?order_id=${id}`)).text).toContain('refund_failed');
  expect((await choose()).status).toBe(200);
});
