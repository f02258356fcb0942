import type { Pool } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#database/pool';
import { eventLine, performerLine } from '../../../test/support/discovery/catalogue-lines.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { sell } from '../../../test/support/discovery/sales.js';
import { until } from '../../../test/support/until.js';
import { Catalogue } from './catalogue.js';
import { BoughtTogether, boughtTogetherWith } from './bought-together.js';

const HOUR_MS = 3_600_000;

let pool: Pool;
let clock: FixedClock;
let work: BoughtTogether;

/** Event 11 has performer 1, and so on. Event 90 has performers 1 and 2. */
beforeEach(async () => {
  clock = new FixedClock('2026-11-21T12:00:00Z');
  const database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 2, applicationName: 'test', onError: () => undefined });
  work = new BoughtTogether(pool, clock);
  const [one, two, three] = [performerLine(1), performerLine(2), performerLine(3)];
  await new Catalogue(pool, clock).write('events', [
    eventLine(11, { performers: [one] }),
    eventLine(12, { performers: [two] }),
    eventLine(13, { performers: [three] }),
    eventLine(90, { performers: [one, two] }),
  ]);
  return async () => {
    await pool.end();
    await database.drop();
  };
});

async function table(): Promise<Record<string, [buyers: number, weight: number]>> {
  const { rows } = await pool.query<{ pair: string; buyers: number; weight: number }>(
    `select performer_id || '-' || other_id as pair, buyers, weight from discovery_performer_affinity order by pair`,
  );
  return Object.fromEntries(rows.map(({ pair, buyers, weight }) => [pair, [buyers, Number(weight.toFixed(9))]]));
}

async function refreshed(): Promise<Awaited<ReturnType<typeof table>>> {
  await new BoughtTogether(pool, clock).refresh();
  return table();
}

const pair = (buyers: number, one: number, other: number) => [
  buyers,
  Number(((buyers / Math.sqrt(one * other)) * (buyers / (buyers + 2))).toFixed(9)),
];

async function sellAll(sales: readonly (readonly [event: number, buyer: string])[]): Promise<void> {
  for (const [event, buyer] of sales) await sell(pool, event, buyer);
}

describe('performers bought together', () => {
  it('are pairs of one buyer, in both directions, weighted by how many others bought only one', async () => {
    await sellAll([
      [11, 'ann'],
      [12, 'ann'],
      [11, 'bob'],
      [12, 'bob'],
      [11, 'cid'],
      [13, 'bob'],
    ]);
    expect(await refreshed()).toEqual({
      '1-2': pair(2, 3, 2),
      '2-1': pair(2, 3, 2),
      '1-3': pair(1, 3, 1),
      '3-1': pair(1, 3, 1),
      '2-3': pair(1, 2, 1),
      '3-2': pair(1, 2, 1),
    });
    expect(await boughtTogetherWith(pool, [2, 3])).toEqual(
      new Map([
        [1, 2 / Math.sqrt(6) / 2],
        [2, 1 / Math.sqrt(2) / 3],
        [3, 1 / Math.sqrt(2) / 3],
      ]),
    );
    expect(await boughtTogetherWith(pool, [])).toEqual(new Map());
  });

  it('are of different events, and count a buyer once', async () => {
    await sellAll([
      [90, 'ann'],
      [90, 'ann'],
    ]);
    expect(await refreshed()).toEqual({});
    await sellAll([
      [12, 'ann'],
      [12, 'ann'],
    ]);
    expect(await refreshed()).toEqual({ '1-2': pair(1, 1, 1), '2-1': pair(1, 1, 1) });
  });

  it('leave out orders that were rejected, failed, are old, have no buyer or are not in the catalogue', async () => {
    await sell(pool, 11, 'ann');
    await sell(pool, 12, 'ann', { status: 'rejected' });
    await sell(pool, 12, 'ann', { stage: 'declined' });
    await sell(pool, 12, 'ann', { placedAt: '2025-01-01T00:00:00Z' });
    await sell(pool, 11, null);
    await sell(pool, 12, null);
    for (const event of ['12x', '99', '4000000000', '99999999999']) await sell(pool, event, 'ann');
    expect(await refreshed()).toEqual({});
  });

  it('leave out resellers', async () => {
    for (const event of [11, 12]) await sell(pool, event, 'dealer');
    for (let event = 1; event <= 48; event += 1) await sell(pool, 1_000 + event, 'dealer');
    expect(Object.keys(await refreshed())).toEqual(['1-2', '2-1']);
    await sell(pool, 1_049, 'dealer');
    expect(await refreshed()).toEqual({});
  });

  it('are recomputed completely, so removed orders no longer count', async () => {
    await sellAll([
      [11, 'ann'],
      [12, 'ann'],
      [13, 'bob'],
    ]);
    const last = await sell(pool, 11, 'bob');
    expect(Object.keys(await refreshed())).toEqual(['1-2', '1-3', '2-1', '3-1']);
    await pool.query('delete from personal_data_keys where order_id = $1', [last]);
    expect(await refreshed()).toEqual({ '1-2': pair(1, 1, 1), '2-1': pair(1, 1, 1) });
    await pool.query('delete from discovery_performer_affinity');
    expect(Object.keys(await refreshed())).toEqual(['1-2', '2-1']);
  });

  it('keep the hundred pairs of the greatest weight', async () => {
    const many = Array.from({ length: 110 }, (_, at) => 201 + at);
    await new Catalogue(pool, clock).write(
      'events',
      many.map((id) => eventLine(id, { performers: [performerLine(id)] })),
    );
    for (const id of many) await sellAll([[11, `buyer ${id}`], [id, `buyer ${id}`]]); // prettier-ignore
    await sellAll([[11, 'another'], [310, 'another']]); // prettier-ignore
    const kept = Object.keys(await refreshed()).filter((name) => name.startsWith('1-'));
    expect(kept).toHaveLength(100);
    expect(kept).toContain('1-310');
    expect(kept).not.toContain('1-309');
  });

  it('are recomputed after changes of orders, and every hour', async () => {
    expect([await work.refresh(), await work.refresh()]).toEqual([true, false]);
    await pool.query(`insert into feed values (1, 'order-x', 1)`);
    expect([await work.refresh(), await work.refresh()]).toEqual([true, false]);
    clock.advance(HOUR_MS);
    expect([await work.refresh(), await work.refresh()]).toEqual([true, false]);
  });

  it('are restored by a rebuild, whatever the table contains', async () => {
    await sellAll([
      [11, 'ann'],
      [12, 'ann'],
      [13, 'bob'],
    ]);
    await sell(pool, 13, 'ann', { status: 'rejected' });
    await work.refresh();
    await pool.query(`update discovery_performer_affinity set weight = 0.9, buyers = 9`);
    await pool.query(`insert into discovery_performer_affinity values (1, 3, 5, 0.5)`);
    expect(await work.refresh()).toBe(false);
    let told: number | undefined;
    expect(await work.rebuild((orders) => (told = orders))).toEqual({ orders: 3, pairs: 2 });
    expect(told).toBe(3);
    expect(await table()).toEqual({ '1-2': pair(1, 1, 1), '2-1': pair(1, 1, 1) });
  });

  it('are rebuilt only by one process at a time', async () => {
    const other = await pool.connect();
    await other.query('begin; select pg_advisory_xact_lock(8146)');
    let isDone = false;
    const rebuilt = work.rebuild().then(() => (isDone = true));
    const waits = `select from pg_locks where locktype = 'advisory' and objid = 8146 and not granted`;
    await until(async () => (await other.query(waits)).rowCount === 1);
    expect(isDone).toBe(false);
    await other.query('rollback');
    await rebuilt;
    other.release();
  });

  it('pause for twenty times the length of a run', async () => {
    let now = clock.now();
    const tickingClock = Object.assign(new FixedClock(), { now: () => (now += 1_000) });
    const slow = new BoughtTogether(pool, tickingClock);
    expect(await slow.refresh()).toBe(true);
    await pool.query(`insert into feed values (1, 'order-x', 1)`);
    expect(await slow.refresh()).toBe(false);
    now += 20_000;
    expect(await slow.refresh()).toBe(true);
  });
});
