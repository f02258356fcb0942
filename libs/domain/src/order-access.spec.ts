import { expect, it } from 'vitest';
import { seesOrder } from './order-access.js';

const pending = { seller: 'Front Row', stage: 'placed', queue: 'to_confirm' };

it.each([
  ['an order of the seller', pending, true],
  ['an order of another seller', { ...pending, seller: 'Back Row' }, false],
  ['an order of nobody', { ...pending, seller: null }, false],
  ['an order under review', { ...pending, queue: 'review' }, false],
  [
    'an order during its payment, which may still come under review',
    { ...pending, stage: 'awaiting_payment', queue: null },
    false,
  ],
  ['an order whose payment was declined', { ...pending, stage: 'declined', queue: null }, true],
])('shows staff %s, and its brokers only what they may see', (_, order, isSeen) => {
  expect(seesOrder(null, order)).toBe(true);
  expect(seesOrder(['Front Row'], order)).toBe(isSeen);
});
