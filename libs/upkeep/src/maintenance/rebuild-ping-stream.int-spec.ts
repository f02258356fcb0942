import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { LiveOrders } from '../../../../test/support/orders/live-orders.js';
import { startStreamWork } from '../../../../test/support/ping-stream/stream-work.js';
import { tableCatalogue } from '../../../../test/support/postgres/table-catalogue.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';
import { until } from '../../../../test/support/until.js';
import { PingStreamReader } from '#outbound/stream/ping-stream-reader';
import { rebuildPingStream } from './rebuild-ping-stream.js';

let database: TestDatabase;
let owner: pg.Pool;
let work: { stop(): Promise<void> };

beforeEach(async () => {
  database = await createTestDatabase();
  const onError = () => undefined;
  owner = createPool({ databaseUrl: database.url, max: 6, applicationName: 'test', asOwner: true, onError });
  work = startStreamWork(database.url);
});
afterEach(async () => {
  await work.stop();
  await owner.end();
  await database.drop();
});

async function allStreamed(): Promise<void> {
  await until(async () => {
    const { rows } = await owner.query<{ done: boolean }>(
      `select not exists (select from outbox) and (select max(position) from feed) = (select position from subscriptions) as done`,
    );
    return rows[0]?.done;
  });
}

it('returns the same entries at the same positions, and repairs manual changes', async () => {
  await new LiveOrders(owner, new SeededRandomness(3)).live(150);
  await allStreamed();
  const before = await tableState(owner);
  const catalogue = await tableCatalogue(owner, 'ping_stream');
  await owner.query(`update ping_stream set status = 'lost' where position % 3 = 0;
    delete from ping_stream where position % 5 = 0`);
  const report = await rebuildPingStream(owner);
  expect(changedTables(before, await tableState(owner))).toEqual([]);
  expect(await tableCatalogue(owner, 'ping_stream')).toEqual(catalogue);
  const { rows } = await owner.query('select count(*) as rows, (select count(*) from feed) as events from ping_stream');
  expect(report).toMatchObject(rows[0] as object);
  expect(report.rows).toBeGreaterThan(50);
});

it('loses nothing that arrives meanwhile, and no reader notices', async () => {
  const orders = new LiveOrders(owner, new SeededRandomness(4));
  await orders.live(60);
  let going = true;
  const busy = (async () => {
    for (; going; await turn()) await orders.step();
  })();
  const reader = new PingStreamReader(owner);
  const seen: number[] = [];
  const reading = (async () => {
    for (let after = 0; going; await turn()) {
      const page = await reader.entries({ after, limit: 7 });
      seen.push(...page.entries.map(({ position }) => position));
      after = page.next;
    }
  })();
  try {
    for (let round = 0; round < 4; round += 1) await rebuildPingStream(owner);
  } finally {
    going = false;
  }
  await Promise.all([busy, reading]);
  await allStreamed();
  const before = await tableState(owner);
  await rebuildPingStream(owner);
  expect(changedTables(before, await tableState(owner))).toEqual([]);
  const { rows } = await owner.query<{ position: number }>('select position from ping_stream order by position');
  expect(seen.length).toBeGreaterThan(20);
  expect(seen).toEqual(rows.slice(0, seen.length).map(({ position }) => position));
});
