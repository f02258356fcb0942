import { describe, expect, it } from 'vitest';
import {
  ask,
  CAPTURED,
  captureFailed,
  HELD,
  life,
  receive,
  refunded,
  refundFailed,
  replace,
  returnPayment,
  status,
} from '../../../test/support/orders/paid-order.js';

const [offer, take] = replace(9_500) as [ReturnType<typeof receive>, ReturnType<typeof receive>];

describe('other tickets', () => {
  it.each([
    ['cheaper', 9_500, { difference: -2_000, total: 9_500, due: { position: 7, cents: 2_000 } }],
    ['equally dear', 11_500, { difference: 0, total: 11_500, due: null }],
    ['dearer', 13_500, { difference: 2_000, total: 11_500, due: null }],
  ])('that are %s never cost the buyer more', (_, price, { difference, total, due }) => {
    expect(life(...CAPTURED, ...replace(price)).order).toMatchObject({
      purchase: { total_cents: total, seller: 'Balcony' },
      replacement: { difference_cents: difference },
      differenceDue: due,
      deadline: null,
    });
  });

  it('give their difference back once', () => {
    const accepted = [...CAPTURED, ...replace(9_500)];
    const { gave, events, order } = life(...accepted, returnPayment('r1'));
    expect(gave).toEqual(['RefundRequested']);
    expect(events).toMatchObject([
      { data: { amount_cents: 2_000, origin: 'order', needs_approval: false, reason: 'other', quantity: null } },
    ]);
    expect(order.differenceDue).toBeNull();
    expect(life(...accepted, returnPayment('r1'), returnPayment('r2')).gave).toEqual([]);
    expect(life(...CAPTURED, ...replace(13_500), returnPayment('r1')).gave).toEqual([]);
  });

  it('are taken in part where the money is only held', () => {
    const { gave, order } = life(...HELD, ...replace(9_500));
    expect(gave).toEqual(['ReplacementAccepted 2005', 'PaymentPartlyReleased']);
    expect(order).toMatchObject({ differenceDue: null, payment: { amount_cents: 11_500, returned_cents: 2_000 } });
  });

  it('wait with a further offer for the money, and then count from the new total', () => {
    const accepted = [...CAPTURED, ...replace(9_500)];
    expect(life(...accepted, replace(9_000, 'L3')[0]!).gave).toBe('CONFLICT');
    expect(life(...accepted, returnPayment('r1'), ...replace(9_000, 'L3')).order).toMatchObject({
      purchase: { total_cents: 9_000 },
      differenceDue: { cents: 500 },
    });
  });

  it.each([
    ['everything was refunded', [...CAPTURED, ask('r1', { amountCents: 11_500 }), refunded('r1')]],
    ['nothing is held any more', [...HELD, offer, captureFailed(true)]],
  ])('can be offered again where %s', (_, before) => {
    const accepted = before.includes(offer) ? [...before, take] : [...before, offer, take];
    expect(life(...accepted, replace(9_000, 'L3')[0]!).gave).toContain('ReplacementProposed');
  });

  it('give nothing back apart if the whole payment goes back', () => {
    const rejected = [...CAPTURED, ...replace(9_500), status(3004)];
    const { events } = life(...rejected, returnPayment('r1'));
    expect(events).toMatchObject([{ data: { amount_cents: 11_500 } }]);
    expect(life(...rejected, returnPayment('r1'), returnPayment('r2')).gave).toEqual([]);
  });

  it('give the whole payment back although their own refund had failed', () => {
    const failed = [...CAPTURED, ...replace(9_500), returnPayment('r1'), refundFailed('r1'), status(3004)];
    expect(life(...failed, returnPayment('r2')).events).toMatchObject([{ data: { amount_cents: 11_500 } }]);
  });

  it('of a wholesale order leave its total as it is', () => {
    const { order } = life(receive({ variant: 'wholesale', payment: null }), ...replace(9_500));
    expect(order).toMatchObject({ purchase: { total_cents: 11_500 }, differenceDue: null, deadline: null });
    expect(order.replacement).not.toHaveProperty('difference_cents');
  });
});
