import { afterAll, beforeAll, expect, it } from 'vitest';
import { StripeDouble } from './support/payments/stripe-double.js';
import { cardBody, tokenBody } from './support/purchase-bodies.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

let double: StripeDouble;
let stand: Stand;
beforeAll(async () => {
  double = await StripeDouble.start();
  const settings = { ...double.settings, PAYMENT_PROVIDER: 'stripe', PAYMENT_SWEEP_MS: '500' };
  stand = await Stand.start({ database: 'shared', queues: 'postgres', apis: 1, workers: 1, settings });
  await stand.staff.putListing('lst-1', { quantity: 100 });
});
afterAll(async () => {
  await stand.close();
  await double.stop();
});

const chargeOf = (orderId: string) => double.book.charges().find((charge) => charge.orderId === orderId);

it('a purchase by card is held and taken by Stripe', async () => {
  const id = await stand.payment.bought(cardBody());
  expect(chargeOf(id)).toMatchObject({ authorisedCents: 25_460 });
  await until(() => chargeOf(id)?.state === 'captured');
});

it('a purchase by token is held and taken by Stripe', async () => {
  const body = tokenBody();
  body.payment.data.token = 'pm_card_visa';
  const id = await stand.payment.bought({ ...body, ref_id: 'ref-2' });
  await until(() => chargeOf(id)?.state === 'captured');
});

it('a purchase that Stripe declines is refused with the code of the specification', async () => {
  const body = cardBody();
  body.payment.data.card_number = '4000000000000069';
  const answer = await stand.payment.buy({ ...body, ref_id: 'ref-3' });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 40_039 }] } });
});

it('no log has a card', () => {
  const logs = [stand.api(), stand.worker()].map((service) => service.log()).join('');
  expect(logs).toContain('"process":"api"');
  for (const number of ['4111111111111111', '4000000000000069']) expect(logs).not.toContain(number);
});
