import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LedgerKey, LedgerKeys } from '#event-store/hash-chain';
import { Sealer } from '#base/sealing';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { type Answer, codesOf } from '../../../test/support/callers.js';
import { eventLine, performerLine } from '../../../test/support/discovery/catalogue-lines.js';
import { listingBody } from '../../../test/support/listing-body.js';
import { cardBody } from '../../../test/support/purchase-bodies.js';

/** Ids as other systems make them. The first three are no doubles. */
const LONG =
  '{"cart_id":1152921506151679042,"of":[-9007199254740993,{"n":123456789012345678901234567890}],"short":7.25}';

/** The body as JSON with these fields. JSON.stringify cannot write them. */
const withLong = (body: object, fields = LONG) =>
  JSON.stringify({ ...body, market_specific_fields: 'HERE' }).replace('"HERE"', fields);

let api: TestApi;
let orderId: string;
let bought: Answer;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 20 });
  bought = await api.payment.buy(withLong(cardBody()));
  orderId = (bought.body as { id: string }).id;
});
afterAll(() => api.close());

const put = (id: string, body: unknown) => api.staff.send('PUT', `listings/${id}`, body);

describe('long whole numbers of a purchase', () => {
  it('come back with their digits to the platform', async () => {
    expect(bought.status, bought.text).toBe(201);
    expect(bought.text).toContain(LONG);
    expect((await api.payment.read(orderId)).text).toContain(LONG);
  });

  it('come back after a correction of the buyer, which seals them again', async () => {
    const corrected = await api.staff.send('PATCH', `orders/${orderId}/buyer`, { phone: '+1 212 555 0199' });
    expect(corrected.status, corrected.text).toBe(200);
    expect((await api.payment.read(orderId)).text).toContain(LONG);
    expect((await api.staff.get(`orders/${orderId}`)).text).toContain(LONG);
    expect((await api.staff.get(`orders/${orderId}/events`)).status).toBe(200);
  });

  it('leave the log and its tables in agreement', async () => {
    const keys = new LedgerKeys([new LedgerKey(api.app.get(Sealer).ledgerSecret)]);
    expect((await verify(api.pool, { keys })).differences).toEqual([]);
  });

  it('are no way around the check of fields and of card numbers', async () => {
    const wrong = JSON.stringify({ ...cardBody(), ref_id: 'x', user: 'HERE' }).replace('"HERE"', '9007199254740993');
    expect(codesOf(await api.payment.buy(wrong))).toEqual([40001]);
    const decimals = JSON.stringify({ ...cardBody(), ref_id: 'decimals' }).replace('254.6', '254.60000000000000853');
    expect((await api.payment.buy(decimals)).status).toBe(201);
    const card = withLong({ ...cardBody(), ref_id: 'card' }, '{"card":6205500000000000004}');
    const { text } = await api.payment.buy(card);
    expect(text).not.toContain('6205500000000000004');
  });
});

describe('long whole numbers of a listing', () => {
  it('come back to staff and to the platform, also after a change of something else', async () => {
    expect((await put('long', withLong(listingBody({ quantity: 3 })))).text).toContain(LONG);
    expect((await api.staff.send('PATCH', 'listings/long', { notes: 'Aisle' })).text).toContain(LONG);
    expect((await api.staff.get('listings/long')).text).toContain(LONG);
    expect((await api.payment.lookUp('long')).text).toContain(LONG);
  });

  it('come in by a file', async () => {
    const line = withLong({ listing_id: 'of-lines', ...listingBody() });
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await api.staff.send('POST', 'listings/import', line, headers);
    expect(answer.body, answer.text).toMatchObject({ imported: 1 });
    expect((await api.payment.lookUp('of-lines')).text).toContain(LONG);
  });
});

describe('long whole numbers of the catalogue', () => {
  const links = '[{"provider":"lastfm","id":1152921506151679042}]';

  it('are in the documents that embed others, in JSON and in XML', async () => {
    const performer = JSON.stringify({ ...performerLine(7), links: 'HERE' }).replace('"HERE"', links);
    const stored = await api.staff.send('PUT', 'catalogue/performers/7', performer);
    expect(stored.text).toContain(links);
    const event = eventLine(8, { performers: [{ id: 7, primary: true }] });
    expect((await api.staff.send('PUT', 'catalogue/events/8', event)).text).toContain(links);
    const { body } = await api.staff.send('POST', 'discovery-keys', { name: 'spec' });
    const found = async (query: string) =>
      (await fetch(`${api.url}/2/events?client_id=${(body as { client_id: string }).client_id}&${query}`)).text();
    expect(await found('id=8')).toContain(links);
    expect(await found('id=8&aid=12')).toContain(links);
    expect(await found('id=8&format=xml')).toContain('<id>1152921506151679042</id>');
  });
});
