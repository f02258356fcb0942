// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Permission } from '#accounts/permission.contract';
import type { OrderDetail } from '#orders/order.contract';
import { CONFIRMED, PAID } from '../../test/order.js';
import { shown } from '../../test/shown.js';
import { MoneyCard } from './money-card.js';
import { orderWords as words } from './order-words.js';
import { refundWords } from './refund-words.js';

type Payment = NonNullable<OrderDetail['payment']>;

const paid = (payment: Partial<Payment>): OrderDetail => {
  if (!PAID.payment) throw new Error('The order of the specs is paid.');
  return { ...PAID, payment: { ...PAID.payment, ...payment } };
};
type Shown = Readonly<{ now?: OrderDetail; mayRefund?: boolean; permissions?: readonly Permission[] }>;

const card = (order: OrderDetail, { now = order, mayRefund = true, permissions = [] }: Shown = {}) =>
  shown(<MoneyCard order={order} now={now} mayRefund={mayRefund} />, permissions);
const valueOf = (name: string) => screen.queryByText(name, { selector: 'dt' })?.nextElementSibling?.textContent;
const sentences = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
const refundButton = () => screen.queryByRole('button', { name: refundWords.open });

describe('the money of an order', () => {
  it('says what was taken and what of it can be refunded, in the currency of the payment', () => {
    card(paid({ currency: 'EUR', state: 'part_refunded', refunded: 40, pending_refunds: 10, refundable: 204.6 }));
    const [taken, refunded, pending] = sentences();
    expect(taken).toBe('Took €254.60 from Visa ···· 1111');
    expect(refunded).toBe('Refunded €40.00 to Visa ···· 1111 · banks take 5 to 10 days');
    expect(pending).toContain('€10.00');
    expect(valueOf(words.field.refundable)).toBe('€204.60');
  });

  it('says where the payment is, under which id', () => {
    card(PAID);
    expect(valueOf(words.field.provider)).toBe('Stripe');
    expect(valueOf(words.field.reference)).toContain('pi_1');
  });

  it('says what is held, and until when it has to be taken', () => {
    const capture_before = '2020-11-29T10:15:00.000Z';
    card(paid({ state: 'authorised', captured: 0, refundable: 0, capture_before }));
    expect(sentences()).toEqual(['Held $254.60 on Visa ···· 1111 · not taken yet']);
    expect(valueOf(words.field.captureBefore)).toContain('29 Nov 2020');
    expect(valueOf(words.field.refundable)).toBeUndefined();
  });

  it('shows a dispute with the time to answer it, which bars refunds', () => {
    const due_at = '2020-12-03T10:15:00.000Z';
    card(paid({ state: 'disputed', dispute: { id: 'dp_1', state: 'open', amount: 254.6, due_at } }));
    for (const text of ['$254.60', '3 Dec 2020', 'dp_1']) expect(valueOf(words.field.dispute)).toContain(text);
    expect(valueOf(words.field.refundable)).toBeUndefined();
    expect(refundButton()).toBeNull();
  });

  it('leads to the dispute those who may see disputes', () => {
    const disputed = paid({ state: 'disputed', dispute: { id: 'dp_1', state: 'open', amount: 254.6, due_at: null } });
    card(disputed);
    expect(screen.queryByRole('link')).toBeNull();
    card(disputed, { permissions: ['money:read'] });
    expect(screen.getByRole('link', { name: 'dp_1' }).getAttribute('href')).toBe('/disputes/dp_1');
  });

  it('offers a refund to those who may ask for one, while something is left', () => {
    card(PAID);
    expect(refundButton()).toBeTruthy();
    card(PAID, { mayRefund: false });
    expect(refundButton()).toBeNull();
    card(paid({ state: 'refunded', refunded: 254.6, refundable: 0 }));
    expect(refundButton()).toBeNull();
  });

  it('marks what is otherwise now, in an earlier version', () => {
    card(paid({}), { now: paid({ state: 'part_refunded', refunded: 40, refundable: 214.6 }) });
    expect(valueOf(words.field.refundable)).toBe(`$254.60${words.differs}: $214.60`);
    expect(sentences().at(-1)).toBe(`${words.differs}: ${words.paymentState.part_refunded}`);
  });

  it('is invoiced to a wholesale partner', () => {
    card(CONFIRMED);
    expect(screen.getByText(words.wholesale)).toBeTruthy();
    expect(refundButton()).toBeNull();
  });
});
