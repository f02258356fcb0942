import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CheckoutListing } from '#listings/checkout-listing.contract';
import { validatePurchase } from '#orders/validate-purchase.contract';
import { dollarsOf } from '#domain/money';
import { type DeliveryType, paymentTotal, type Prices, quote } from '#domain/pricing';
import { billOf, type Selection, paymentBody, wholesaleBody } from './purchase-request.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const BOSTON = { country: 'US', state: 'MA', city: 'Boston', zip: '02108' };
const choice: Selection = { listingId: 'lst-1', eventId: '1001', quantity: 3, refId: 'r-1', trusted: true };
const card = { card: '4111111111111111', cvv: '123', year: 2028 };

/** The JSON of a lookup. */
function listingFor(prices: Prices, asked: Parameters<typeof quote>[1]): CheckoutListing {
  const { priceCents, feesCents, taxCents, deliveryMethods } = quote(prices, asked);
  const document = {
    listing_id: 'lst-1',
    section: '',
    row: '',
    notes: '',
    splits: [asked.quantity],
    price: dollarsOf(priceCents),
    fees: dollarsOf(feesCents),
    tax: dollarsOf(taxCents),
    delivery_methods: deliveryMethods.map(({ type, name, costCents }) => ({ type, name, cost: dollarsOf(costCents) })),
  };
  return CheckoutListing.parse(JSON.parse(JSON.stringify(document)));
}

const anyPrices = fc.record({
  priceCents: fc.nat(1_000_000),
  feesCents: fc.nat(100_000),
  wholesalePriceCents: fc.nat(1_000_000),
  taxRate: fc.nat(2_000).map((rate) => rate / 10_000),
  taxRates: fc.constant({ 'US-MA': 0.0625 }),
  deliveryMethods: fc.tuple(fc.nat(10_000), fc.nat(10_000)).map(([plain, there]) => [
    { type: 'ship' as const, name: 'Courier', costCents: plain, costsCents: { US: there } },
    { type: 'download' as const, name: 'E-tickets', costCents: plain },
  ]),
});

describe('the bill', () => {
  it("is the marketplace's charge, to the cent", () => {
    const types = fc.constantFrom<DeliveryType>('ship', 'download');
    fc.assert(
      fc.property(anyPrices, fc.integer({ min: 1, max: 50 }), types, (prices, quantity, type) => {
        const listing = listingFor(prices, { quantity, ...(type === 'ship' ? BOSTON : {}) });
        const charged = paymentTotal(prices, { quantity, delivery: { type, address: BOSTON } });
        expect(billOf(listing, quantity, type).total).toBe(charged?.totalCents);
      }),
    );
  });

  it('fails for a delivery type that is not offered, and for parts of cents', () => {
    const listing = listingFor(
      { priceCents: 100, feesCents: 0, wholesalePriceCents: 0, taxRate: 0, taxRates: {}, deliveryMethods: [] },
      { quantity: 1 },
    );
    expect(() => billOf(listing, 1, 'transfer')).toThrow('not delivered by transfer');
    const delivery_methods = [{ type: 'download' as const, name: '', cost: 0 }];
    expect(() => billOf({ ...listing, price: 0.001, delivery_methods }, 1, 'download')).toThrow('fraction of a cent');
  });
});

describe('the body', () => {
  it.each(['ship', 'download', 'transfer', 'will_call'] as const)(
    'is a valid purchase, delivered by %s',
    (delivery) => {
      const body = paymentBody(choice, { total: 12_345, method: card, delivery, place: BOSTON });
      const { purchase } = validatePurchase('payment', body, NOW) as { purchase?: unknown };
      expect(purchase).toMatchObject({
        product: { event_id: '1001', listing_id: 'lst-1', quantity: 3 },
        total_cents: 12_345,
        ref_id: 'r-1',
        trusted: true,
        delivery_method: { type: delivery },
      });
    },
  );

  it('may pay by token, without a reference and without trust', () => {
    const method = { token: 'tok_1', type: 'providerb_token' };
    const plain = { ...choice, refId: undefined, trusted: undefined };
    const body = paymentBody(plain, { total: 1, method, delivery: 'download', place: BOSTON });
    const { purchase } = validatePurchase('payment', body, NOW) as { purchase?: unknown };
    expect(purchase).toMatchObject({ payment: { type: 'providerb_token' }, ref_id: null, trusted: false });
    expect(body).not.toHaveProperty('ref_id');
  });

  it('has the wholesale total', () => {
    const { purchase } = validatePurchase('wholesale', wholesaleBody(choice, 18_002), NOW) as { purchase?: unknown };
    expect(purchase).toMatchObject({ total_cents: 18_002, ref_id: 'r-1' });
  });
});
