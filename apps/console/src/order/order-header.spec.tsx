// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { OrderDetail } from '#orders/order.contract';
import { CONFIRMED } from '../../test/order.js';
import { shown } from '../../test/shown.js';
import { deskWords, statusReasons } from './edit/order-desk-words.js';
import { OrderHeader } from './order-header.js';
import { orderWords as words } from './order-words.js';
import { replacementWords } from './replacement-words.js';

const REFUSED: Partial<OrderDetail> = {
  status: { status: 'rejected', status_message: 'Rejected by the broker', status_code: 3004 },
  status_history: [
    {
      status: 'rejected',
      status_message: 'Rejected by the broker',
      status_code: 3004,
      created_at: '2026-11-22T10:42:00.000Z',
      actor: 'operator:opr_1',
      note: 'Sold at the door.',
    },
  ],
};
const OFFER: OrderDetail['replacement'] = {
  event_id: '1001',
  listing_id: 'back-1',
  quantity: 2,
  terms: 'Row H instead of F.',
  expires_at: '2099-11-22T10:15:00.000Z',
  state: 'open',
  price_difference: -20,
};

const header = (order: Partial<OrderDetail> = {}, mayChange = false) =>
  shown(
    <OrderHeader
      order={{ ...CONFIRMED, ...order }}
      isPast={false}
      mayChange={mayChange}
      actions={<button type="button">Ship</button>}
    />,
  );
const status = () => screen.getByRole('group', { name: words.status }).textContent;

describe('the header of an order', () => {
  it('names the order, its status and where it comes from, beside what can be done next', () => {
    header();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('ord_1');
    expect(status()).toBe('Confirmed');
    for (const text of ['2000', 'checkout-4711', 'acme', 'tx-1']) expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Ship' })).toBeTruthy();
  });

  it('has no status and no code while the payment is open', () => {
    header({ status: null });
    expect(status()).toBe('–');
    expect(screen.queryByText('2000')).toBeNull();
  });

  it.each([
    ['2099-01-01T00:00:00.000Z', /left$/],
    ['2020-01-01T00:00:00.000Z', /late$/],
  ])('says until %s how long the broker has, and after it how late it is', (confirm_by, text) => {
    header({ confirm_by });
    const clock = screen.getByText(text).closest('time');
    expect(clock?.dateTime).toBe(confirm_by);
    expect(clock?.textContent).toContain(words.field.due);
  });

  it('says why an order ended, with what was written then', () => {
    header(REFUSED);
    expect(screen.getByText(statusReasons[3004] ?? '')).toBeTruthy();
    expect(screen.getByText('Sold at the door.')).toBeTruthy();
  });

  it('shows the offer of other tickets, and in place of the reason as long as it is open', () => {
    header({ ...REFUSED, replacement: OFFER });
    expect(screen.getByRole('link', { name: 'back-1' }).getAttribute('href')).toBe('/listings/back-1');
    expect(screen.getByText(replacementWords.cheaper('$20.00'))).toBeTruthy();
    expect(screen.queryByText('Sold at the door.')).toBeNull();
    header({ ...REFUSED, replacement: { ...OFFER, state: 'lapsed' } });
    expect(screen.getByText(replacementWords.state.lapsed)).toBeTruthy();
    expect(screen.getByText('Sold at the door.')).toBeTruthy();
  });

  it('warns of a reference that looks like a card number', () => {
    header();
    expect(screen.queryByText(words.cardInRef)).toBeNull();
    header({ card_data_in_ref_id: true });
    expect(screen.getByText(words.cardInRef)).toBeTruthy();
  });

  it('only shows tags and assignee to people who may not change them', () => {
    const desk = { tags: ['vip'], assignee: 'opr_2', assignee_name: 'Bob' };
    header(desk);
    expect(screen.getByText('vip')).toBeTruthy();
    expect(screen.getByText(deskWords.assignedTo('Bob')).tagName).toBe('SPAN');
    expect(screen.queryByRole('button', { name: deskWords.removeTag('vip') })).toBeNull();
    header(desk, true);
    expect(screen.getByRole('button', { name: `${deskWords.assignedTo('Bob')} ▾` })).toBeTruthy();
    expect(screen.getByRole('button', { name: deskWords.removeTag('vip') })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: `+ ${deskWords.addTag}` }));
    expect(screen.getByRole('textbox', { name: deskWords.tag })).toBe(document.activeElement);
  });
});
