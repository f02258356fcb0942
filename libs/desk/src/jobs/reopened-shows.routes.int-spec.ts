import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseClock } from '#database/database-clock';
import { createPool } from '#database/pool';
import { JobNotes } from './job-notes.js';
import { JobStart } from './job-start.js';
import { Jobs } from './jobs.js';
import { Ids } from '#base/ids';
import { applicationUrl } from '../../../../test/support/database.js';
import { JobStand } from '../../../../test/support/orders/job-stand.js';
import { dyingPool } from '../../../../test/support/postgres/dying-pool.js';
import { countWaiting, holdLock } from '../../../../test/support/postgres/locks.js';
import { until } from '../../../../test/support/until.js';

let stand: JobStand;
beforeAll(async () => {
  stand = await JobStand.start();
});
afterAll(() => stand.api.close());
beforeEach(() => stand.nextShow());

const isClosed = async (showId: string) =>
  ((await stand.api.pool.query('select from cancelled_events where event_id = $1', [showId])).rowCount ?? 0) > 0;

describe('a cancelled show', () => {
  it('can be offered again after its run was cancelled', async () => {
    await stand.bought(1);
    const { id } = await stand.begin({ kind: 'cancel_event', event_id: stand.show });
    await stand.api.staff.send('POST', `jobs/${id}/cancel`);
    await stand.runner().step();
    await stand.api.staff.putListing(`${stand.show}-now`, { event_id: stand.show, quantity: 4 });
    expect(await stand.bought(1)).toHaveLength(1);
  });

  it('can be offered again exactly if its run was cancelled, wherever the process dies', async () => {
    const pool = createPool({
      databaseUrl: applicationUrl(stand.api.databaseUrl),
      max: 2,
      applicationName: 'test',
      onError: () => undefined,
    });
    await stand.bought(1);
    const { id } = await stand.begin({ kind: 'cancel_event', event_id: stand.show });
    const { app } = stand.api;
    let at = 0;
    for (let isCancelled = false; !isCancelled;) {
      at += 1;
      const dying = dyingPool(pool, at, 'request');
      const jobs = new Jobs(dying.pool, app.get(DatabaseClock), app.get(Ids), app.get(JobNotes), app.get(JobStart));
      await jobs.cancel(id).catch(() => undefined);
      isCancelled = (await stand.job(id)).state === 'cancelled';
      expect([at, await isClosed(stand.show)]).toEqual([at, !isCancelled]);
    }
    expect(at).toBeGreaterThan(3);
    await pool.end();
  });

  it('stays closed until the last of its runs was cancelled, also if that happens at the same time', async () => {
    await stand.bought(1);
    const begin = async () => (await stand.begin({ kind: 'cancel_event', event_id: stand.show })).id;
    const cancel = (id: string) => stand.api.staff.send('POST', `jobs/${id}/cancel`);
    const [first, second, third] = [await begin(), await begin(), await begin()];
    await cancel(first);
    expect(await isClosed(stand.show)).toBe(true);
    const lock = await holdLock(stand.api.pool, 'select pg_advisory_xact_lock(8812731905421)');
    const both = Promise.all([cancel(second), cancel(third)]);
    await until(async () => (await countWaiting(stand.api.pool, 'willcall api')) === 2);
    await lock();
    await both;
    expect(await isClosed(stand.show)).toBe(false);
  });

  it('stays closed if a run was cancelled after another one had ended', async () => {
    await stand.run({ kind: 'cancel_event', event_id: stand.show });
    await stand.bought(0);
    const done = await stand.begin({ kind: 'cancel_event', event_id: stand.show });
    expect(done).toMatchObject({ state: 'done' });
    await stand.api.staff.send('POST', `jobs/${done.id}/cancel`);
    expect(await isClosed(stand.show)).toBe(true);
  });
});
