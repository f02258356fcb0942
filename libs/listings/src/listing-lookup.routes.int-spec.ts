import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingBody } from './listing.contract.js';
import { CheckoutListing } from './checkout-listing.contract.js';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { broken } from '../../../test/support/broken.js';
import { changedTables, tableState } from '../../../test/support/postgres/table-state.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1');
});
afterAll(() => api.close());

async function found(query = '', id = 'lst-1'): Promise<CheckoutListing> {
  const { status, text, body } = await api.payment.lookUp(id, query);
  expect(status, text).toBe(200);
  return CheckoutListing.parse(body);
}

const costs = (listing: CheckoutListing) => Object.fromEntries(listing.delivery_methods.map((m) => [m.type, m.cost]));

describe('a listing lookup', () => {
  it('has exactly the fields of the specification', async () => {
    const fields = { campaign: { tier: [1, null, 'é☃'] } };
    await api.staff.putListing('full', { notes: 'Aisle', seats: ['1', '2'], market_specific_fields: fields });
    const { body, headers } = await api.payment.lookUp('full');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      listing_id: 'full',
      section: 'Floor',
      row: 'A',
      notes: 'Aisle',
      splits: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      price: 100,
      fees: 10,
      tax: 5.5,
      delivery_methods: [
        { type: 'ship', name: 'Courier', cost: 15.07 },
        { type: 'download', name: 'E-tickets', cost: 0 },
        { type: 'transfer', name: 'Transfer', cost: 1.5 },
        { type: 'will_call', name: 'Box office', cost: 0 },
      ],
      market_specific_fields: fields,
    });
    expect(await found()).not.toHaveProperty('market_specific_fields');
  });

  it('shows a wholesale client only the wholesale price', async () => {
    const retail = (await api.payment.lookUp('lst-1', 'quantity=2')).body as CheckoutListing;
    const { status, body } = await api.wholesale.lookUp('lst-1', 'quantity=2&country=US&state=NY');
    expect(status).toBe(200);
    const wholesale = CheckoutListing.parse(body);
    const free = retail.delivery_methods.map((method) => ({ ...method, cost: 0 }));
    expect(wholesale).toEqual({ ...retail, price: 90.01, fees: 0, tax: 0, delivery_methods: free });
    const { price } = wholesale;
    await api.wholesale.bought(broken(wholesaleBody(), { ref_id: 'by-lookup', 'product.total': price * 2 }));
    await api.staff.putListing('lst-1');
  });

  it('changes nothing', async () => {
    const before = await tableState(api.pool);
    for (const platform of [api.payment, api.wholesale]) await platform.lookUp('lst-1', 'quantity=2');
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  });

  it('shows every quantity that can be bought, however many', async () => {
    await api.staff.putListing('stadium', { quantity: 601 });
    const { splits } = await found('', 'stadium');
    expect([splits.length, splits.at(-1)]).toEqual([601, 601]);
    expect((await api.payment.lookUp('stadium', 'quantity=601')).status).toBe(200);
  });

  it.each<[ListingBody['split_rule'], number, number[]]>([
    ['any', 3, [1, 2, 3]],
    ['pairs', 5, [2, 4]],
    ['no_single_left', 5, [1, 2, 3, 5]],
    ['no_single_left', 1, [1]],
    ['all_together', 4, [4]],
    [[6, 1, 4], 5, [1, 4]],
  ])('shows the quantities of the rule %j with %i tickets', async (split_rule, quantity, splits) => {
    await api.staff.putListing('split', { split_rule, quantity });
    expect((await found('', 'split')).splits).toEqual(splits);
    for (let asked = 1; asked <= quantity + 1; asked += 1) {
      const answer = await api.payment.lookUp('split', `quantity=${asked}`);
      expect(codesOf(answer), `quantity ${asked}`).toEqual(splits.includes(asked) ? [] : [40011]);
    }
  });

  it.each([
    ['', 5.5],
    ['quantity=3', 16.5],
    ['quantity=3&country=US', 16.5],
    ['quantity=3&state=NY', 16.5],
    ['country=US&state=NY', 9.76],
    ['quantity=2&country=US&state=NY', 19.53],
    ['quantity=2&country=us&state=ny', 19.53],
    ['quantity=2&country=USA&state=NY', 19.53],
    ['quantity=2&country=CA&state=NY', 11],
    ['quantity=&country=&state=&event_id=', 5.5],
  ])('shows for "%s" the tax %d', async (query, tax) => {
    expect((await found(query)).tax).toBe(tax);
  });

  it('shows the delivery costs for the place, and leaves out methods that do not deliver there', async () => {
    const elsewhere = { download: 0, transfer: 1.5, will_call: 0 };
    expect(costs(await found('country=CA&state=ON'))).toEqual({ ship: 30, ...elsewhere });
    expect(costs(await found('country=CA&state=QC'))).toEqual({ ship: 32.5, ...elsewhere });
    expect(costs(await found('country=US&state=NY'))).toEqual({ ship: 15.07, ...elsewhere });
    expect(costs(await found('country=FR'))).toEqual(elsewhere);
    expect(costs(await found('country=ZZ'))).toEqual(elsewhere);
  });

  it('shows the tickets that are left after a sale', async () => {
    await api.staff.putListing('selling', { quantity: 4, split_rule: 'pairs' });
    await api.payment.bought(broken(cardBody(), { 'product.listing_id': 'selling', ref_id: undefined }));
    expect((await found('', 'selling')).splits).toEqual([2]);
  });
});

describe('a lookup is rejected', () => {
  it('with 40012 if there is no such listing, or the event differs', async () => {
    for (const [id, query] of [
      ['nope', ''],
      ['LST-1', ''],
      ['lst-1%20', ''],
      ['lst-1', 'event_id=5513'],
      ['lst-1', 'event_id=%00'],
      ['lst-1', 'event_id=5512%20'],
    ] as const) {
      const answer = await api.payment.lookUp(id, query);
      expect(answer.status).toBe(400);
      expect(codesOf(answer), `${id}?${query}`).toEqual([40012]);
    }
    expect((await found('event_id=5512')).listing_id).toBe('lst-1');
  });

  it('with 40014 if it was withdrawn or is sold out, whatever the quantity', async () => {
    await api.staff.putListing('gone');
    await api.staff.send('DELETE', 'listings/gone');
    await api.staff.putListing('empty', { quantity: 0 });
    for (const id of ['gone', 'empty']) {
      for (const query of ['', 'quantity=2', 'quantity=99']) {
        const answer = await api.payment.lookUp(id, query);
        expect(answer.status).toBe(400);
        expect(codesOf(answer)).toEqual([40014]);
        expect(messagesOf(answer)).toEqual(['Listing no longer available']);
      }
    }
    await api.staff.putListing('gone');
    expect((await found('', 'gone')).splits).toHaveLength(10);
  });

  it('with 40011 if that quantity cannot be bought', async () => {
    for (const quantity of ['11', '0', '-1', '2147483648', '99999999999999999999']) {
      const answer = await api.payment.lookUp('lst-1', `quantity=${quantity}`);
      expect(answer.status).toBe(400);
      expect(codesOf(answer), quantity).toEqual([40011]);
    }
  });

  it.each([
    ['quantity=two', 'quantity'],
    ['quantity=1.5', 'quantity'],
    ['quantity=1e1', 'quantity'],
    ['quantity=0x2', 'quantity'],
    ['quantity=1&quantity=2', 'quantity'],
    ['event_id=5512&event_id=5512', 'event_id'],
    [`country=${'U'.repeat(65)}`, 'country'],
    ['country=US&country=CA', 'country'],
    [`state=${'N'.repeat(65)}`, 'state'],
  ])('with 40001 naming the field for "%s"', async (query, field) => {
    const answer = await api.payment.lookUp('lst-1', query);
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual([40001]);
    expect(messagesOf(answer)[0]).toContain(`${field}:`);
  });

  it('not because of unknown arguments', async () => {
    for (const query of ['colour=red', '__proto__=1', 'quantity[]=2', '%', '%ff=%ff', '&&==', 'a'.repeat(2_000)]) {
      expect((await api.payment.lookUp('lst-1', query)).status, query).toBe(200);
    }
  });
});
