import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { DatabaseClock } from '#database/database-clock';
import { OrderChanges } from '#orders/order-changes';
import { TimeOrderedIds } from '#base/ids';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { cardBody } from '../../../test/support/purchase-bodies.js';
import { Retention } from './retention.js';

const DAY_MS = 86_400_000;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

/** With the rights of the services. */
function retention(settings: Record<string, string>, clock: FixedClock): Retention {
  const [pool, orders] = [api.app.get(Pool), api.app.get(OrderChanges)];
  const read = { read: () => Promise.resolve(clock) };
  return new Retention(pool, parseSettings(settings), read, new TimeOrderedIds(), orders);
}

it('forgets answers, attempts and reads after their days, and nothing earlier', async () => {
  const clock = new FixedClock();
  const ago = (days: number) => new Date(clock.now() - days * DAY_MS);
  for (const [id, days] of [
    ['old', 400],
    ['older', 40],
    ['new', 20],
  ] as const) {
    const values = [id, ago(days)];
    await api.pool.query(`insert into ping_attempts values ($1, 1, 1, $2, 7, 200, null, 'for Ada')`, values);
    await api.pool.query(`insert into webhook_attempts values ($1, 1, 1, 'u', $2, 7, 200, null, 'for Ada')`, values);
    await api.pool.query('insert into platform_reads values ($1, 1, $2)', values);
  }
  const keeping = retention({ ANSWER_DAYS: '30', ATTEMPT_DAYS: '365', READ_DAYS: '30' }, clock);
  await keeping.run();
  const rows = async (text: string) => (await api.pool.query<{ row: string }>(text)).rows.map(({ row }) => row);
  for (const table of ['ping_attempts', 'webhook_attempts']) {
    const id = table === 'ping_attempts' ? 'order_id' : 'webhook_id';
    const found = await rows(
      `select ${id} || ': ' || coalesce(answer, 'none') as row from ${table} order by started_at`,
    );
    expect(found).toEqual(['older: none', 'new: for Ada']);
  }
  expect(await rows('select order_id as row from platform_reads')).toEqual(['new']);
  clock.advance(11 * DAY_MS);
  await keeping.run();
  expect(await rows('select answer as row from ping_attempts where answer is not null')).toEqual([]);
});

it('erases the buyers of old orders only if the settings say so', async () => {
  await api.staff.putListing('lst-1', { quantity: 100 });
  const id = await api.payment.bought(cardBody());
  const clock = new FixedClock(new Date(Date.now() + 31 * DAY_MS).toISOString());
  const stateOf = async () => ((await api.staff.get(`orders/${id}`)).body as { personal_data: string }).personal_data;
  await retention({}, clock).run();
  await retention({ PERSONAL_DATA_DAYS: '32' }, clock).run();
  expect(await stateOf()).toBe('kept');
  await retention({ PERSONAL_DATA_DAYS: '30' }, clock).run();
  expect(await stateOf()).toBe('erased');
  const { body } = await api.staff.get(`orders/${id}/events`);
  expect((body as { events: object[] }).events.at(-1)).toMatchObject({
    type: 'PersonalDataErased',
    metadata: { actor: 'system:retention' },
  });
});

it('keeps attempts and reads of an order until its pings are delivered, because the report on drift compares them', async () => {
  await api.staff.putListing('lst-1', { quantity: 100 });
  const id = await api.payment.bought({ ...cardBody(), ref_id: 'undelivered' });
  const values = [id, new Date(Date.now() - 400 * DAY_MS)];
  await api.pool.query('insert into ping_attempts values ($1, 1, 1, $2, 7, 500, null, null)', values);
  await api.pool.query('insert into platform_reads values ($1, 1, $2)', values);
  const kept = async () => {
    await retention({}, new FixedClock(new Date().toISOString())).run();
    const counts = ['ping_attempts', 'platform_reads'].map(
      async (table) => (await api.pool.query(`select from ${table} where order_id = $1`, [id])).rowCount,
    );
    return await Promise.all(counts);
  };
  expect(await kept()).toEqual([1, 1]);
  await api.pool.query(
    `update pings set state = 'delivered', delivered_at = now(), next_try_at = null where order_id = $1`,
    [id],
  );
  expect(await kept()).toEqual([0, 0]);
});

it("goes by the database's clock, whatever this process's says", async () => {
  await api.staff.putListing('lst-2', { quantity: 100 });
  const body = { ...cardBody(), ref_id: 'wrong-clock' };
  const id = await api.payment.bought({ ...body, product: { ...body.product, listing_id: 'lst-2' } });
  const pool = api.app.get(Pool);
  const yearAhead = new FixedClock(new Date(Date.now() + 365 * DAY_MS).toISOString());
  const clock = new DatabaseClock(pool, yearAhead);
  const settings = parseSettings({ PERSONAL_DATA_DAYS: '30' });
  await new Retention(pool, settings, clock, new TimeOrderedIds(), api.app.get(OrderChanges)).run();
  expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({ personal_data: 'kept' });
});
