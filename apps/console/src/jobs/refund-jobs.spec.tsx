// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { JobPreview } from '#desk/job.contract';
import { shown } from '../../test/shown.js';
import { bulkWords as words } from './job-words.js';
import { NEW_REFUND, refundOf, type TypedRefund } from './refund-fields.js';
import { WhatFollows } from './what-follows.js';

const PREVIEW: JobPreview = {
  total: 4,
  allowed: 3,
  unchanged: 0,
  refused: 1,
  effects: { ping: 0, refund: 3, restock: 0, note: 0, choice: 0 },
  amount_returned: 172.5,
  by_provider: [
    { provider: 'stripe', day: '2026-11-25', count: 1, amount: 57.5 },
    { provider: 'stripe', day: '2026-11-26', count: 2, amount: 115 },
  ],
  tickets_returned: 0,
  needs_approval: false,
  sample: [{ order_id: 'ord_4', outcome: 'refused', reason: 'Nothing of the payment was captured.' }],
};

describe('a job that refunds', () => {
  it.each<readonly [Partial<TypedRefund>, object | undefined]>([
    [{}, { quantity: 1, reason: 'customer_request' }],
    [{ tickets: '0' }, undefined],
    [{ tickets: '1.5' }, undefined],
    [
      { kind: 'amount', amount: '12.50', reason: 'goodwill' },
      { amount: 12.5, reason: 'goodwill' },
    ],
    [{ kind: 'amount' }, undefined],
  ])('with %j asks for %j of each order', (typed, wanted) => {
    expect(refundOf({ ...NEW_REFUND, ...typed })).toEqual(wanted);
  });

  it('says what goes back by whom, by the day of the payments, and why an order is refused', () => {
    shown(<WhatFollows preview={PREVIEW} kind="refund" />);
    for (const text of [
      words.refunds(3, '3'),
      words.returned('$172.50'),
      words.byProvider('Stripe', '25 Nov', 1, '1', '$57.50'),
      words.byProvider('Stripe', '26 Nov', 2, '2', '$115.00'),
      words.refused(1, '1'),
      'Nothing of the payment was captured.',
    ]) {
      screen.getByText(text);
    }
  });
});
