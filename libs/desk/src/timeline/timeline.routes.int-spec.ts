import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';
import type { Timeline } from '../timeline.contract.js';

let api: TestApi;
let support: SignedIn;
let orderId: string;

// Before the next event, whose time is that of the api and has whole milliseconds.
const ATTEMPT = `insert into ping_attempts (order_id, sequence, attempt, started_at, duration_ms, http_status, error)
  select $1, 1, 1, max(recorded_at) + interval '100 microseconds', 41, 200, null from events where stream = 'order-' || $1`;
const STREAM = `insert into ping_stream (position, id, order_id, sequence, client_id, ref_id, event_id, listing_id, status,
    status_code, status_message, occurred_at, transaction_id)
  select 1, 'png', order_id, sequence, client_id, ref_id, '1', 'lst-1', status, status_code, status_message, occurred_at,
    transaction_id from pings where order_id = $1 and sequence = 1`;

beforeAll(async () => {
  api = await startTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  await api.staff.putListing('lst-1', { quantity: 100, confirmation: 'manual', confirm_within_minutes: 30 });
  support = await signIn(api, ['support']);
  orderId = await api.payment.bought(cardBody());
  await api.pool.query(ATTEMPT, [orderId]);
  await support.send('POST', `orders/${orderId}/status`, { status_code: 2000, note: 'He has them.' });
  await support.send('POST', `orders/${orderId}/notes`, { text: 'Call back on Monday.' });
  await support.send('POST', `orders/${orderId}/notes`, { text: 'Please send soon.', visibility: 'partner' });
  await support.send('PUT', `orders/${orderId}/assignee`, { operator_id: support.id });
  await support.send('PUT', `orders/${orderId}/tags`, ['vip']);
  await support.send('POST', `orders/${orderId}/personal-data/reveal`, { reason: 'She asks for the address.' });
  const { body } = await api.staff.get(`pings?order_id=${orderId}`);
  await support.send('POST', `pings/${(body as { pings: { id: string }[] }).pings[0]?.id}/send`);
});
afterAll(() => api.close());

const timeline = async (who: Pick<SignedIn, 'get'>, query = '') =>
  (await who.get(`orders/${orderId}/timeline${query}`)).body as Timeline;

describe('the timeline of an order', () => {
  it('tells everything that happened, newest last', async () => {
    const { entries, next_cursor } = await timeline(support);
    expect(next_cursor).toBeNull();
    expect(entries.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
      'event: Purchase received',
      'payment: Payment prepared at the provider',
      'payment: Payment of $254.60 authorised',
      'event: Waits for the broker',
      'ping: Ping to the platform: Pending confirmation',
      'ping_attempt: Ping delivered, 200 in 41 ms',
      'event: Confirmed',
      'ping: Ping to the platform: Confirmed',
      'note: Note',
      'note: Note for partners',
      `assignment: Assigned to ${support.name}`,
      'assignment: Tagged vip',
      'reveal: Personal data revealed',
      'ping: Ping sent again',
    ]);
    expect(entries.filter(({ version }) => version !== undefined).map(({ version }) => version)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect(entries.find(({ title }) => title === 'Confirmed')).toMatchObject({
      actor: `operator:${support.id}`,
      actor_name: support.name,
      detail: { type: 'OrderConfirmed', note: 'He has them.', status: { status_code: 2000 } },
    });
    expect(entries.find(({ kind }) => kind === 'reveal')).toMatchObject({
      actor: `operator:${support.id}`,
      detail: { reason: 'She asks for the address.' },
    });
    expect(entries.find(({ kind }) => kind === 'note')?.detail).toMatchObject({ text: 'Call back on Monday.' });
  });

  it.each(['at.asc', 'at.desc'])('is read in pages that miss and repeat nothing, %s', async (sort) => {
    const whole = await timeline(support);
    const titles: string[] = [];
    for (let cursor = ''; ;) {
      const page = await timeline(support, `?limit=3&sort=${sort}${cursor && `&cursor=${cursor}`}`);
      titles.push(...page.entries.map(({ title }) => title));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    const oldestFirst = whole.entries.map(({ title }) => title);
    expect(titles).toEqual(sort === 'at.asc' ? oldestFirst : oldestFirst.toReversed());
  });

  it('shows the answers of webhooks, but only to people who may read deliveries', async () => {
    await api.pool.query(STREAM, [orderId]);
    await api.pool
      .query(`insert into webhook_attempts (webhook_id, position, attempt, url, started_at, duration_ms, http_status, answer)
      select id, 1, 1, 'https://receiver.example/hook', now(), 12, 500, 'oh no' from webhooks`);
    const { status, text } = await api.staff.send('POST', 'webhooks', { url: 'http://127.0.0.1:9999/hook' });
    expect([status, text]).toEqual([201, expect.any(String)]);
    await api.pool
      .query(`insert into webhook_attempts (webhook_id, position, attempt, url, started_at, duration_ms, http_status, answer)
      select id, 1, 1, 'https://receiver.example/hook', now(), 12, 500, 'oh no' from webhooks`);
    const { entries } = await timeline(support);
    expect(entries.find(({ kind }) => kind === 'webhook_attempt')).toMatchObject({
      title: 'Webhook failed, 500 in 12 ms',
      detail: { url: 'https://receiver.example/hook', answer: 'oh no' },
      transaction_id: entries[0]?.transaction_id,
    });
    const { body } = await api.staff.send('POST', 'tokens', { name: 'x', scopes: ['orders:read'] });
    const authorization = `Bearer ${(body as { token: string }).token}`;
    const answer = await api.staff.send('GET', `orders/${orderId}/timeline`, undefined, { authorization });
    expect((answer.body as Timeline).entries.map(({ kind }) => kind)).not.toContain('webhook_attempt');
  });

  it('shows what the platform has read', async () => {
    await api.payment.read(orderId);
    // Reads are written down in batches.
    const read = () => timeline(support).then(({ entries }) => entries.find(({ kind }) => kind === 'platform_read'));
    await until(async () => (await read()) !== undefined);
    expect(await read()).toMatchObject({ actor: 'platform:pay-1', detail: {} });
  });

  it('needs an order, and a cursor of its own', async () => {
    expect(codesOf(await support.get('orders/ord_unknown/timeline'))).toEqual([40400]);
    expect(codesOf(await support.get(`orders/${orderId}/timeline?limit=0`))).toEqual([40001]);
    for (const cursor of ['x', '', Buffer.from('no key').toString('base64url')]) {
      expect(codesOf(await support.get(`orders/${orderId}/timeline?cursor=${cursor}`)), cursor).toEqual([40001]);
    }
  });
});
