import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import type { Break } from '../../../../test/support/postgres/lossy-pool.js';
import { orderNo } from '../../../../test/support/pings/ping-rows.js';
import { until } from '../../../../test/support/until.js';
import { isSignedWith, acceptWebhook, type WebhookDouble } from '../../../../test/support/webhooks/webhook-double.js';
import {
  EPOCH,
  AT_ONCE,
  createWebhookStand,
  RETRY,
  type WebhookStand,
} from '../../../../test/support/webhooks/webhook-stand.js';

const clock = new FixedClock(new Date().toISOString());
let stand: WebhookStand;
let receiver: WebhookDouble;
beforeAll(async () => {
  stand = await createWebhookStand(clock);
  ({ receiver } = stand);
});
afterAll(() => stand.stop());
afterEach(() => stand.forget());

const positions = () => receiver.received.map(({ position }) => position);

describe('a delivery that becomes due while the query for due deliveries waits', () => {
  it('is due or the next one, never forgotten', async () => {
    const webhook = await stand.create(receiver.url);
    receiver.answering = () => ({ status: 500 });
    await stand.addEntries(...stand.orders(1));
    const { delivery, ledger } = stand.worker();
    const at = (await delivery.drain(webhook.id))?.at ?? 0;
    clock.advance(at - 1 - clock.now());
    const asked = ledger.due(webhook.id, { early: false });
    clock.advance(2);
    expect(await asked).toEqual({ due: [], nextDue: at });
    expect((await ledger.due(webhook.id, { early: false })).due).toHaveLength(1);
  });
});

describe('deliveries to an endpoint', () => {
  it('tell of refunds and disputes where it asks for them, in their place, whatever statuses it wants', async () => {
    const [order = 0] = stand.orders(1);
    const asking = await stand.create(`${receiver.url}/asking`, {
      event_types: ['order.status', 'refund.succeeded'],
      statuses: ['rejected'],
    });
    const silent = await stand.create(`${receiver.url}/silent`);
    await stand.addEntries(order);
    await stand.addMoneyEntry(order, 'refund.succeeded');
    await stand.addMoneyEntry(order, 'dispute.opened');
    await stand.addEntries(order);
    const { delivery } = stand.worker();
    await delivery.drain(asking.id);
    const [told, ...others] = receiver.received.splice(0);
    expect(others).toEqual([]);
    const at = '2026-11-26T10:00:00.000Z';
    const [id, position] = [told?.headers['webhook-id'], asking.position + 2];
    expect(id).toBe(`mny_${position}`);
    expect(JSON.parse(told?.body ?? '')).toEqual({
      type: 'refund.succeeded',
      timestamp: at,
      data: { id, position, order_id: orderNo(order), amount: 12.5, occurred_at: at, transaction_id: 'txn' },
    });
    await delivery.drain(silent.id);
    expect(positions()).toEqual([silent.position + 1, silent.position + 4]);
    expect((await stand.webhooks.find(asking.id))?.position).toBe(asking.position + 4);
  });

  it('are the entries since its creation, signed, with the body of the feed', async () => {
    const [order = 0] = stand.orders(1);
    await stand.addEntries(order);
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(order);
    expect(await stand.worker().delivery.drain(webhook.id)).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
    const [received] = receiver.received;
    expect(received && isSignedWith(webhook.secret, received)).toBe(true);
    expect(received?.headers['webhook-id']).toBe(`png_${orderNo(order).slice(4)}_2`);
    expect(received?.headers['willcall-epoch']).toBe(EPOCH);
    const body = JSON.parse(received?.body ?? '') as { timestamp: string; data: { occurred_at: string } };
    expect(body).toEqual({
      type: 'order.status',
      timestamp: body.data.occurred_at,
      data: {
        id: `png_${orderNo(order).slice(4)}_2`,
        position: webhook.position + 1,
        order_id: orderNo(order),
        ref_id: 'ref',
        sequence: 2,
        status: 'confirmed',
        status_message: 'Status',
        status_code: 2002,
        occurred_at: body.timestamp,
        transaction_id: 'txn',
      },
    });
    expect(await stand.deliveriesOf(webhook)).toMatchObject([
      { state: 'delivered', tries: 1, attempts: 1, next_try_at: null },
    ]);
  });

  it('start at the given position, and have the given statuses', async () => {
    const [order = 0] = stand.orders(1);
    await stand.addEntries(order, order);
    const newest = (await stand.create(receiver.url)).position;
    const all = await stand.create(receiver.url, { from_position: newest - 2 });
    const some = await stand.create(`${receiver.url}/some`, { from_position: newest - 2, statuses: ['confirmed'] });
    await stand.worker().delivery.drain(all.id);
    await stand.worker().delivery.drain(some.id);
    expect(receiver.positionsOf(orderNo(order))).toEqual([newest - 1, newest]);
    expect(receiver.positionsOf(orderNo(order), '/some')).toEqual([newest]);
  });

  it('are sent in sequence within an order, in parallel across orders, and never too many at once', async () => {
    const webhook = await stand.create(receiver.url);
    const some = stand.orders(8);
    await stand.addEntries(...some, ...some, ...some);
    let [now, most] = [0, 0];
    receiver.answering = async () => {
      most = Math.max(most, ++now);
      await until(() => most >= AT_ONCE);
      now -= 1;
      return {};
    };
    await stand.worker().delivery.drain(webhook.id);
    expect(receiver.received).toHaveLength(24);
    expect(most).toBe(AT_ONCE);
    for (const order of some) {
      const got = receiver.positionsOf(orderNo(order));
      expect(got).toEqual(got.toSorted((a, b) => a - b));
      expect(got).toHaveLength(3);
    }
    expect(receiver.received.every(({ besides }) => besides === 0)).toBe(true);
  });

  it('that fail are retried by the schedule, with the same id and the same bytes; others do not wait', async () => {
    const webhook = await stand.create(receiver.url);
    const [bad = 0, good = 0] = stand.orders(2);
    await stand.addEntries(bad, bad, good);
    receiver.answering = ({ orderId }) => (orderId === orderNo(bad) ? { status: 500, body: 'no\0 such' } : {});
    const { delivery } = stand.worker();
    const wakeup = await delivery.drain(webhook.id);
    const [first, second] = await stand.deliveriesOf(webhook);
    expect(first).toMatchObject({ state: 'pending', tries: 1 });
    expect(first?.next_try_at?.getTime()).toBeGreaterThanOrEqual(clock.now() + RETRY.firstMs);
    expect(first?.next_try_at?.getTime()).toBeLessThanOrEqual(clock.now() + RETRY.firstMs * 1.25);
    expect(second).toMatchObject({ state: 'pending', tries: 0, next_try_at: first?.next_try_at });
    expect(wakeup).toEqual({ webhookId: webhook.id, at: first?.next_try_at?.getTime() });
    expect(await stand.statesOf(webhook)).toEqual(['pending', 'pending', 'delivered']);

    clock.advance(RETRY.firstMs - 1);
    await delivery.drain(webhook.id);
    expect(receiver.received).toHaveLength(2);
    receiver.answering = acceptWebhook;
    clock.advance(RETRY.firstMs);
    await delivery.drain(webhook.id);
    expect(await stand.statesOf(webhook)).toEqual(['delivered', 'delivered', 'delivered']);
    const [tried, again] = receiver.received.filter(({ position }) => position === first?.position);
    expect(again?.body).toBe(tried?.body);
    expect(again?.headers['webhook-id']).toBe(tried?.headers['webhook-id']);
    expect(again?.headers['webhook-timestamp']).not.toBe(tried?.headers['webhook-timestamp']);
    const { rows } = await stand.pool.query(
      'select attempt, http_status, error, answer from webhook_attempts where webhook_id = $1 and position = $2 order by 1',
      [webhook.id, first?.position],
    );
    expect(rows).toEqual([
      { attempt: 1, http_status: 500, error: 'the receiver answered 500', answer: 'no such' },
      { attempt: 2, http_status: 204, error: null, answer: null },
    ]);
  });

  it('are parked at the end of the schedule, and no longer block those after them', async () => {
    const webhook = await stand.create(receiver.url);
    const [bad = 0, good = 0] = stand.orders(2);
    await stand.addEntries(bad, bad, good);
    const first = webhook.position + 1;
    // Successes between the failures keep the breaker closed.
    receiver.answering = ({ position }) => (position === first ? { status: 500 } : {});
    const { delivery } = stand.worker();
    for (let tries = 0; tries < 40; tries += 1) {
      const wakeup = await delivery.drain(webhook.id);
      if (!wakeup) break;
      clock.advance(wakeup.at - clock.now());
      await stand.addEntries(good);
    }
    expect((await stand.statesOf(webhook)).slice(0, 3)).toEqual(['parked', 'delivered', 'delivered']);
    const [parked] = await stand.deliveriesOf(webhook);
    expect(parked?.tries).toBeGreaterThan(8);
  });

  it('are made by one of two concurrent workers', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(20));
    const [one, other] = [stand.worker(), stand.worker()];
    await Promise.all([one.delivery.drain(webhook.id), other.delivery.drain(webhook.id)]);
    expect(positions()).toHaveLength(20);
    expect(await stand.statesOf(webhook)).toEqual(Array.from({ length: 20 }, () => 'delivered'));
  });

  it('that arrive during the last one are sent before the worker ends', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(1));
    const [one, other] = [stand.worker(), stand.worker()];
    receiver.answering = async () => {
      receiver.answering = acceptWebhook;
      await stand.addEntries(...stand.orders(1));
      // In another process: it does not get the lease, and only leaves a wake-up.
      expect(await other.delivery.drain(webhook.id)).toBeUndefined();
      return {};
    };
    await one.delivery.drain(webhook.id);
    expect(await stand.statesOf(webhook)).toEqual(['delivered', 'delivered']);
  });
});

describe('a drain with an error of the database', () => {
  it('throws it, releases the lease, and has not sent later deliveries of the order', async () => {
    const webhook = await stand.create(receiver.url);
    const [order = 0] = stand.orders(1);
    await stand.addEntries(order, order);
    const { delivery, ledger } = stand.worker();
    const record = vi.spyOn(ledger, 'record').mockRejectedValueOnce(new Error('the database is away'));
    await expect(delivery.drain(webhook.id)).rejects.toThrow('the database is away');
    record.mockRestore();
    expect(await stand.statesOf(webhook)).toEqual(['pending', 'pending']);
    await stand.worker().delivery.drain(webhook.id);
    expect(positions().map((position) => position - webhook.position)).toEqual([1, 1, 2]);
    vi.spyOn(ledger, 'ingest').mockRejectedValueOnce(new Error('the database is away again'));
    await stand.addEntries(order);
    await expect(delivery.drain(webhook.id)).rejects.toThrow('the database is away again');
    await delivery.drain(webhook.id);
    expect(await stand.statesOf(webhook)).toEqual(['delivered', 'delivered', 'delivered']);
  });
});

describe('after a broken connection another worker does not have to wait for the end of the lease', () => {
  const releaseFailsToo: Break = { statement: 'webhook-leases-release', lost: 'request' };

  it.each<Break>([
    { statement: 'webhook-leases-take', lost: 'response' },
    { statement: 'webhook-endpoints', lost: 'request' },
    { statement: 'webhooks-take-in', lost: 'response' },
    { statement: 'webhook-attempts-record', lost: 'request' },
    { statement: 'webhook-leases-release', lost: 'request' },
  ])('$statement, $lost lost', async (broken) => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(1));
    const lossy = stand.worker({ breaks: [broken, releaseFailsToo] });
    await expect(lossy.delivery.drain(webhook.id)).rejects.toThrow('Connection terminated');
    const another = stand.worker();
    await until(async () => (await another.ledger.take(webhook.id)) !== undefined);
  });
});

describe('a lease that another worker has taken over', () => {
  it('writes nothing: no attempt, no position in the stream, no breaker', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(1));
    const [stale, current] = [stand.worker(), stand.worker()];
    const old = await stale.ledger.take(webhook.id);
    if (!old) throw new Error('the lease is taken');
    await stale.ledger.ingest(old);
    const { due } = await stale.ledger.due(webhook.id, { early: false });
    clock.advance(20_000);
    const held = await current.ledger.take(webhook.id);
    expect(held && held.fence !== old.fence).toBe(true);
    const attempt = {
      position: due[0]?.position ?? 0,
      orderId: due[0]?.orderId ?? '',
      url: '',
      startedAt: clock.now(),
      durationMs: 1,
      httpStatus: 200,
      error: null,
      answer: null,
      dueSince: clock.now(),
      nextTryAt: null,
    };
    const open = { state: 'open', failures: 9, openings: 1, openUntil: clock.now() } as const;
    const before = await stand.pool.query('select * from webhooks where id = $1', [webhook.id]);
    await stand.addEntries(...stand.orders(1));
    expect(await stale.ledger.record(old, { ...attempt, state: 'delivered' })).toBeUndefined();
    expect(await stale.ledger.ingest(old)).toBeUndefined();
    expect(await stale.record.saveBreaker(old, { ...open, state: 'closed' }, open)).toBe(false);
    expect(await stale.record.disable(old, 'gone')).toBe(false);
    expect(await stale.record.caughtUp(old)).toBe(false);
    expect(await stale.ledger.release(old, 0)).toBe(true);
    expect(await stand.pool.query('select * from webhooks where id = $1', [webhook.id])).toMatchObject({
      rows: before.rows,
    });
    expect(await stand.deliveriesOf(webhook)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(stand.notices).toEqual([]);
    expect(await stand.worker().ledger.take(webhook.id)).toBeUndefined();
    if (held) expect(await current.ledger.record(held, { ...attempt, state: 'delivered' })).toBeDefined();
  });

  it('ends a drain that hung while its lease expired; the other one delivers everything in sequence', async () => {
    const webhook = await stand.create(receiver.url);
    const [order = 0] = stand.orders(1);
    await stand.addEntries(order, order);
    let release = () => undefined as void;
    const hanging = new Promise<void>((resolve) => (release = resolve));
    receiver.answering = async () => {
      receiver.answering = acceptWebhook;
      await hanging;
      return {};
    };
    const stale = stand.worker().delivery.drain(webhook.id);
    await until(() => receiver.received.length === 1);
    clock.advance(20_000);
    await stand.worker().delivery.drain(webhook.id);
    release();
    await stale;
    expect(positions().map((position) => position - webhook.position)).toEqual([1, 1, 2]);
    expect(await stand.deliveriesOf(webhook)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
  });
});
