import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { checkoutListing } from '../../../../test/support/listing-body.js';
import type { ListingPatchResults } from '../listing-patch.contract.js';
import type { ListingDocument } from '../listing.contract.js';

let api: TestApi;
let broker: SignedIn;
let listings = 0;
/** A new listing of the seller Front Row for each test. */
let id: string;
let externalId: string;

beforeAll(async () => {
  api = await startTestApi();
  broker = await signIn(api, ['broker'], ['Front Row']);
});
afterAll(() => api.close());

beforeEach(async () => {
  listings += 1;
  id = `lst-${listings}`;
  externalId = `TM-${listings}`;
  await api.staff.putListing(id, { seller: 'Front Row', external_id: externalId });
});

const put = (other: string, change: object) =>
  api.staff.send('PUT', `listings/${other}`, { ...checkoutListing(), ...change });
const read = async (of = id) => (await api.staff.get(`listings/${of}`)).body as ListingDocument;
async function patch(lines: readonly unknown[], by: Pick<SignedIn, 'send'> = api.staff, headers = {}) {
  const answer = await by.send('PATCH', 'listings', { listings: lines }, headers);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as ListingPatchResults).results;
}

describe('an external id', () => {
  it('is unique among the listings of a seller, in which no seller counts as one', async () => {
    expect((await put(`${id}-b`, { seller: 'Side', external_id: externalId })).status).toBe(200);
    expect((await put(`${id}-c`, { external_id: externalId })).status).toBe(200);
    const again = await put(`${id}-d`, { external_id: externalId });
    expect(codesOf(again)).toEqual([40902]);
    expect(messagesOf(again)[0]).toContain('external_id');
    const taken = await put(`${id}-d`, { seller: 'Front Row', external_id: externalId });
    expect(codesOf(taken)).toEqual([40902]);
    expect((await api.staff.get(`listings/${id}-d`)).status).toBe(404);
    expect((await put(id, { seller: 'Front Row', external_id: externalId })).status).toBe(200);
    await put(`${id}-d`, { seller: 'Front Row' });
    const changed = await api.staff.send('PATCH', `listings/${id}-d`, { external_id: externalId });
    expect(codesOf(changed)).toEqual([40902]);
  });

  it('finds its listings', async () => {
    const { body } = await api.staff.get(`listings?external_id=${externalId}`);
    expect((body as { listings: ListingDocument[] }).listings).toMatchObject([
      { listing_id: id, external_id: externalId, state: 'on_sale' },
    ]);
  });

  it('that is taken costs a line of an import, and not the others', async () => {
    const line = (listing_id: string, external_id: string) =>
      JSON.stringify({ ...checkoutListing({ seller: 'Front Row', external_id }), listing_id });
    const lines = [line(`${id}-x`, externalId), line(`${id}-y`, `${externalId}-y`)].join('\n');
    const { body } = await api.staff.send('POST', 'listings/import', Buffer.from(lines), {
      'content-type': 'application/x-ndjson',
    });
    expect(body).toMatchObject({
      imported: 1,
      failed: 1,
      errors: [
        { line: 1, errors: [{ code: 40001, message: expect.stringContaining('external_id: is that of another') }] },
      ],
    });
    expect(await read(`${id}-y`)).toMatchObject({ external_id: `${externalId}-y` });
  });
});

describe('a change of many listings', () => {
  it('changes prices, quantities and states by either id, a line each', async () => {
    await put(`${id}-b`, {});
    const results = await patch([
      { external_id: externalId, price: 55.5, wholesale_price: 50, fees: 0, quantity: 3 },
      { listing_id: `${id}-b`, state: 'withdrawn' },
    ]);
    expect(results).toEqual([
      { listing_id: id, external_id: externalId, outcome: 'changed' },
      { listing_id: `${id}-b`, outcome: 'changed' },
    ]);
    expect(await read()).toMatchObject({ price: 55.5, wholesale_price: 50, fees: 0, quantity: 3, state: 'on_sale' });
    expect(await read(`${id}-b`)).toMatchObject({ price: 100, quantity: 10, state: 'withdrawn' });
  });

  it('writes nothing where all is as it was', async () => {
    const before = await read();
    const lines = [{ listing_id: id, price: 100, quantity: 10, state: 'on_sale' }];
    expect(await patch(lines)).toEqual([{ listing_id: id, external_id: externalId, outcome: 'unchanged' }]);
    expect(await read()).toEqual(before);
  });

  it('sets what is for sale beside what orders hold', async () => {
    const { product, ...body } = wholesaleBody();
    await api.wholesale.bought({ ...body, product: { ...product, listing_id: id } });
    expect(await read()).toMatchObject({ quantity: 8, held: 2 });
    await patch([{ listing_id: id, quantity: 5 }]);
    expect(await read()).toMatchObject({ quantity: 5, held: 2 });
    await patch([{ listing_id: id, quantity: 0 }]);
    expect(await read()).toMatchObject({ quantity: 0, held: 2, state: 'sold_out' });
  });

  it('brings a withdrawn listing back by its state alone', async () => {
    await patch([{ listing_id: id, state: 'withdrawn' }]);
    await patch([{ listing_id: id, price: 70, quantity: 4 }]);
    expect(await read()).toMatchObject({ price: 70, quantity: 4, state: 'withdrawn' });
    await patch([{ listing_id: id, state: 'on_sale' }]);
    expect(await read()).toMatchObject({ price: 70, quantity: 4, state: 'on_sale' });
  });

  it('takes lines for one listing in their order', async () => {
    const results = await patch([
      { listing_id: id, price: 70 },
      { listing_id: id, price: 70 },
      { external_id: externalId, seller: 'Front Row', price: 80 },
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged', 'changed']);
    expect(await read()).toMatchObject({ price: 80, version: 2 });
  });

  it('does not overwrite a price that a colleague has set since, and is the same when it is sent again', async () => {
    await put(`${id}-b`, {});
    await patch([{ listing_id: `${id}-b`, price: 105 }]);
    const lines = [
      { listing_id: id, price: 90, if_price: 100 },
      { listing_id: `${id}-b`, price: 90, if_price: 100 },
    ];
    const results = await patch(lines);
    expect(results).toMatchObject([
      { listing_id: id, outcome: 'changed' },
      { listing_id: `${id}-b`, outcome: 'refused', errors: [{ code: 41201 }] },
    ]);
    expect(results[1]?.errors?.[0]?.message).toBe('Stale version: price: is 105 by now');
    expect([await read(), await read(`${id}-b`)]).toMatchObject([{ price: 90 }, { price: 105, version: 2 }]);
    expect((await patch(lines)).map(({ outcome }) => outcome)).toEqual(['unchanged', 'refused']);
  });

  it('refuses a line by itself, and does the others', async () => {
    await put(`${id}-b`, { seller: 'Side', external_id: externalId });
    const results = await patch([
      { listing_id: 'nowhere', price: 1 },
      { price: 1 },
      { listing_id: id, price: 'much' },
      { listing_id: id, external_id: 'other', price: 1 },
      { external_id: externalId, price: 1 },
      { listing_id: id, seller: 'Side', price: 1 },
      7,
      { external_id: externalId, seller: 'Side', price: 61 },
    ]);
    const refused = results.map(({ listing_id, errors }) => [listing_id, errors?.map(({ code }) => code)]);
    expect(refused).toEqual([
      [null, [40400]],
      [null, [40001]],
      [null, [40001]],
      [id, [40902]],
      [null, [40902]],
      [null, [40400]],
      [null, [40001]],
      [`${id}-b`, undefined],
    ]);
    expect(results[2]?.errors?.[0]?.message).toContain('price');
    expect(results[4]?.errors?.[0]?.message).toContain('seller');
    expect(await read()).toMatchObject({ price: 100, version: 1 });
    expect(await read(`${id}-b`)).toMatchObject({ price: 61 });
  });

  it('is the same twice under one key', async () => {
    const key = { 'idempotency-key': `key-${id}` };
    const lines = [{ listing_id: id, price: 71 }];
    expect(await patch(lines, api.staff, key)).toEqual(await patch(lines, api.staff, key));
    expect(await read()).toMatchObject({ price: 71, version: 2 });
  });

  it('by a broker looks at own listings alone', async () => {
    await put(`${id}-b`, { seller: 'Side', external_id: externalId });
    const results = await patch(
      [
        { external_id: externalId, price: 72 },
        { listing_id: `${id}-b`, price: 1 },
      ],
      broker,
    );
    expect(results.map(({ listing_id, outcome }) => [listing_id, outcome])).toEqual([
      [id, 'changed'],
      [null, 'refused'],
    ]);
    expect(await read(`${id}-b`)).toMatchObject({ price: 100 });
  });

  it('does not put tickets of a cancelled show on sale', async () => {
    await put(`${id}-c`, { event_id: 'gone' });
    await patch([{ listing_id: `${id}-c`, state: 'withdrawn' }]);
    await api.pool.query(`insert into cancelled_events values ('gone', 'job', now()) on conflict do nothing`);
    const [result] = await patch([{ listing_id: `${id}-c`, state: 'on_sale' }]);
    expect(result).toMatchObject({ listing_id: `${id}-c`, outcome: 'refused', errors: [{ code: 40901 }] });
  });

  it('takes 1,000 lines and no more, and bodies of up to a megabyte', async () => {
    const line = { listing_id: id, price: 73 };
    const long = { listing_id: 'nowhere', seller: 'x'.repeat(190), price: 73 };
    expect(await patch(Array.from({ length: 1_000 }, () => line))).toHaveLength(1_000);
    expect(await patch(Array.from({ length: 1_000 }, () => long))).toHaveLength(1_000);
    for (const lines of [[], Array.from({ length: 1_001 }, () => line)]) {
      expect(codesOf(await api.staff.send('PATCH', 'listings', { listings: lines }))).toEqual([40001]);
    }
    const tooLong = Array.from({ length: 1_000 }, () => ({ ...line, seller: 'x'.repeat(1_200) }));
    expect(codesOf(await api.staff.send('PATCH', 'listings', { listings: tooLong }))).toEqual([41300]);
  });
});
