import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { acceptWebhook, type WebhookDouble } from '../../../../test/support/webhooks/webhook-double.js';
import {
  AT_ONCE,
  BREAKER,
  createWebhookStand,
  RETRY,
  type WebhookStand,
} from '../../../../test/support/webhooks/webhook-stand.js';
import { WebhookDeliveries } from '../webhook-deliveries.js';
import type { WebhookWithSecret } from '../webhook.contract.js';

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
const breakerOf = async ({ id }: WebhookWithSecret) => (await stand.webhooks.find(id))?.breaker;
const kinds = () => stand.notices.map(({ kind }) => kind);

describe('the breaker', () => {
  it('opens after failures in a row, probes after growing waits, and sends all in sequence when it closes', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(12));
    receiver.answering = () => ({ status: 503 });
    const { delivery } = stand.worker();
    const wakeup = await delivery.drain(webhook.id);
    const failed = receiver.received.length;
    expect(failed).toBeGreaterThanOrEqual(BREAKER.failuresToOpen);
    expect(failed).toBeLessThan(BREAKER.failuresToOpen + AT_ONCE);
    expect(await breakerOf(webhook)).toMatchObject({ state: 'open' });
    expect(kinds()).toEqual(['webhook.breaker_opened']);
    expect(wakeup?.at).toBeGreaterThanOrEqual(clock.now() + BREAKER.firstMs);

    const waits: number[] = [];
    for (let probe = 1, next = wakeup; probe <= 4; probe += 1) {
      clock.advance((next?.at ?? 0) - clock.now() - 1);
      await delivery.drain(webhook.id);
      expect(receiver.received).toHaveLength(failed + probe - 1);
      clock.advance(1);
      next = await delivery.drain(webhook.id);
      expect(receiver.received).toHaveLength(failed + probe);
      waits.push((next?.at ?? 0) - clock.now());
    }
    for (const [index, doubled] of [2, 4, 4, 4].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(BREAKER.firstMs * doubled * 0.8);
      expect(waits[index]).toBeLessThanOrEqual(BREAKER.firstMs * doubled * 1.25);
    }
    expect(await stand.statesOf(webhook)).toEqual(Array.from({ length: 12 }, () => 'pending'));

    receiver.answering = acceptWebhook;
    receiver.received.length = 0;
    clock.advance(BREAKER.maxMs);
    await delivery.drain(webhook.id);
    expect(await stand.statesOf(webhook)).toEqual(Array.from({ length: 12 }, () => 'delivered'));
    const rest = positions().slice(1);
    // Deliveries of one moment may overtake each other.
    const places = rest.map((position) => rest.toSorted((one, other) => one - other).indexOf(position));
    expect(Math.max(...places.map((place, index) => Math.abs(place - index)))).toBeLessThan(AT_ONCE);
    expect(kinds()).toEqual(['webhook.breaker_opened', 'webhook.caught_up']);
    expect(await breakerOf(webhook)).toEqual({ state: 'closed', failures: 0, open_until: null });
  });

  it('parks nothing while it is open, however long that is', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(6));
    receiver.answering = () => ({ status: 500 });
    const { delivery } = stand.worker();
    for (let time = 0; time < 20; time += 1) {
      await delivery.drain(webhook.id);
      clock.advance(RETRY.forMs);
    }
    expect(await stand.statesOf(webhook)).toEqual(Array.from({ length: 6 }, () => 'pending'));
  });
});

describe('after a wrong clock', () => {
  const hourAhead = () => new Date(clock.now() + 3_600_000);

  it('a lease that ends too late has expired', async () => {
    const webhook = await stand.create(receiver.url);
    const values = [webhook.id, hourAhead()];
    await stand.pool.query('insert into webhook_leases (webhook_id, fence, leased_until) values ($1, 1, $2)', values);
    const { ledger } = stand.worker();
    const lease = await ledger.take(webhook.id);
    expect(lease).toBeDefined();
    expect(await ledger.take(webhook.id)).toBeUndefined();
  });

  it('a break that is too long is over: the endpoint gets a job and is probed', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(2));
    await stand.pool.query(
      `update webhooks set breaker = 'open', openings = 1, open_until = $2, paced_until = $3 where id = $1`,
      [webhook.id, hourAhead(), new Date(clock.now() + 26 * 3_600_000)],
    );
    await stand.worker().delivery.drain(webhook.id);
    expect(await stand.statesOf(webhook)).toEqual(['delivered', 'delivered']);
  });
});

describe('an endpoint', () => {
  it('that answers 410 is disabled with a notice, and gets everything once it is resumed', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(1));
    receiver.answering = () => ({ status: 410 });
    const { delivery } = stand.worker();
    expect(await delivery.drain(webhook.id)).toBeUndefined();
    expect(await stand.webhooks.find(webhook.id)).toMatchObject({
      state: 'disabled',
      disabled_reason: 'the receiver answered 410 Gone',
    });
    expect(kinds()).toEqual(['webhook.disabled']);
    receiver.answering = acceptWebhook;
    await stand.addEntries(...stand.orders(2));
    clock.advance(RETRY.forMs);
    await delivery.drain(webhook.id);
    expect(receiver.received).toHaveLength(1);
    expect(await stand.webhooks.resume(webhook.id)).toMatchObject({ state: 'active', disabled_reason: null });
    await delivery.drain(webhook.id);
    expect(positions().map((position) => position - webhook.position)).toEqual([1, 1, 2, 3]);
    expect(kinds()).toEqual(['webhook.disabled', 'webhook.caught_up']);
  });

  it.each([
    ['seconds', () => '120'],
    ['a date', () => new Date(clock.now() + 120_000).toUTCString()],
  ])('that requests a wait by Retry-After in %s gets it, for all its orders', async (_, header) => {
    clock.set(new Date(Math.ceil(clock.now() / 1_000) * 1_000).toISOString());
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(2 + AT_ONCE));
    receiver.answering = () => ({ status: 429, headers: { 'retry-after': header() } });
    const { delivery } = stand.worker();
    await delivery.drain(webhook.id);
    expect(receiver.received.length).toBeLessThanOrEqual(AT_ONCE);
    expect(await breakerOf(webhook)).toMatchObject({ state: 'closed' });
    receiver.answering = acceptWebhook;
    const tried = receiver.received.length;
    clock.advance(117_000);
    await stand.worker().delivery.drain(webhook.id);
    expect(receiver.received).toHaveLength(tried);
    clock.advance(4_000);
    await delivery.drain(webhook.id);
    expect(await stand.statesOf(webhook)).toEqual(Array.from({ length: 2 + AT_ONCE }, () => 'delivered'));
  });

  it('that is paused gets nothing and misses nothing', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.webhooks.pause(webhook.id);
    await stand.addEntries(...stand.orders(3));
    const { delivery } = stand.worker();
    await delivery.drain(webhook.id);
    expect(await stand.webhooks.find(webhook.id)).toMatchObject({ state: 'paused', pending: 3 });
    expect(receiver.received).toEqual([]);
    await stand.webhooks.resume(webhook.id);
    await delivery.drain(webhook.id);
    expect(receiver.received).toHaveLength(3);
  });

  it('that is paused or removed during deliveries gets only those in flight', async () => {
    for (const stop of ['pause', 'remove'] as const) {
      const webhook = await stand.create(receiver.url);
      await stand.addEntries(...stand.orders(30));
      receiver.answering = async () => {
        await stand.webhooks[stop](webhook.id);
        return {};
      };
      await stand.worker().delivery.drain(webhook.id);
      expect(receiver.received.length).toBeLessThanOrEqual(2 * AT_ONCE);
      receiver.received.length = 0;
    }
  });

  it('gets deliveries at its rate', async () => {
    const real = await createWebhookStand(new SystemClock());
    try {
      const webhook = await real.create(real.receiver.url, { rate_per_second: 50 });
      await real.addEntries(...real.orders(30));
      const from = Date.now();
      await real.worker().delivery.drain(webhook.id);
      expect(real.receiver.received).toHaveLength(30);
      // Six may be sent at once. 24 more take 480 ms.
      expect(Date.now() - from).toBeGreaterThanOrEqual(450);
    } finally {
      await real.stop();
    }
  });

  it('that hangs fails by the time-out, and its late response does not count', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(1));
    let answer = () => undefined as void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    receiver.answering = async () => {
      await held;
      return {};
    };
    await stand.worker({ timeoutMs: 100 }).delivery.drain(webhook.id);
    answer();
    const { rows } = await stand.pool.query('select error from webhook_attempts where webhook_id = $1', [webhook.id]);
    expect(rows).toEqual([{ error: 'no answer within 100 ms' }]);
  });

  it('gets the same delivery again if staff resend it', async () => {
    const webhook = await stand.create(receiver.url);
    await stand.addEntries(...stand.orders(1));
    const { delivery } = stand.worker();
    await delivery.drain(webhook.id);
    await new WebhookDeliveries(stand.pool, clock).resend(webhook.id, webhook.position + 1);
    await delivery.drain(webhook.id);
    expect(receiver.received).toHaveLength(2);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
  });
});
