import { CommandBus } from '@nestjs/cqrs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { everythingStored } from '../../../../test/support/postgres/table-state.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { OrderDetail } from '../order.contract.js';
import type { Timeline } from '#desk/timeline.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { ExpireReplacement } from '../commands/expire-replacement.handler.js';
import { DueOrders } from '../deadlines/due-orders.js';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';

const HOUR_MS = 3_600_000;
const OFFER = { listing_id: 'better', terms: 'Row H instead of C.', expires_in_minutes: 30 };
const SHIPMENT = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z1' } };

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 500 });
  await api.staff.putListing('better', { quantity: 500, section: '101' });
  await api.staff.putListing('front', { quantity: 500, seller: 'Front Row' });
  await api.staff.putListing('back', { quantity: 500, seller: 'Back Row' });
});
// After all tests the tables must agree with the log, and the stock with the orders.
afterAll(async () => {
  const proof = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
  expect((await verify(api.pool, proof)).differences).toEqual([]);
  await api.close();
});
afterEach(() => void vi.restoreAllMocks());

const bought = (listing_id = 'lst-1') => {
  purchases += 1;
  const body = cardBody();
  return api.payment.bought({ ...body, ref_id: `other-${purchases}`, product: { ...body.product, listing_id } });
};
const send = (id: string, path: string, body?: unknown, headers = {}) =>
  api.staff.send('POST', `orders/${id}/${path}`, body, headers);
const order = async (id: string) => (await api.staff.get(`orders/${id}`)).body as OrderDetail;
const stock = async () => [await api.staff.available('lst-1'), await api.staff.available('better')];
const offered = async (id?: string) => {
  const orderId = id ?? (await bought());
  expect((await send(orderId, 'replacement', OFFER)).status).toBe(200);
  return orderId;
};
const later = () => {
  const now = Date.now();
  vi.spyOn(api.app.get(DatabaseClock), 'now').mockReturnValue(now + HOUR_MS);
};
/** What the worker's sweep does. */
const expire = async (orderId: string) => {
  later();
  const due = await api.app.get(DueOrders).find(new Date(Date.now() + HOUR_MS).toISOString(), HOUR_MS, { limit: 100 });
  for (const { id, version, due_for } of due.filter((one) => one.id === orderId && one.due_for === 'replacement')) {
    const metadata = { transaction_id: `${due_for}-${id}`, actor: 'system:replacement' };
    await api.app.get(CommandBus).execute(new ExpireReplacement(id, version, metadata));
  }
  vi.restoreAllMocks();
};

describe('other tickets', () => {
  it('are set aside until the buyer answers, and the platform gets a ping', async () => {
    const id = await bought();
    const [own = 0, better = 0] = await stock();
    const answer = await send(id, 'replacement', { ...OFFER, note: 'Called her.' });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        status: { status: 'exception', status_code: 4005 },
        product: { listing_id: 'lst-1' },
        replacement: { listing_id: 'better', quantity: 2, terms: OFFER.terms, state: 'open' },
      },
    ]);
    expect(await stock()).toEqual([own, better - 2]);
    expect((await order(id)).pings.at(-1)).toMatchObject({ status_code: 4005 });
    expect((await order(id)).status_history.at(-1)).toMatchObject({ note: 'Called her.' });
    expect(codesOf(await send(id, 'replacement', OFFER))).toEqual([40902]);
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as Timeline;
    expect(entries.map(({ title }) => title)).toContain('Other tickets set aside: 2 of listing better');
  });

  it('have terms that are stored sealed, and erased with the personal data', async () => {
    const id = await offered();
    const { version } = await order(id);
    const shown = async () => {
      const then = (await api.staff.get(`orders/${id}?version=${version}`)).body as { replacement: object };
      return [(await order(id)).replacement, then.replacement];
    };
    expect(await shown()).toMatchObject([{ terms: OFFER.terms }, { terms: OFFER.terms }]);
    expect(await everythingStored(api.pool)).not.toContain(OFFER.terms);
    await api.staff.send('DELETE', `orders/${id}/personal-data`);
    expect(await shown()).toMatchObject([{ terms: null, state: 'open' }, { terms: null }]);
  });

  it('become the tickets of the order when they are accepted', async () => {
    const [own = 0, better = 0] = await stock();
    const id = await offered();
    expect(codesOf(await send(id, 'replacement/accept', {}, { 'if-match': '"1"' }))).toEqual([41201]);
    const accepted = await send(id, 'replacement/accept');
    expect([accepted.status, accepted.body]).toMatchObject([
      200,
      {
        status: { status: 'confirmed', status_code: 2005 },
        product: { listing_id: 'better', quantity: 2 },
        replacement: { state: 'accepted' },
        fulfillment: null,
      },
    ]);
    expect(await stock()).toEqual([own, better - 2]);
    const seen = await api.payment.read(id);
    expect(seen.body).toMatchObject({ product: { listing_id: 'better' }, status: { status_code: 2005 } });
    expect((await order(id)).total).toBe(254.6);
    expect((await send(id, 'replacement/accept')).status).toBe(200);
    expect(codesOf(await send(id, 'replacement/reject'))).toEqual([40902]);
    await send(id, 'fulfillment', SHIPMENT);
    await send(id, 'status', { status_code: 3010 });
    expect(await stock()).toEqual([own, better - 2]);
  });

  it('end the order when they are rejected, and both listings sell again', async () => {
    const before = await stock();
    const id = await offered();
    const rejected = await send(id, 'replacement/reject', { note: 'She wants her money.' });
    expect([rejected.status, rejected.body]).toMatchObject([
      200,
      { status: { status: 'rejected', status_code: 3009 }, replacement: { state: 'rejected' } },
    ]);
    expect(await stock()).toEqual(before);
    expect(codesOf(await send(id, 'replacement', OFFER))).toEqual([40901]);
  });

  it('do not bring back tickets that were sent', async () => {
    const id = await bought();
    await send(id, 'fulfillment', SHIPMENT);
    const [own = 0, better = 0] = await stock();
    await offered(id);
    expect((await send(id, 'replacement/accept')).status).toBe(200);
    expect(await stock()).toEqual([own, better - 2]);
    expect((await order(id)).fulfillment).toBeNull();
    await send(id, 'status', { status_code: 3010 });
    expect(await stock()).toEqual([own, better]);
  });

  it('are free again when the order goes on without them', async () => {
    const id = await bought();
    const before = await stock();
    await offered(id);
    await send(id, 'status', { status_code: 4002 });
    expect((await order(id)).replacement).toMatchObject({ state: 'open' });
    await send(id, 'status', { status_code: 2000 });
    expect((await order(id)).replacement).toMatchObject({ state: 'withdrawn' });
    expect(await stock()).toEqual(before);
  });

  it('lapse: after that they are neither accepted nor held, and others may be offered', async () => {
    const id = await bought();
    const before = await stock();
    await offered(id);
    later();
    expect(codesOf(await send(id, 'replacement/accept'))).toEqual([40903]);
    expect(codesOf(await send(id, 'replacement/reject'))).toEqual([40903]);
    await expire(id);
    expect(await stock()).toEqual(before);
    expect(await order(id)).toMatchObject({ status: { status_code: 4005 }, replacement: { state: 'lapsed' } });
    expect(codesOf(await send(id, 'replacement/accept'))).toEqual([40903]);
    const { pings, status_history: history } = await order(id);
    await send(id, 'replacement', { ...OFFER, note: 'A second offer.' });
    // The same code again is no change of status.
    expect(await order(id)).toMatchObject({ replacement: { state: 'open' }, pings, status_history: history });
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as Timeline;
    expect(entries.findLast(({ detail }) => detail['type'] === 'ReplacementProposed')?.detail).toMatchObject({
      note: 'A second offer.',
    });
    await send(id, 'replacement/accept');
    expect(await order(id)).toMatchObject({ status: { status_code: 2005 }, replacement: { state: 'accepted' } });
  });

  it('have seats of their listing, and those of the tickets before are free again', async () => {
    await api.staff.putListing('seated', { quantity: 2, seats: ['5', '6'] });
    await api.staff.putListing('seated-too', { quantity: 3, seats: ['7', '8', '9'] });
    const held = async () => {
      const { rows } = await api.pool.query<{ id: string; held_seats: string[] | null }>(
        `select id, held_seats from listings where id like 'seated%' order by id`,
      );
      return rows.map(({ held_seats: seats }) => seats);
    };
    const id = await bought('seated');
    expect(await held()).toEqual([['5', '6'], null]);
    await send(id, 'replacement', { ...OFFER, listing_id: 'seated-too' });
    expect(await held()).toEqual([
      ['5', '6'],
      ['7', '8'],
    ]);
    await send(id, 'replacement/accept');
    expect(await held()).toEqual([null, ['7', '8']]);
    await api.staff.putListing('seated-too', { quantity: 2, seats: ['8', '9', '10'] });
    expect(await bought('seated-too')).toBeDefined();
    expect((await held())[1]?.toSorted()).toEqual(['10', '7', '8', '9']);
    await send(id, 'status', { status_code: 3010 });
    expect((await held())[1]?.toSorted()).toEqual(['10', '9']);
  });

  it('are not sold twice', async () => {
    await api.staff.putListing('last', { quantity: 2 });
    const ids = [await bought(), await bought(), await bought()];
    const offers = ids.map((id) => send(id, 'replacement', { ...OFFER, listing_id: 'last' }));
    const codes = (await Promise.all(offers)).map(({ status }) => status);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect(await api.staff.available('last')).toBe(0);
  });
});

describe('an offer', () => {
  it.each([
    [{ listing_id: 'unknown' }, 'listing_id must be a listing that is for sale'],
    [{ listing_id: 'lst-1' }, 'listing_id must be another listing'],
    [{ listing_id: 'single' }, 'listing_id must be a listing that sells 2 together'],
    [{ expires_in_minutes: 0 }, 'expires_in_minutes'],
    [{ expires_in_minutes: undefined }, 'expires_in_minutes'],
    [{ price: 1 }, 'price'],
  ])('with %j names the field', async (change, message) => {
    await api.staff.putListing('single', { quantity: 1 });
    const answer = await send(await bought(), 'replacement', { ...OFFER, ...change });
    expect([codesOf(answer), answer.text]).toEqual([[40001], expect.stringContaining(message)]);
  });

  it('needs an order whose buyer could still get tickets', async () => {
    expect(codesOf(await send('ord_unknown', 'replacement', OFFER))).toEqual([40400]);
    expect(codesOf(await send(await bought(), 'replacement/accept'))).toEqual([40902]);
  });

  it('of a broker is of own listings', async () => {
    const { send: asFront } = await signIn(api, ['broker'], ['Front Row']);
    const offer = (id: string, listing_id: string) =>
      asFront('POST', `orders/${id}/replacement`, { ...OFFER, listing_id });
    expect(codesOf(await offer(await bought(), 'front'))).toEqual([40400]);
    const own = await bought('front');
    expect(codesOf(await offer(own, 'back'))).toEqual([40001]);
    await api.staff.putListing('front-2', { quantity: 50, seller: 'Front Row' });
    expect((await offer(own, 'front-2')).status).toBe(200);
  });
});
