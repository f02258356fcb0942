// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { moneyWords } from './money-words.js';
import { SellerPaymentDialog } from './seller-payment-dialog.js';

const words = moneyWords.payment;
const LEDGER = {
  accounts: [{ account: 'seller:Front Row', currency: 'EUR', balance: -1250.5 }],
  position: 1,
  at: null,
};
const PAYMENT = { seller: 'Front Row', amount: 1250.5, paid_on: '2026-11-30', reference: 'SEPA 17' };

async function dialog(answer: unknown) {
  const asked = serve({ 'GET ledger/accounts': LEDGER, 'POST seller-payments': answer });
  const onDone = vi.fn();
  shown(<SellerPaymentDialog onClose={vi.fn()} onDone={onDone} />);
  const found = within(await screen.findByRole('dialog'));
  await waitFor(() => found.getByLabelText(words.amount('EUR')));
  const type = (label: string, value: string) => fireEvent.change(found.getByLabelText(label), { target: { value } });
  const submit = () => fireEvent.click(found.getByRole('button', { name: words.submit }));
  const posts = () => asked.filter(({ route }) => route === 'POST seller-payments').map(({ body }) => body);
  return { found, type, submit, posts, onDone };
}

describe('a payment to a seller', () => {
  it('is recorded as it was typed, beside what is owed', async () => {
    const { found, type, submit, posts, onDone } = await dialog({ ...PAYMENT, currency: 'EUR', recorded_at: '' });
    type(words.seller, ' Front Row ');
    found.getByText(words.owed('€1,250.50'));
    type(words.amount('EUR'), '1250.50');
    type(words.paidOn, '2026-11-30');
    type(words.reference, 'SEPA 17');
    submit();
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(words.done('€1,250.50', 'Front Row')));
    expect(posts()).toEqual([PAYMENT]);
  });

  it('is not sent while a field is missing or the amount is none', async () => {
    const { found, type, submit, posts } = await dialog({});
    type(words.seller, 'Front Row');
    type(words.amount('EUR'), '12,50');
    submit();
    found.getByText(words.amountWrong);
    found.getByText(words.missing);
    expect(posts()).toEqual([]);
  });

  it('whose reference is there already is refused in words', async () => {
    const { type, submit, onDone } = await dialog(
      refusal(409, 40902, 'a payment with this reference is recorded already'),
    );
    type(words.seller, 'Front Row');
    type(words.amount('EUR'), '1');
    type(words.reference, 'SEPA 17');
    submit();
    expect((await screen.findByRole('alert')).textContent).toContain(
      'A payment with this reference is recorded already.',
    );
    expect(onDone).not.toHaveBeenCalled();
  });
});
