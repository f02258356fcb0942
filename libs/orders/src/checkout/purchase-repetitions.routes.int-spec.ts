import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { codesOf, type Platform } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;
let listings = 0;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const TRANSACTION = 'x-xx-transaction-id';

/** A listing of two tickets, and a body that buys both. */
async function lastTwo(variant: 'payment' | 'wholesale', change: Json = {}): Promise<[Platform, object]> {
  const listingId = `last-two-${(listings += 1)}`;
  await api.staff.putListing(listingId, { quantity: 2 });
  const body = variant === 'payment' ? cardBody() : wholesaleBody();
  const changed = broken(body, { 'product.listing_id': listingId, ref_id: listingId, ...change });
  return [api[variant], changed as object];
}

function listingOf(body: object): string {
  return (body as { product: { listing_id: string } }).product.listing_id;
}

describe.each(['payment', 'wholesale'] as const)('the retry of a %s purchase whose answer was lost', (variant) => {
  it('is a duplicate if its own first try took the last tickets', async () => {
    const [platform, body] = await lastTwo(variant);
    await platform.bought(body);
    const retry = await platform.buy(body);
    expect([retry.status, codesOf(retry)]).toEqual([400, [40030]]);
  });

  it('is a duplicate by transaction id and body too', async () => {
    const [platform, body] = await lastTwo(variant, { ref_id: undefined });
    const headers = { [TRANSACTION]: `lost-${listingOf(body)}` };
    expect((await platform.buy(body, headers)).status).toBe(201);
    expect(codesOf(await platform.buy(body, headers))).toEqual([40030]);
    expect(codesOf(await platform.buy(body, { [TRANSACTION]: 'another' }))).toEqual([40014]);
    expect(codesOf(await platform.buy(body))).toEqual([40014]);
    expect(codesOf(await platform.buy({ ...body, extra: 1 }, headers))).toEqual([40014]);
  });

  it('is a duplicate whatever has happened to the listing', async () => {
    const [platform, body] = await lastTwo(variant);
    await api.staff.putListing(listingOf(body), { quantity: 3 });
    await platform.bought(body);
    expect(codesOf(await platform.buy(body))).toEqual([40030]);
    await api.staff.putListing(listingOf(body), { quantity: 9, price: 1, wholesale_price: 1 });
    expect(codesOf(await platform.buy(body))).toEqual([40030]);
    await api.staff.send('DELETE', `listings/${listingOf(body)}`);
    expect(codesOf(await platform.buy(body))).toEqual([40030]);
  });

  it('is a duplicate for each of many concurrent retries', async () => {
    const [platform, body] = await lastTwo(variant);
    const answers = await Promise.all(Array.from({ length: 12 }, () => platform.buy(body)));
    const bought = answers.filter(({ status }) => status === 201);
    expect(bought).toHaveLength(1);
    const refused = answers.filter((answer) => !bought.includes(answer));
    expect(refused.map(codesOf)).toEqual(Array(11).fill([40030]));
  });
});

describe('a request that is not a retry', () => {
  it('learns that the listing is sold out: another ref_id, another client', async () => {
    const [platform, body] = await lastTwo('wholesale');
    await platform.bought(body);
    expect(codesOf(await platform.buy({ ...body, ref_id: 'other' }))).toEqual([40014]);
    const other = await api.payment.buy(
      broken(cardBody(), { 'product.listing_id': listingOf(body), ref_id: listingOf(body) }),
    );
    expect(codesOf(other)).toEqual([40014]);
  });

  it('is a purchase if the first try was declined, because its ref_id is free again', async () => {
    const [platform, body] = await lastTwo('payment');
    const declined = await platform.buy(broken(body, { 'payment.data.card_number': '4000000000000002' }));
    expect(codesOf(declined)).toEqual([40016]);
    await api.staff.send('DELETE', `listings/${listingOf(body)}`);
    expect(codesOf(await platform.buy(body))).toEqual([40014]);
  });
});

const bytes = (text: string) => Buffer.from(text).toString('latin1');

describe('a transaction id', () => {
  it.each([
    ['with blanks', 'two words  and more'],
    ['with a tab', 'two\twords'],
    ['beyond 200 characters', 't'.repeat(201)],
    ['in UTF-8', bytes('Zürich ☃ 🎟')],
    ['in latin1', 'caf\u00e9 \u00ff'],
    ['with control characters of latin1', 'a\u009b31mb\u0085'],
    ['that nearly fills the headers, and no compression shortens', randomBytes(5_500).toString('hex')],
  ])('%s is kept byte for byte and identifies duplicates', async (_what, id) => {
    const [platform, body] = await lastTwo('wholesale', { ref_id: undefined });
    await api.staff.putListing(listingOf(body), { quantity: 10 });
    const answer = await platform.buy(body, { [TRANSACTION]: id });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.get(TRANSACTION)).toBe(id);
    const { id: orderId } = answer.body as { id: string };
    const { rows } = await api.pool.query<{ ids: string[] }>(
      `select array[transaction_id, (select transaction_id from pings where order_id = $1),
        (select min(metadata ->> 'transaction_id') from events where stream = 'order-' || $1)] as ids
       from orders where id = $1`,
      [orderId],
    );
    expect(rows).toEqual([{ ids: [id, id, id] }]);

    const again = await platform.buy(body, { [TRANSACTION]: id });
    expect([again.status, codesOf(again)]).toEqual([400, [40030]]);
    expect(again.headers.get(TRANSACTION)).toBe(id);
    expect((await platform.buy(body, { [TRANSACTION]: `${id}.` })).status).toBe(201);

    const found = await api.staff.get(`orders?q=${encodeURIComponent(id.slice(0, 3_000))}`);
    const ids = (found.body as { orders: { id: string }[] }).orders.map((order) => order.id);
    expect(ids).toEqual(id.length > 3_000 ? [] : [orderId]);
  });

  it('beyond ASCII does not change the body of any answer', async () => {
    const headers = { [TRANSACTION]: '\u00ff' };
    const lookup = await api.payment.send('GET', '/checkout/v1/listings/nope', undefined, headers);
    expect(codesOf(lookup)).toEqual([40012]);
    expect(lookup.headers.get(TRANSACTION)).toBe('\u00ff');
    await api.staff.putListing('snow', { notes: 'Zürich ☃' });
    const snow = await api.payment.send('GET', '/checkout/v1/listings/snow', undefined, headers);
    expect(snow.body).toMatchObject({ notes: 'Zürich ☃' });
  });
});
