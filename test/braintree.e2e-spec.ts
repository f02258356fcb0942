import { afterAll, beforeAll, expect, it } from 'vitest';
import { BraintreeDouble } from './support/payments/braintree-double.js';
import { cardBody, tokenBody } from './support/purchase-bodies.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

let double: BraintreeDouble;
let stand: Stand;
beforeAll(async () => {
  double = await BraintreeDouble.start();
  const settings = { ...double.settings, PAYMENT_SWEEP_MS: '500' };
  stand = await Stand.start({ database: 'shared', queues: 'postgres', apis: 1, workers: 1, settings });
  await stand.staff.putListing('lst-1', { quantity: 100 });
});
afterAll(async () => {
  await stand.close();
  await double.stop();
});

const chargeOf = (orderId: string) => double.book.charges().find((charge) => charge.orderId === orderId);

it('a purchase by card is held and taken by Braintree', async () => {
  const id = await stand.payment.bought(cardBody());
  expect(chargeOf(id)).toMatchObject({ authorisedCents: 25_460 });
  await until(() => chargeOf(id)?.state === 'captured');
});

it('a purchase by token is held and taken by Braintree', async () => {
  const body = tokenBody();
  body.payment.data.token = 'fake-valid-nonce';
  const id = await stand.payment.bought({ ...body, ref_id: 'ref-2' });
  await until(() => chargeOf(id)?.state === 'captured');
});

it('a purchase that Braintree declines is refused with the code of the specification', async () => {
  const body = cardBody();
  body.payment.data.cvv = '200';
  const answer = await stand.payment.buy({ ...body, ref_id: 'ref-3' });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 40_035 }] } });
});

it('a dispute is known by the webhook, and by the sweep where that never came', async () => {
  const id = await stand.payment.bought({ ...cardBody(), ref_id: 'ref-4' });
  const { reference } = await until(() => (chargeOf(id)?.state === 'captured' ? chargeOf(id) : undefined));
  const typesKnown = async () => {
    const { body } = await stand.staff.get(`provider-events?provider=braintree&order_id=${id}`);
    const { events } = body as { events: readonly { type: string; state: string }[] };
    return events.filter(({ state }) => state === 'done').map(({ type }) => type);
  };
  double.sendWebhooksTo(`${stand.api().url}/payments/v1/braintree`, 'held');
  const dispute = double.openDispute(reference);
  expect(await double.deliver()).toEqual([200]);
  await until(async () => (await typesKnown()).includes('dispute_opened'));
  double.sendWebhooksTo('', 'never');
  double.closeDispute(dispute, 'won');
  await until(async () => (await typesKnown()).includes('dispute_won'));
});

it('no log has a card', () => {
  const logs = [stand.api(), stand.worker()].map((service) => service.log()).join('');
  expect(logs).toContain('"process":"api"');
  expect(logs).not.toContain('4111111111111111');
});
