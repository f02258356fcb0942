import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dollarsOf } from './money.js';
import { paymentParts, paymentTotal, quote, replacementParts, wholesaleTotal, type Prices } from './pricing.js';
import { totalOf } from './purchase-parts.js';

const listing: Prices = {
  priceCents: 10_050,
  feesCents: 1_275,
  wholesalePriceCents: 9_001,
  taxRate: '0.05',
  taxRates: { 'US-NY': 0.08875, US: 0.06 },
  deliveryMethods: [
    { type: 'ship', name: 'Courier', costCents: 1500, costsCents: { US: 1200, 'US-NY': 800, CA: 2500 } },
    { type: 'download', name: 'Mobile', costCents: 250 },
    { type: 'transfer', name: 'Transfer', costCents: 0 },
    { type: 'will_call', name: 'Box office', costCents: 300, costsCents: { 'US-NY': 100 } },
  ],
};
const names = (asked: Parameters<typeof quote>[1]) => quote(listing, asked).deliveryMethods.map(({ name }) => name);
const cost = (asked: Parameters<typeof quote>[1]) => quote(listing, asked).deliveryMethods[0]?.costCents;

describe('a quote', () => {
  it('is for one ticket without a quantity', () => {
    expect(quote(listing, {})).toMatchObject({ priceCents: 10_050, feesCents: 1_275, taxCents: 566 });
    expect(quote(listing, { quantity: 1 })).toEqual(quote(listing, {}));
  });

  it('taxes price and fees of all tickets, rounded once', () => {
    expect(quote(listing, { quantity: 3 }).taxCents).toBe(1_699); // 5 % of 339.75 is 16.9875, three times 5.66 is 16.98
  });

  it.each([
    [{}, 566],
    [{ country: 'US' }, 680],
    [{ country: 'us', state: 'ny' }, 1_005],
    [{ country: 'US', state: 'TX' }, 680],
    [{ country: 'CA', state: 'ON' }, 566],
    [{ state: 'NY' }, 566],
    [{ country: '', state: '' }, 566],
    [{ country: '__proto__' }, 566],
    [{ country: 'constructor' }, 566],
  ])('uses the tax of the place: %j', (place, expected) => expect(quote(listing, place).taxCents).toBe(expected));

  it('prefers the cost of the state to that of the country', () => {
    expect(cost({ country: 'US', state: 'ny' })).toBe(800);
    expect(cost({ country: 'us', state: 'TX' })).toBe(1200);
    expect(cost({ country: 'CA' })).toBe(2500);
  });

  it('offers a method only if it has a cost', () => {
    expect(names({ country: 'US', state: 'NY' })).toEqual(['Courier', 'Mobile', 'Transfer', 'Box office']);
    expect(names({ country: 'CA' })).toEqual(['Courier', 'Mobile', 'Transfer']);
    expect(names({ country: 'FR' })).toEqual(['Mobile', 'Transfer']);
  });

  it('shows the plain cost without a place', () => {
    expect(quote(listing, {}).deliveryMethods.map(({ costCents }) => costCents)).toEqual([1500, 250, 0, 300]);
    expect(cost({ state: 'NY' })).toBe(1500);
  });

  it("ignores the case of the seller's keys", () => {
    expect(quote({ ...listing, taxRates: { 'us-ny': '0.1' } }, { country: 'US', state: 'NY' }).taxCents).toBe(1_133);
  });
});

describe('a payment total', () => {
  it('is tickets, tax and delivery to the address of a shipment', () => {
    const delivery = { type: 'ship', address: { country: 'US', state: 'NY' } } as const;
    expect(paymentTotal(listing, { quantity: 2, delivery })).toEqual({
      ticketsCents: 22_650,
      taxCents: 2_010,
      totalCents: 25_460,
      delivery: { type: 'ship', name: 'Courier', costCents: 800 },
    });
  });

  it('uses no place except that of a shipment', () => {
    const delivery = { type: 'will_call', address: { country: 'US', state: 'NY' } } as const;
    expect(paymentTotal(listing, { quantity: 2, delivery })).toMatchObject({
      taxCents: 1_133,
      totalCents: 22_650 + 1_133 + 300,
    });
  });

  it('is null for a method that is not offered', () => {
    const emptied = { ...listing, deliveryMethods: [] };
    expect(paymentTotal(emptied, { quantity: 1, delivery: { type: 'download' } })).toBe(null);
    const delivery = { type: 'ship', address: { country: 'FR' } } as const;
    expect(paymentTotal(listing, { quantity: 1, delivery })).toBe(null);
  });
});

describe('the parts', () => {
  const purchase = { quantity: 2, delivery: { type: 'ship', address: { country: 'US', state: 'NY' } } } as const;
  const parts = { price_cents: 20_100, fees_cents: 2_550, tax_cents: 2_010, delivery_cents: 800 };

  it('of a purchase add up to its total, and there are none without a delivery', () => {
    expect(paymentParts(listing, purchase)).toEqual(parts);
    expect(totalOf(parts)).toBe(paymentTotal(listing, purchase)?.totalCents);
    expect(paymentParts({ ...listing, deliveryMethods: [] }, purchase)).toBe(null);
  });

  it('of other tickets are those of a purchase, without delivery where the listing has none', () => {
    expect(replacementParts(listing, purchase)).toEqual(parts);
    expect(replacementParts({ ...listing, deliveryMethods: [] }, purchase)).toEqual({ ...parts, delivery_cents: 0 });
  });
});

it('a wholesale total is the wholesale price, without fees, tax or delivery', () => {
  expect(wholesaleTotal(listing, 3)).toBe(27_003);
});

const TYPES = ['ship', 'download', 'transfer', 'will_call'] as const;
const places = fc.record({
  country: fc.constantFrom('US', 'us', 'CA', 'FR'),
  state: fc.option(fc.constantFrom('NY', 'ny', 'TX', 'ON'), { nil: undefined }),
});
const placeKeys = fc.constantFrom('US', 'US-NY', 'US-TX', 'CA', 'CA-ON');
const rate = fc.integer({ min: 0, max: 30_000 }).map((n) => n / 100_000);
const amount = fc.integer({ min: 0, max: 500_000 });
const listings: fc.Arbitrary<Prices> = fc.record({
  priceCents: amount,
  feesCents: amount,
  wholesalePriceCents: amount,
  taxRate: rate,
  taxRates: fc.dictionary(placeKeys, rate),
  deliveryMethods: fc.uniqueArray(
    fc.record({
      type: fc.constantFrom(...TYPES),
      name: fc.string(),
      costCents: amount,
      costsCents: fc.option(fc.dictionary(placeKeys, amount), { nil: undefined }),
    }),
    { maxLength: 4, selector: ({ type }) => type },
  ),
});

describe('for every listing, quantity and place', () => {
  const quantities = fc.integer({ min: 1, max: 2000 });

  it("the lookup's amounts add up to the total of the purchase", () => {
    fc.assert(
      fc.property(listings, quantities, places, (prices, quantity, address) => {
        for (const type of TYPES) {
          const shown = quote(prices, type === 'ship' ? { quantity, ...address } : { quantity });
          const total = paymentTotal(prices, { quantity, delivery: { type, address } });
          const method = shown.deliveryMethods.find((candidate) => candidate.type === type);
          const sum =
            method &&
            new Big(dollarsOf(shown.priceCents))
              .plus(dollarsOf(shown.feesCents))
              .times(quantity)
              .plus(dollarsOf(shown.taxCents))
              .plus(dollarsOf(method.costCents))
              .toNumber();
          expect(total && dollarsOf(total.totalCents)).toBe(sum ?? null);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('the tax is that of the most specific place, rounded half up to the cent', () => {
    fc.assert(
      fc.property(listings, quantities, places, (prices, quantity, place) => {
        const country = place.country.toUpperCase();
        const rates = { ...prices.taxRates };
        const applied = rates[`${country}-${place.state?.toUpperCase()}`] ?? rates[country] ?? prices.taxRate;
        const model = new Big(prices.priceCents).plus(prices.feesCents).times(quantity).times(String(applied));
        const { taxCents } = quote(prices, { quantity, ...place });
        expect(taxCents).toBe(model.round(0, Big.roundHalfUp).toNumber());
      }),
      { numRuns: 1000 },
    );
  });
});
