import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { MaintenanceRuns, type RecordedRun } from '#upkeep/maintenance/maintenance-runs';
import { TimeOrderedIds } from '#base/ids';
import { RequestedRebuilds } from '../apps/cli/src/supervisor/requested-rebuilds.js';
import { apiEnvironment } from './support/api-environment.js';
import { databaseWithOrders, Tampering } from './support/orders/tampering.js';
import type { TestDatabase } from './support/database.js';
import { until } from './support/until.js';

const WITHIN = { withinMs: 60_000 };

/** The part of `npm start` that does what is asked for in the console, with the process that it spawns. */
describe('the rebuilds that are asked for', () => {
  let sound: TestDatabase;
  let tampering: Tampering;
  let runs: MaintenanceRuns;
  beforeAll(async () => {
    sound = await databaseWithOrders();
    tampering = await Tampering.with(sound);
    runs = new MaintenanceRuns(tampering.pool, new TimeOrderedIds());
  });
  afterAll(async () => {
    await tampering.end();
    await sound.drop();
  });

  const settings = () => parseSettings(apiEnvironment(tampering.url));
  const requested = async () =>
    (await runs.request({ kind: 'rebuild', projection: 'orders' }, 'operator:opr_1')) ?? expect.fail('refused');
  const found = async ({ id }: RecordedRun) => (await runs.find(id)) ?? expect.fail('no such run');

  it('are done by a process of their own, which ends with the supervisor', async () => {
    await tampering.sql('update orders set total_cents = 1');
    const rebuilds = new RequestedRebuilds(
      settings(),
      tampering.url,
      join(import.meta.dirname, '../dist/programs/requested-rebuilds.js'),
    );
    rebuilds.start();
    const run = await requested();
    await until(async () => (await found(run)).state === 'done', WITHIN);
    expect(await tampering.found()).toEqual([]);

    // Longer than anybody waits for a stop.
    await tampering.hand.query('begin; lock table feed');
    const held = await requested();
    await until(async () => (await found(held)).state === 'running', WITHIN);
    await rebuilds.stop();
    await tampering.hand.query('rollback');
    await until(async () => (await found(held)).state === 'failed', WITHIN);
    expect((await found(held)).error).toMatch(/Start it again\.$/);
    await until(async () => (await runs.request({ kind: 'verify' }, 'operator:opr_1')) !== undefined, WITHIN);
  });
});
