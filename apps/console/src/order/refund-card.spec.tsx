// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Refund } from '#money/refund.contract';
import { PAID } from '../../test/order.js';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { RefundCard } from './refund-card.js';
import { refundWords as words } from './refund-words.js';

const WAITING: Refund = {
  id: 'rf_1',
  reference: null,
  state: 'waiting_for_approval',
  amount: 152.5,
  currency: 'USD',
  quantity: null,
  reason: 'not_delivered',
  note: 'The parcel came back.',
  origin: 'desk',
  requested_by: 'operator:opr_2',
  approved_by: null,
  created_at: '2026-11-22T10:42:00.000Z',
  settled_at: null,
  failure: null,
};
const TIMELINE = {
  entries: [
    {
      at: WAITING.created_at,
      kind: 'event',
      title: 'Refund requested',
      actor: 'operator:opr_2',
      actor_name: 'Bob',
      detail: {},
      transaction_id: null,
    },
  ],
  next_cursor: null,
};

function card(refunds: readonly Refund[], mayAnswer = true) {
  const asked = serve({
    'GET orders/ord_1/refunds': { refunds },
    'GET orders/ord_1/timeline': TIMELINE,
    'POST orders/ord_1/refunds/rf_1/approve': { ...WAITING, state: 'pending' },
  });
  shown(<RefundCard order={PAID} mayAnswer={mayAnswer} />);
  return asked;
}
const button = (name: string) => screen.queryByRole('button', { name });
const APPROVE = words.answer.approve.name('$152.50');
const DECLINE = words.answer.decline.name('$152.50');

describe('the refunds of an order', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('say how much, why, who asked for it and what colleagues should know', async () => {
    card([WAITING]);
    expect(await screen.findByText('$152.50')).toBeTruthy();
    for (const text of [words.state.waiting_for_approval, words.reason.not_delivered, 'The parcel came back.'])
      expect(screen.getByText(text)).toBeTruthy();
    expect(await screen.findByText(/^Bob asked for it/)).toBeTruthy();
  });

  it('say what became of them: their id at the provider, who approved them, or why they failed', async () => {
    const ended = { ...WAITING, id: 'rf_2', approved_by: 'operator:opr_2', reference: 're_2' };
    card([{ ...ended, state: 'failed', failure: 'The card was closed.' }]);
    expect(await screen.findByText('re_2')).toBeTruthy();
    expect(screen.getByText(words.failure('The card was closed.'))).toBeTruthy();
    expect(await screen.findByText(/Bob approved it/)).toBeTruthy();
    expect(button(APPROVE)).toBeNull();
  });

  it('are approved by another person, after a question', async () => {
    const asked = card([WAITING]);
    await screen.findByText('$152.50');
    fireEvent.click(screen.getByRole('button', { name: APPROVE }));
    const note = await screen.findByRole('textbox', { name: words.dialog.note });
    expect(asked.some(({ route }) => route.startsWith('POST'))).toBe(false);
    fireEvent.change(note, { target: { value: ' The venue agrees. ' } });
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: APPROVE }));
    expect(await screen.findByText(words.answer.approve.done('$152.50'))).toBeTruthy();
    expect(asked.find(({ route }) => route.endsWith('rf_1/approve'))?.body).toEqual({ note: 'The venue agrees.' });
  });

  it('are not approved by who asked for them, who may take them back', async () => {
    card([{ ...WAITING, requested_by: 'operator:opr_1' }]);
    expect(await screen.findByText(words.ownWaits)).toBeTruthy();
    expect(button(APPROVE)).toBeNull();
    expect(button(DECLINE)).toBeTruthy();
  });

  it('are only shown to people who may not answer them', async () => {
    card([WAITING], false);
    await screen.findByText('$152.50');
    expect([button(APPROVE), button(DECLINE)]).toEqual([null, null]);
  });
});
