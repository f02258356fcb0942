import { describe, expect, it } from 'vitest';
import type { ListingDocument } from '#listings/listing.contract';
import { rowsToDeliveries } from './listing-rows.js';
import { bodyOf, changeOf, draftOf, fieldErrors, type ListingDraft } from './listing-fields.js';

const LISTING: ListingDocument = {
  listing_id: 'lst-1',
  event_id: '1001',
  section: '104',
  row: 'C',
  notes: '',
  quantity: 4,
  split_rule: [2, 4],
  price: 49.5,
  fees: 7.5,
  wholesale_price: 45,
  tax_rate: 0.06,
  tax_rates: { 'US-NY': 0.08875 },
  delivery_methods: [{ type: 'ship', name: 'Courier, insured', cost: 15, costs: { US: 15, 'US-HI': 30 } }],
  confirmation: 'automatic',
  speculative: false,
  state: 'on_sale',
  held: 0,
  version: 1,
  withdrawn_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
};

const draft = draftOf(LISTING);
const changed = (part: Partial<ListingDraft>) => changeOf(draft, { ...draft, ...part });

describe('the form of a listing', () => {
  it('shows rates in percent, and changes nothing by itself', () => {
    expect(draft.texts.tax_rate).toBe('6');
    expect(draft.rates).toEqual([{ place: 'US-NY', amount: '8.875' }]);
    expect(changed({})).toEqual({});
  });

  it.each([
    ['8.875', 0.08875],
    ['7.25 %', 0.0725],
    ['', 0],
    ['much', 'much'],
  ])('takes %j as the tax rate %j', (text, rate) => {
    expect(changed({ texts: { ...draft.texts, tax_rate: text } })).toEqual({ tax_rate: rate });
  });

  it('sends rates and costs by place as a whole, without empty rows', () => {
    const rows = [...draft.rates, { place: 'ca-on', amount: '13' }, { place: '', amount: ' ' }];
    expect(changed({ rates: rows })).toEqual({ tax_rates: { 'US-NY': 0.08875, 'CA-ON': 0.13 } });
    expect(changed({ rates: [] })).toEqual({ tax_rates: {} });
    const [ship] = draft.deliveries;
    expect(ship && changed({ deliveries: [{ ...ship, places: [{ place: 'US', amount: '$12' }] }] })).toEqual({
      delivery_methods: [{ type: 'ship', name: 'Courier, insured', cost: 15, costs: { US: 12 } }],
    });
    expect(ship && changed({ deliveries: [{ ...ship, places: [] }] })).toEqual({
      delivery_methods: [{ type: 'ship', name: 'Courier, insured', cost: 15 }],
    });
  });

  it('keeps the form of a delivery, and has none for the first one', () => {
    const [ship] = draftOf({
      ...LISTING,
      delivery_methods: [{ type: 'ship', name: 'Courier', form: 'label', cost: 15 }],
    }).deliveries;
    expect(ship && changed({ deliveries: [ship] })).toMatchObject({ delivery_methods: [{ form: 'label' }] });
    expect(ship && rowsToDeliveries([{ ...ship, form: '' }])).toEqual([{ type: 'ship', name: 'Courier', cost: 15 }]);
  });

  it.each([
    ['true', { speculative: true }],
    ['false', {}],
  ])('says %s of tickets that the seller does not have', (speculative, change) => {
    expect(changed({ texts: { ...draft.texts, speculative } })).toEqual(change);
  });

  it('leaves out of a new listing what is empty', () => {
    const { texts, ...rest } = draftOf(null);
    const body = bodyOf({ ...rest, texts: { ...texts, event_id: '1001', quantity: '2', price: '10', fees: '0' } });
    expect(body).toEqual({
      event_id: '1001',
      section: '',
      row: '',
      notes: '',
      quantity: 2,
      price: 10,
      fees: 0,
      tax_rate: 0,
      split_rule: 'any',
      confirmation: 'automatic',
      speculative: false,
      tax_rates: {},
      delivery_methods: [{ type: 'download', name: 'E-tickets', cost: 0 }],
    });
  });

  it('knows the fields that the server names', () => {
    const message =
      'Invalid: tax_rates.US-N: must be a country; delivery_methods.0.costs.US: must be a number; tax_rate: must be small';
    expect(fieldErrors(message)).toEqual({
      tax_rates: 'Must be a country',
      delivery_methods: 'Must be a number',
      tax_rate: 'Must be small',
    });
  });
});
