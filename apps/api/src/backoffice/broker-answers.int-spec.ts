import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { AuditPage } from '#contracts/backoffice/audit';
import type { OrderDetail } from '#contracts/backoffice/order';
import type { OrderActionList } from '#contracts/backoffice/order-action';
import type { Timeline } from '#contracts/backoffice/timeline';
import { DatabaseClock } from '#database/database-clock';
import { DENIAL_REASONS } from '#domain/order/order-events';

const HOUR_MS = 3_600_000;

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  await api.staff.putListing('manual', { quantity: 1_000, confirmation: 'manual', confirm_within_minutes: 30 });
  await api.staff.putListing('front', { seller: 'Front Row', confirmation: 'manual', confirm_within_minutes: 30 });
});
afterAll(() => api.close());
afterEach(() => void vi.restoreAllMocks());

const bought = (listing_id = 'manual') => {
  purchases += 1;
  const body = cardBody();
  return api.payment.bought({ ...body, ref_id: `answer-${purchases}`, product: { ...body.product, listing_id } });
};
const send = (id: string, path: string, body?: unknown, headers = {}) =>
  api.staff.send('POST', `orders/${id}/${path}`, body, headers);
const order = async (id: string) => (await api.staff.get(`orders/${id}`)).body as OrderDetail;

describe('accept', () => {
  it('confirms an order that waits, with or without a body, and is the same when it is repeated', async () => {
    const id = await bought();
    const accepted = await send(id, 'accept', { note: 'The broker called.' });
    expect([accepted.status, accepted.body]).toMatchObject([200, { status: { status_code: 2000 }, confirm_by: null }]);
    expect((await order(id)).status_history.at(-1)).toMatchObject({
      note: 'The broker called.',
      actor: 'token:backoffice',
    });
    const { version } = await order(id);
    expect((await send(id, 'accept')).status).toBe(200);
    expect((await order(id)).version).toBe(version);
    const entries = (await api.staff.get(`audit?subject=order:${id}`)).body as AuditPage;
    expect(entries.entries.map(({ action }) => action)).toEqual(['order.changed']);
    expect((await send(await bought(), 'accept')).body).toMatchObject({ status: { status_code: 2000 } });
  });

  it('is refused for an order that does not wait, and for an earlier version', async () => {
    const shipped = await bought('lst-1');
    await send(shipped, 'status', { status_code: 2001 });
    expect(codesOf(await send(shipped, 'accept'))).toEqual([40901]);
    const waiting = await bought();
    expect(codesOf(await send(waiting, 'accept', {}, { 'if-match': '"1"' }))).toEqual([41201]);
    expect(codesOf(await send('ord_unknown', 'accept'))).toEqual([40400]);
    expect(codesOf(await send(waiting, 'accept', { reason: 'x' }))).toEqual([40001]);
  });
});

describe('deny', () => {
  const codes = {
    not_available: 3003,
    denied: 3004,
    price_error: 3004,
    duplicate: 3004,
    other: 3004,
    fraud: 3002,
    event_cancelled: 3007,
  };

  it.each(DENIAL_REASONS)('for %s gives the status of the reason, and keeps it', async (reason) => {
    const id = await bought();
    const denied = await send(id, 'deny', { reason, note: 'Said so.' });
    expect([denied.status, denied.body]).toMatchObject([200, { status: { status_code: codes[reason] } }]);
    const { rows } = await api.pool.query<{ data: object }>(
      `select data from events where stream = $1 and type = 'OrderRejected'`,
      [`order-${id}`],
    );
    expect(rows).toMatchObject([{ data: { reason, sealed_note: expect.any(String) } }]);
  });

  it('appears in the timeline in words', async () => {
    const id = await bought();
    await send(id, 'deny', { reason: 'price_error' });
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as Timeline;
    const titles = entries.map(({ title }) => title);
    expect(titles).toContain('Rejected: Tickets not available - broker denies (the price was wrong)');
  });

  it.each([{}, { reason: 'because' }, { reason: 'other', by: 'me' }])('%j is a bad body', async (body) => {
    expect(codesOf(await send(await bought(), 'deny', body))).toEqual([40001]);
  });

  it('is for brokers of the seller, not for those of another one', async () => {
    const id = await bought('front');
    const back = await signIn(api, ['broker'], ['Back Row']);
    expect(codesOf(await back.send('POST', `orders/${id}/deny`, { reason: 'other' }))).toEqual([40400]);
    const front = await signIn(api, ['broker'], ['Front Row']);
    expect((await front.send('POST', `orders/${id}/deny`, { reason: 'other' })).status).toBe(200);
  });
});

describe('after the deadline', () => {
  const late = () => {
    const now = Date.now();
    vi.spyOn(api.app.get(DatabaseClock), 'now').mockReturnValue(now + HOUR_MS);
  };

  it('both are refused, also when the deadline has already ended the order', async () => {
    const id = await bought();
    expect(((await api.staff.get(`orders/${id}/actions`)).body as OrderActionList).actions[0]).toMatchObject({
      action: 'accept',
      until: (await order(id)).confirm_by,
    });
    late();
    expect(codesOf(await send(id, 'accept'))).toEqual([40903]);
    expect(codesOf(await send(id, 'deny', { reason: 'denied' }))).toEqual([40903]);
    const { actions } = (await api.staff.get(`orders/${id}/actions`)).body as OrderActionList;
    expect(actions.map(({ action }) => action)).not.toContain('accept');
    await send(id, 'status', { status_code: 3005 });
    expect(codesOf(await send(id, 'accept'))).toEqual([40903]);
  });

  it('a review has none', async () => {
    const id = await bought();
    await send(id, 'status', { status_code: 1002 });
    late();
    expect((await send(id, 'accept')).body).toMatchObject({ status: { status_code: 2000 } });
  });
});
