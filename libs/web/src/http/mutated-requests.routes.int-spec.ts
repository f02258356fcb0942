import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '../error-body.contract.js';
import { cases } from '../../../../test/support/cases.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, codesOf, type Platform } from '../../../../test/support/callers.js';
import { checkoutListing } from '../../../../test/support/listing-body.js';
import { damaged, hostileValue, mutated } from '../../../../test/support/mutations.js';
import { cardBody, tokenBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';

const RUNS = { numRuns: cases(20) };
const QUICK_MS = 5_000;

let api: TestApi;
let state: Record<string, string>;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100_000 });
  state = await tableState(api.pool);
});
afterAll(() => api.close());

/** Any request: no unexpected error, an Error body unless it was valid, and then nothing changed. */
async function expectHandled(asked: () => Promise<Answer>): Promise<void> {
  const begun = performance.now();
  const answer = await asked();
  expect(performance.now() - begun).toBeLessThan(QUICK_MS);
  expect(answer.status, answer.text).toBeLessThan(500);
  const after = await tableState(api.pool);
  if (answer.status >= 400) {
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    ErrorBody.parse(answer.body);
    if (!codesOf(answer).includes(40016)) expect(changedTables(state, after)).toEqual([]);
  }
  state = after;
}

describe('a mutated purchase', () => {
  it.each<[string, () => Platform, object]>([
    ['card', () => api.payment, cardBody()],
    ['token', () => api.payment, tokenBody()],
    ['wholesale', () => api.wholesale, wholesaleBody()],
  ])('is bought or rejected: %s', async (_name, platform, body) => {
    await fc.assert(
      fc.asyncProperty(mutated(body), (changed) => expectHandled(() => platform().buy(changed))),
      RUNS,
    );
  });

  it('is bought or rejected: its bytes', async () => {
    await fc.assert(
      fc.asyncProperty(damaged(JSON.stringify(cardBody())), (bytes) => expectHandled(() => api.payment.buy(bytes))),
      RUNS,
    );
  });

  it('is rejected: any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(hostileValue, (value) => expectHandled(() => api.payment.buy(JSON.stringify(value)))),
      RUNS,
    );
  });
});

describe('a random query', () => {
  const text = fc.oneof(
    hostileValue.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    fc.constantFrom('0000-01-01', '9999-12-31T23:59:59-23:59', '-000001-01-01T00:00:00Z', '9007199254740991', '%00'),
    fc
      .constantFrom('["2026-01-01T00:00:00Z","a\\u0000b"]', '["0000-01-01T00:00:00Z","x"]')
      .map((json) => Buffer.from(json).toString('base64url')),
  );
  // Text that cannot be encoded cannot be sent.
  const wellFormed = (value: string) => value.replaceAll(/\p{Surrogate}/gu, '');
  const query = (names: readonly string[]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...names), text), { minLength: 1, maxLength: 3 })
      .map((pairs) => pairs.map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`).join('&'))
      .filter((joined) => joined.length < 8_000);

  it('of a lookup is answered', async () => {
    await fc.assert(
      fc.asyncProperty(query(['event_id', 'quantity', 'country', 'state']), (asked) =>
        expectHandled(() => api.payment.lookUp('lst-1', asked)),
      ),
      RUNS,
    );
  });

  it('of the orders is answered', async () => {
    const names = ['status', 'status_code', 'q', 'event_id', 'listing_id', 'ref_id', 'client_id', 'stage'];
    const more = ['placed_from', 'placed_to', 'sort', 'limit', 'cursor', 'x'];
    await fc.assert(
      fc.asyncProperty(query([...names, ...more]), (asked) => expectHandled(() => api.staff.get(`orders?${asked}`))),
      { numRuns: cases(80) },
    );
  });

  it('of the pings is answered', async () => {
    await fc.assert(
      fc.asyncProperty(query(['state', 'order_id', 'limit', 'cursor']), (asked) =>
        expectHandled(() => api.staff.get(`pings?${asked}`)),
      ),
      RUNS,
    );
  });
});

describe('a mutated body of the back office', () => {
  const ship = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z' }, note: 'sent' };
  const download = { type: 'download', data: { url: 'https://tickets.example/1' }, note: 'sent' };
  const manual = { confirmation: 'manual', confirm_within_minutes: 5 } as const;
  const listing = checkoutListing({ seats: ['1'], market_specific_fields: { a: { b: 1 } }, ...manual });

  it.each<[string, string, (orderId: string) => string, object]>([
    ['a listing', 'PUT', () => 'listings/other', listing],
    ['a status', 'POST', (orderId) => `orders/${orderId}/status`, { status_code: 2001, note: 'called' }],
    ['a shipment', 'POST', (orderId) => `orders/${orderId}/fulfillment`, ship],
    ['a download', 'POST', (orderId) => `orders/${orderId}/fulfillment`, download],
    ['pings to send', 'POST', () => 'pings/send', { state: 'pending', order_id: 'x', filter: {}, dry_run: true }],
  ])('is accepted or rejected: %s', async (_name, method, path, body) => {
    const orderId = await api.wholesale.bought({ ...wholesaleBody(), ref_id: undefined });
    state = await tableState(api.pool);
    await fc.assert(
      fc.asyncProperty(mutated(body), (changed) => expectHandled(() => api.staff.send(method, path(orderId), changed))),
      RUNS,
    );
  });
});
