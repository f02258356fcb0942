import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ListingBody, ListingDocument, ListingId } from './listing.contract.js';

const body = {
  event_id: '1001',
  section: 'Floor',
  row: 'A',
  quantity: 4,
  split_rule: 'any',
  price: 19.99,
  fees: 2.5,
  wholesale_price: 17,
  delivery_methods: [{ type: 'download', name: 'E-tickets', cost: 0 }],
};

/** The paths of the invalid fields. Empty if the body is accepted. */
function invalidPaths(change: object): string[] {
  const parsed = ListingBody.safeParse({ ...body, ...change });
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
}

describe('ListingBody', () => {
  it('fills in optional fields', () => {
    expect(ListingBody.parse(body)).toEqual({
      ...body,
      notes: '',
      tax_rate: 0,
      tax_rates: {},
      confirmation: 'automatic',
      speculative: false,
    });
  });

  it('accepts every cent up to two hundred dollars', () => {
    const refused = Array.from({ length: 20_001 }, (_, cents) => cents / 100).filter(
      (price) => invalidPaths({ price }).length,
    );
    expect(refused).toEqual([]);
  });

  it.each([
    ['a missing field', { price: undefined }, 'price'],
    ['a fraction of a cent', { price: 1.005 }, 'price'],
    ['a negative amount', { fees: -0.01 }, 'fees'],
    ['an absurd amount', { wholesale_price: 1_000_000.01 }, 'wholesale_price'],
    ['infinity', { price: Infinity }, 'price'],
    ['a quantity that is no integer', { quantity: 1.5 }, 'quantity'],
    ['too large a quantity', { quantity: 100_001 }, 'quantity'],
    ['an unknown split rule', { split_rule: 'triples' }, 'split_rule'],
    ['an empty split list', { split_rule: [] }, 'split_rule'],
    ['a split of nothing', { split_rule: [0] }, 'split_rule.0'],
    ['a tax above 100 %', { tax_rate: 1.01 }, 'tax_rate'],
    ['a tax for no region', { tax_rates: { 'us-ny': 0.1 } }, 'tax_rates.us-ny'],
    ['no delivery method', { delivery_methods: [] }, 'delivery_methods'],
    ['an unknown delivery', { delivery_methods: [{ type: 'fax', name: 'Fax', cost: 1 }] }, 'delivery_methods.0.type'],
    [
      'two deliveries of a type',
      { delivery_methods: [...body.delivery_methods, ...body.delivery_methods] },
      'delivery_methods',
    ],
    [
      'a cost for no region',
      { delivery_methods: [{ type: 'ship', name: 'UPS', cost: 1, costs: { Texas: 1 } }] },
      'delivery_methods.0.costs.Texas',
    ],
    ['a deadline without manual confirmation', { confirm_within_minutes: 5 }, 'confirm_within_minutes'],
    ['NUL in a text', { notes: 'a\0b' }, 'notes'],
    ['half a character', { section: '\ud83c' }, 'section'],
    ['a long text', { row: 'r'.repeat(101) }, 'row'],
    ['an event id with a slash', { event_id: 'a/b' }, 'event_id'],
    ['NUL deep in the market fields', { market_specific_fields: { a: [{ b: '\0' }] } }, 'market_specific_fields'],
    ['half a character as a key', { market_specific_fields: { '\udc00': 1 } }, 'market_specific_fields'],
    ['too large market fields', { market_specific_fields: { a: 'x'.repeat(70_000) } }, 'market_specific_fields'],
    ['a number that JSON cannot write', { market_specific_fields: { a: Infinity } }, 'market_specific_fields'],
    ['market fields that are a list', { market_specific_fields: [] }, 'market_specific_fields'],
  ])('rejects %s', (_what, change, field) => {
    expect(invalidPaths(change)).toEqual([field]);
  });

  it('treats null as a missing field', () => {
    const nothing = { seats: null, tax_rates: null, confirm_within_minutes: null, market_specific_fields: null };
    const method = { ...body.delivery_methods[0], costs: null };
    expect(ListingBody.parse({ ...body, ...nothing, notes: null, delivery_methods: [method] })).toEqual(
      ListingBody.parse(body),
    );
    expect(invalidPaths({ price: null, event_id: null })).toEqual(['event_id', 'price']);
  });

  it('names unknown keys', () => {
    const parsed = ListingBody.safeParse({ ...body, colour: 'red' });
    expect(parsed.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['colour'] }]);
  });

  it('rejects market fields that are nested too deeply', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`) as unknown;
    expect(invalidPaths({ market_specific_fields: { deep } })).toEqual(['market_specific_fields']);
  });

  it('accepts a deadline with manual confirmation', () => {
    expect(invalidPaths({ confirmation: 'manual', confirm_within_minutes: 30 })).toEqual([]);
  });
});

describe('the form of a delivery method', () => {
  const all = ['files', 'links', 'barcodes', 'own', 'label'];
  it.each([
    ['download', ['files', 'links', 'barcodes']],
    ['ship', ['own', 'label']],
    ['transfer', []],
    ['will_call', []],
  ])('of %s is one of %j', (type, forms) => {
    const refused = (form: string) => invalidPaths({ delivery_methods: [{ type, name: 'So', cost: 0, form }] });
    expect(all.filter((form) => refused(form).length === 0)).toEqual(forms);
    expect(refused('fax')).toEqual(['delivery_methods.0.form']);
    expect(refused(type === 'ship' ? 'links' : 'own')).toEqual(['delivery_methods.0.form']);
  });
});

it('a speculative listing may say how long its broker has', () => {
  expect(invalidPaths({ speculative: true, confirm_within_minutes: 30 })).toEqual([]);
  expect(invalidPaths({ speculative: false, confirm_within_minutes: 30 })).toEqual(['confirm_within_minutes']);
  expect(invalidPaths({ speculative: 'yes' })).toEqual(['speculative']);
});

it.each(['5/6', '5\\6', ''])('no seat is called %j', (seat) => {
  expect(invalidPaths({ seats: ['4', seat] })).toEqual(['seats.1']);
});

describe('ListingId', () => {
  it.each(['lst-1', '1001', 'Block A: 12', 'größe', '...', '50%25off', 'a%20b', '100%'])('takes %s', (id) => {
    expect(ListingId.safeParse(id).success).toBe(true);
  });

  it.each(['', '.', '..', 'a/b', 'a\\b', 'a\nb', 'x'.repeat(101), ' ', 'a%2eb', 'a%2Fb', '%41', '50%2541', 'a%0ab'])(
    'refuses %j',
    (id) => {
      expect(ListingId.safeParse(id).success).toBe(false);
    },
  );
});

describe('OpenAPI', () => {
  it('can show both documents', () => {
    const required = ['event_id', 'section', 'row', 'quantity', 'split_rule', 'price', 'fees', 'wholesale_price'];
    expect(z.toJSONSchema(ListingBody, { io: 'input' })).toMatchObject({
      $defs: { ListingBody: { additionalProperties: false, required: [...required, 'delivery_methods'] } },
    });
    expect(z.toJSONSchema(ListingDocument)).toMatchObject({
      $defs: { Listing: { properties: { withdrawn_at: { anyOf: [{ format: 'date-time' }, { type: 'null' }] } } } },
    });
  });
});
