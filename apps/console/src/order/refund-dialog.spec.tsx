// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RefundPreview } from '#money/refund.contract';
import { PAID } from '../../test/order.js';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { RefundDialog } from './refund-dialog.js';
import { refundWords } from './refund-words.js';

const words = refundWords.dialog;

const PREVIEW: RefundPreview = {
  amount: 152.5,
  currency: 'USD',
  refundable_after: 102.1,
  to: { provider: 'stripe', type: 'creditcard', brand: 'visa', last_four: '1111' },
  needs_approval: false,
  lines: [
    { account: 'seller:house', amount: 140 },
    { account: 'fees', amount: 12.5 },
  ],
};
const REFUND = { id: 'rf_1', state: 'pending', amount: 152.5, currency: 'USD', quantity: null };

function dialog(preview: RefundPreview | Response = PREVIEW, refunds: readonly object[] = []) {
  const asked = serve({
    'GET orders/ord_1/refunds': { refunds },
    'GET orders/ord_1/refunds/preview': preview,
    'POST orders/ord_1/refunds': REFUND,
  });
  const onDone = vi.fn();
  shown(<RefundDialog order={PAID} onClose={vi.fn()} onDone={onDone} onGone={vi.fn()} />);
  return { onDone, lastQuery: () => asked.findLast(({ route }) => route.endsWith('preview'))?.query, asked };
}
const field = (name: string) => screen.getByRole('textbox', { name });
const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } });
const apply = (name = words.apply('$152.50')) => screen.findByRole<HTMLButtonElement>('button', { name });
const follows = async () => {
  await apply();
  return screen.getAllByRole('listitem').map((item) => item.textContent);
};

describe('the dialog of a refund', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('says what goes back to which card, who bears it and what is left', async () => {
    dialog();
    expect(await follows()).toEqual([
      words.back('$152.50', 'Visa ···· 1111', 'Stripe'),
      'Who bears it: seller house $140.00 and fees $12.50.',
      words.after('$102.10'),
      words.nothingElse,
    ]);
  });

  it('says that another person must approve it', async () => {
    dialog({ ...PREVIEW, needs_approval: true });
    expect(await follows()).toContain(words.approval);
  });

  it('begins with all that can be refunded, and follows what is typed', async () => {
    const { lastQuery } = dialog();
    await apply();
    expect(lastQuery()).toEqual({ amount: '254.6', reason: 'customer_request' });
    fireEvent.change(field(words.amount('USD')), { target: { value: '12.5' } });
    await waitFor(() => expect(lastQuery()).toEqual({ amount: '12.5', reason: 'customer_request' }));
  });

  it('cannot be sent before it shows what follows from the newest amount', async () => {
    dialog();
    const button = await apply();
    await waitFor(() => expect(button.disabled).toBe(false));
    fireEvent.change(field(words.amount('USD')), { target: { value: '9' } });
    expect(button.disabled).toBe(true);
    await waitFor(() => expect(button.disabled).toBe(false));
    fireEvent.change(field(words.amount('USD')), { target: { value: '9,5' } });
    expect(screen.getByText(words.amountWrong)).toBeTruthy();
    expect(button.disabled).toBe(true);
  });

  it('offers the tickets that were not refunded yet, with or without the fees', async () => {
    const { lastQuery } = dialog(PREVIEW, [
      { state: 'succeeded', quantity: 1 },
      { state: 'failed', quantity: 1 },
    ]);
    await apply();
    choose(words.what, 'tickets');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: words.tickets }).options).toHaveLength(1);
    fireEvent.click(screen.getByRole('checkbox', { name: words.keepFees }));
    choose(words.reason, 'goodwill');
    await waitFor(() => expect(lastQuery()).toEqual({ quantity: '1', keep_fees: 'true', reason: 'goodwill' }));
  });

  it('asks for the refund once, with reason and note', async () => {
    const { asked, onDone } = dialog();
    const button = await apply();
    choose(words.reason, 'wrong_tickets');
    fireEvent.change(field(words.note), { target: { value: ' Row H, not C. ' } });
    await waitFor(() => expect(button.disabled).toBe(false));
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    const sent = asked.filter(({ route }) => route === 'POST orders/ord_1/refunds').map(({ body }) => body);
    expect(sent).toEqual([{ amount: 254.6, reason: 'wrong_tickets', note: 'Row H, not C.' }]);
  });

  it('says why there can be no such refund', async () => {
    dialog(refusal(409, 40904, 'Only 20.00 can still be refunded.'));
    expect((await screen.findByRole('alert')).textContent).toContain('Only 20.00 can still be refunded.');
    expect((await apply(words.applyUnseen)).disabled).toBe(true);
  });
});
