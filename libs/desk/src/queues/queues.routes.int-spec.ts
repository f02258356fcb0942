import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OrderList } from '#orders/order.contract';
import type { Timeline } from '../timeline.contract.js';
import type { Queue, QueueList, QueuePage } from '../queue.contract.js';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { fillWorkItems } from '../work-item-filling.js';
import { WorkItems } from './work-items.js';
import { QueueCounts } from './queue-counts.js';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { ownerPool } from '../../../../test/support/database.js';
import { eventLine } from '../../../../test/support/discovery/catalogue-lines.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { moveSomeToFeed } from '../../../../test/support/orders/tampering.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SHOW = 5_512;

let api: TestApi;
let clock: DatabaseClock;
let purchases = 0;
/** The show begins in a hundred hours. */
let startsAt: number;

beforeAll(async () => {
  api = await startTestApi();
  clock = api.app.get(DatabaseClock);
  startsAt = Math.floor(clock.now() / 1_000) * 1_000 + 100 * HOUR_MS;
  await moveShow(startsAt);
  await api.staff.putListing('manual', { quantity: 1_000, confirmation: 'manual', confirm_within_minutes: 30 });
  await api.staff.putListing('plain', { quantity: 1_000 });
  await api.staff.putListing('front', { quantity: 1_000, seller: 'Front Row' });
  await api.staff.putListing('handled', { quantity: 1_000, ship_within_minutes: 120 });
  await api.staff.putListing('far', { quantity: 1_000, event_id: '77' });
});
afterAll(() => api.close());
// Each test begins with empty queues.
beforeEach(async () => {
  await api.pool.query(`update orders set queue = null`);
  await fillWorkItems(api.pool, clock);
});
afterEach(() => void vi.restoreAllMocks());

const moveShow = async (at: number) => {
  const utc = new Date(at).toISOString().slice(0, 19);
  const line = eventLine(SHOW, { datetime_utc: utc, datetime_local: utc });
  const { status, text } = await api.staff.send('PUT', `catalogue/events/${SHOW}`, line);
  expect(status, text).toBe(200);
};

const bought = (listing_id: string, change: object = {}) => {
  purchases += 1;
  const body = cardBody();
  const product = { ...body.product, listing_id, ...(listing_id === 'far' && { event_id: '77' }) };
  return api.payment.bought({ ...body, ref_id: `queue-${purchases}`, product, ...change });
};

/** What the worker does. */
async function settled(): Promise<void> {
  await moveSomeToFeed(api.pool);
  await moveSomeToFeed(api.pool);
  while (await api.app.get(WorkItems).step());
  api.app.get(QueueCounts).forget();
}

const later = (ms: number) => void vi.spyOn(clock, 'now').mockReturnValue(clock.now() + ms);

async function queues(by: Pick<SignedIn, 'get'> = api.staff): Promise<Record<string, Queue>> {
  await settled();
  const answer = await by.get('queues');
  expect(answer.status, answer.text).toBe(200);
  return Object.fromEntries((answer.body as QueueList).queues.map((queue) => [queue.id, queue]));
}

const counted = async (by?: Pick<SignedIn, 'get'>) =>
  Object.fromEntries(
    Object.values(await queues(by)).flatMap(({ id, built_in, count }) => (built_in && count > 0 ? [[id, count]] : [])),
  );

async function page(id: string, query = '', by: Pick<SignedIn, 'get'> = api.staff): Promise<QueuePage> {
  await settled();
  const answer = await by.get(`queues/${id}/orders${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as QueuePage;
}

const idsIn = async (id: string, query = '') => (await page(id, query)).orders.map((order) => order.id);
const dueAt = async (queue: string) => (await page(queue)).orders.map(({ due_at: at }) => at && Date.parse(at));

describe('the built-in queues', () => {
  it('have fixed ids in this order, also without orders', async () => {
    expect(
      Object.values(await queues()).map(({ id, name, count, overdue, next_due_at: next }) => [
        id,
        name,
        count,
        overdue,
        next,
      ]),
    ).toEqual([
      ['to_confirm', 'To confirm', 0, 0, null],
      ['review', 'Under review', 0, 0, null],
      ['to_ship', 'To ship', 0, 0, null],
      ['to_deliver', 'To deliver', 0, 0, null],
      ['exceptions', 'Exceptions', 0, 0, null],
      ['overdue', 'Overdue', 0, 0, null],
      ['money', 'Money', 0, 0, null],
    ]);
  });

  it('show an order in one place at a time, wherever it goes', async () => {
    const id = await bought('manual');
    expect(await counted()).toEqual({ to_confirm: 1 });
    await api.staff.changeStatus(id, 1002);
    expect(await counted()).toEqual({ review: 1 });
    await api.staff.changeStatus(id, 2000);
    expect(await counted()).toEqual({ to_ship: 1 });
    await api.staff.changeStatus(id, 4006);
    expect(await counted()).toEqual({ exceptions: 1 });
    await api.staff.changeStatus(id, 3010);
    expect(await counted()).toEqual({});
    expect((await verify(api.pool)).found['work_items']).toBeUndefined();
  });

  it('list orders by due time with their clocks, page by page, without skipping one', async () => {
    const [plain, handled, far] = [await bought('plain'), await bought('handled'), await bought('far')];
    const second = await bought('plain');
    const first = await page('to_ship', '?limit=2');
    expect(first.orders).toMatchObject([
      { id: handled, queue: 'to_ship', overdue: false, snoozed_until: null, assignee: null },
      { id: plain, due_at: new Date(startsAt - 72 * HOUR_MS).toISOString() },
    ]);
    const rest = await page('to_ship', `?limit=2&cursor=${first.next_cursor}`);
    expect(rest).toMatchObject({ orders: [{ id: second }, { id: far, due_at: null }], next_cursor: null });
    expect(rest.orders[0]?.due_at).toBe(first.orders[1]?.due_at);
    const earlier = Buffer.from(JSON.stringify([first.orders[1]?.due_at, plain])).toString('base64url');
    expect((await page('to_ship', `?cursor=${earlier}`)).orders).toEqual(rest.orders);
    expect((await queues())['to_ship']).toMatchObject({ count: 4, next_due_at: first.orders[0]?.due_at });
    for (const other of ['to_ship/orders?cursor=x', `overdue/orders?cursor=${first.next_cursor}`])
      expect(codesOf(await api.staff.get(`queues/${other}`))).toEqual([40001]);
    expect(codesOf(await api.staff.get('queues/unknown/orders'))).toEqual([40400]);
  });

  it('show an order as overdue from its due time on, and again as before if the clock is set back', async () => {
    const id = await bought('plain');
    expect(await counted()).toEqual({ to_ship: 1 });
    later(28 * HOUR_MS + 1_000);
    expect(await counted()).toEqual({ overdue: 1 });
    expect((await queues())['overdue']).toMatchObject({ overdue: 1, next_due_at: expect.any(String) as string });
    expect((await page('overdue')).orders).toMatchObject([{ id, queue: 'overdue', overdue: true }]);
    vi.restoreAllMocks();
    expect(await counted()).toEqual({ to_ship: 1 });
    later(28 * HOUR_MS + 1_000);
    await settled();
    await api.staff.send('POST', `orders/${id}/fulfillment`, {
      type: 'ship',
      data: { carrier: 'UPS', tracking_number: '1Z' },
    });
    expect(await counted()).toEqual({});
  });

  it('are the same as in a search', async () => {
    const id = await bought('plain');
    const found = async (queue: string) => {
      await settled();
      const { body } = await api.staff.send('POST', 'orders/search', {
        where: { field: 'queue', op: '=', value: queue },
      });
      return (body as OrderList).orders.map((order) => order.id);
    };
    expect([await found('to_ship'), await found('overdue')]).toEqual([[id], []]);
    later(28 * HOUR_MS + 1_000);
    expect([await found('to_ship'), await found('overdue')]).toEqual([[], [id]]);
  });

  it('show brokers the orders of their own sellers only', async () => {
    const own = await bought('front');
    await bought('plain');
    const broker = await signIn(api, ['broker'], ['Front Row']);
    expect(await counted(broker)).toEqual({ to_ship: 1 });
    expect((await page('to_ship', '', broker)).orders.map(({ id }) => id)).toEqual([own]);
    expect((await queues(broker))['to_ship']?.next_due_at).toEqual(expect.any(String));
    const other = await signIn(api, ['broker'], ['Back Row']);
    expect(await counted(other)).toEqual({});
    expect(codesOf(await other.send('PUT', `orders/${own}/snooze`, { until: '2099-01-01' }))).toEqual([40400]);
    expect((await broker.send('PUT', `orders/${own}/snooze`, { until: '2099-01-01' })).status).toBe(200);
  });
});

describe('the clocks', () => {
  it('follow the deadline of the broker, and the settings for reviews and exceptions', async () => {
    const id = await bought('manual');
    const { orders } = await page('to_confirm');
    expect(orders[0]?.due_at).toBe(orders[0]?.confirm_by);
    const changedAt = async (queue: string, minutes: number) => {
      const [order] = (await page(queue)).orders;
      return Date.parse(order?.due_at ?? '') - Date.parse(order?.updated_at ?? '') === minutes * MINUTE_MS;
    };
    await api.staff.changeStatus(id, 1002);
    expect(await changedAt('review', 60)).toBe(true);
    await api.staff.changeStatus(id, 4006);
    expect(await changedAt('exceptions', 1_440)).toBe(true);
  });

  it('follow the show to another date, and what the listing says', async () => {
    await bought('plain');
    expect(await dueAt('to_ship')).toEqual([startsAt - 72 * HOUR_MS]);
    await moveShow(startsAt + HOUR_MS);
    expect(await dueAt('to_ship')).toEqual([startsAt - 71 * HOUR_MS]);
    const inHand = new Date(startsAt - 90 * HOUR_MS).toISOString();
    await api.staff.putListing('plain', { quantity: 1_000, in_hand_at: inHand });
    expect(await dueAt('to_ship')).toEqual([Date.parse(inHand)]);
    await api.staff.putListing('plain', { quantity: 1_000, in_hand_at: inHand, ship_within_minutes: 60 });
    expect(await dueAt('to_ship')).toEqual([Date.parse(inHand) + HOUR_MS]);
    await api.staff.putListing('plain', { quantity: 1_000 });
    await moveShow(startsAt);
    expect(await dueAt('to_ship')).toEqual([startsAt - 72 * HOUR_MS]);
  });

  it('leave an hour to whoever sells shortly before the show, but never beyond its start', async () => {
    await bought('plain');
    const [order] = (await page('to_ship')).orders;
    const placed = Date.parse(order?.updated_at ?? '');
    await moveShow(Math.floor(placed / 1_000) * 1_000 + 5 * HOUR_MS);
    expect(await dueAt('to_ship')).toEqual([placed + HOUR_MS]);
    const soon = Math.floor(placed / 1_000) * 1_000 + 30 * MINUTE_MS;
    await moveShow(soon);
    expect(await dueAt('to_ship')).toEqual([soon]);
    await moveShow(startsAt);
  });
});

describe('a snooze', () => {
  const snooze = (id: string, until: string | number | null) => {
    const at = typeof until === 'number' ? new Date(clock.now() + until).toISOString() : until;
    return api.staff.send('PUT', `orders/${id}/snooze`, { until: at });
  };

  it('hides an order until its time, or until somebody ends it, and leaves its versions alone', async () => {
    const id = await bought('plain');
    const before = (await page('to_ship')).orders[0];
    expect((await snooze(id, HOUR_MS)).body).toMatchObject({ id, version: before?.version, desk_version: 0 });
    expect(await counted()).toEqual({});
    expect((await queues())['to_ship']).toMatchObject({ count: 0, snoozed: 1 });
    expect((await page('to_ship', '?snoozed=true')).orders).toMatchObject([
      { id, snoozed_until: expect.any(String) as string },
    ]);
    later(HOUR_MS);
    expect(await counted()).toEqual({ to_ship: 1 });
    vi.restoreAllMocks();
    await snooze(id, HOUR_MS);
    expect(await counted()).toEqual({});
    expect((await snooze(id, null)).status).toBe(200);
    expect(await counted()).toEqual({ to_ship: 1 });
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as Timeline;
    expect(entries.map(({ title }) => title)).toContain('Snooze ended');
    const { body } = await api.staff.get(`audit?subject=order:${id}`);
    expect((body as { entries: { action: string }[] }).entries.map(({ action }) => action)).toEqual(
      Array(3).fill('order.snoozed'),
    );
  });

  it('does not outlast a due time that comes before its end, but may begin after one', async () => {
    const id = await bought('plain');
    await snooze(id, 50 * HOUR_MS);
    later(28 * HOUR_MS + 1_000);
    expect(await counted()).toEqual({ overdue: 1 });
    await snooze(id, HOUR_MS);
    expect(await counted()).toEqual({});
  });

  it('ends with the queue in which it was made', async () => {
    const id = await bought('plain');
    await snooze(id, HOUR_MS);
    await api.staff.changeStatus(id, 4006);
    expect(await counted()).toEqual({ exceptions: 1 });
  });

  it('is refused for the past, for an order that is in no queue, and for an unknown one', async () => {
    const id = await bought('plain');
    expect(messagesOf(await snooze(id, '2020-01-01'))).toEqual([
      expect.stringContaining('until: must be in the future'),
    ]);
    expect(codesOf(await snooze(id, 'tomorrow'))).toEqual([40001]);
    await api.staff.changeStatus(id, 3010);
    expect(codesOf(await snooze(id, HOUR_MS))).toEqual([40902]);
    expect(codesOf(await snooze('ord_unknown', HOUR_MS))).toEqual([40400]);
  });
});

describe('a custom queue', () => {
  const ofTag = {
    name: 'Important',
    where: { field: 'tag', op: '=', value: 'vip' },
    due: { field: 'placed_at', minutes: 30 },
  };

  it('lists the orders that meet its condition by its clock, and can be changed and removed', async () => {
    const id = await bought('plain');
    await bought('plain');
    await api.staff.send('PUT', `orders/${id}/tags`, ['vip']);
    const made = await api.staff.send('POST', 'queues', ofTag);
    expect([made.status, made.body]).toMatchObject([201, { ...ofTag, built_in: false, count: 1, overdue: 0 }]);
    const custom = (made.body as Queue).id;
    const { orders } = await page(custom);
    expect(orders).toMatchObject([{ id, queue: 'to_ship', overdue: false }]);
    expect(Date.parse(orders[0]?.due_at ?? '') - Date.parse(orders[0]?.placed_at ?? '')).toBe(30 * MINUTE_MS);
    expect((await queues())[custom]).toMatchObject({ next_due_at: orders[0]?.due_at });
    const changed = await api.staff.send('PUT', `queues/${custom}`, {
      ...ofTag,
      due: { field: 'placed_at', minutes: -30 },
    });
    expect([changed.status, changed.body]).toMatchObject([200, { id: custom, overdue: 1 }]);
    await api.staff.send('PUT', `orders/${id}/snooze`, { until: '2099-01-01' });
    expect(await idsIn(custom)).toEqual([]);
    expect((await api.staff.send('DELETE', `queues/${custom}`)).status).toBe(204);
    expect(codesOf(await api.staff.send('DELETE', `queues/${custom}`))).toEqual([40400]);
    expect(codesOf(await api.staff.send('PUT', `queues/${custom}`, ofTag))).toEqual([40400]);
    expect(Object.keys(await queues())).not.toContain(custom);
  });

  it('is sealed, and one that names a buyer is only for people who may search for buyers', async () => {
    const where = { field: 'email', op: '=', value: 'ada@example.com' };
    const { body } = await api.staff.send('POST', 'queues', { ...ofTag, where });
    const custom = (body as Queue).id;
    const viewer = await signIn(api, ['viewer']);
    expect(Object.keys(await queues(viewer))).not.toContain(custom);
    expect(codesOf(await viewer.get(`queues/${custom}/orders`))).toEqual([40300]);
    const { rows } = await api.pool.query<{ condition: Buffer }>('select condition from own_queues where id = $1', [
      custom,
    ]);
    expect(rows[0]?.condition.toString()).not.toContain('ada@example.com');
    const broker = await signIn(api, ['broker'], ['Front Row']);
    expect(codesOf(await broker.send('DELETE', `queues/${custom}`))).toEqual([40300]);
    await api.staff.send('DELETE', `queues/${custom}`);
  });

  it.each<[object, string]>([
    [{ ...ofTag, name: '' }, 'name'],
    [{ ...ofTag, where: { and: [{ field: 'tag', op: '<', value: 'x' }] } }, 'where.and[0].op'],
    [{ ...ofTag, due: { field: 'colour', minutes: 1 } }, 'due.field'],
    [{ ...ofTag, due: { field: 'placed_at', minutes: 1.5 } }, 'due.minutes'],
    [{ name: 'x', where: ofTag.where }, 'due'],
  ])('%j is a bad body that names %s', async (body, path) => {
    const answer = await api.staff.send('POST', 'queues', body);
    expect([answer.status, messagesOf(answer)]).toEqual([400, [expect.stringContaining(path)]]);
  });
});

describe('the projection', () => {
  it('is found wrong, and rebuilt', async () => {
    await bought('plain');
    await bought('manual');
    await settled();
    const found = async () => (await verify(api.pool)).found['work_items'] ?? 0;
    expect(await found()).toBe(0);
    await api.pool.query(`update work_items set due_at = due_at + interval '1 hour' where queue = 'to_ship'`);
    expect(await found()).toBe(1);
    await api.pool.query('delete from work_items; update work_counts set count = count + 1');
    expect(await found()).toBeGreaterThan(2);
    await fillWorkItems(api.pool, clock);
    expect(await found()).toBe(0);
    expect(await counted()).toEqual({ to_confirm: 1, to_ship: 1 });
  });

  it('sees what came while two workers fill it for the first time', async () => {
    await bought('plain');
    await api.pool.query(`delete from work_items; delete from subscriptions where name = 'work-queues'`);
    await moveSomeToFeed(api.pool);
    const other = new WorkItems(api.pool, api.pool, clock, api.app.get(Settings));
    await Promise.all([api.app.get(WorkItems).step(), other.step(), bought('manual')]);
    expect(await counted()).toEqual({ to_confirm: 1, to_ship: 1 });
    expect((await verify(api.pool)).found['work_items']).toBeUndefined();
  });

  it('leaves what comes during a step to the next one', async () => {
    await bought('plain');
    await moveSomeToFeed(api.pool);
    const pool = ownerPool(api.databaseUrl);
    pool.once('acquire', (client) => {
      const query = client.query.bind(client) as (...asked: unknown[]) => unknown;
      vi.spyOn(client, 'query').mockImplementation(async (...asked: unknown[]) => {
        if ((asked[0] as { name?: string }).name === 'work-items-refresh') {
          await bought('manual');
          await moveSomeToFeed(api.pool);
        }
        return await query(...asked);
      });
    });
    const items = new WorkItems(api.pool, pool, clock, api.app.get(Settings));
    expect(await items.step()).toBe(false);
    expect((await api.pool.query('select queue from work_items')).rows).toEqual([{ queue: 'to_ship' }]);
    expect(await counted()).toEqual({ to_confirm: 1, to_ship: 1 });
    await pool.end();
  });
});
