import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WHOLESALE, Platform } from '../support/callers.js';
import { wholesaleBody } from '../support/purchase-bodies.js';
import { Load } from '../support/stand/load.js';
import { holdLock, countWaiting } from '../support/postgres/locks.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

let stand: Stand;
let load: Load;

beforeAll(async () => {
  stand = await Stand.start();
});

afterAll(() => stand.close());

beforeEach(async () => {
  load = await Load.start({ apis: stand.apiUrls });
  await load.goesOn();
});

it('a killed api loses nothing that it has acknowledged, and the other one continues', async () => {
  await stand.api(1).kill();
  await load.isCut();
  await load.goesOn();
  await stand.api(1).start();
  await load.goesOn();
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
});

it('an api that is told to stop answers its current requests, and then ends', async () => {
  const api = stand.api(1);
  await stand.staff.putListing('held', { quantity: 100 });
  const release = await holdLock(stand.pool, "select from listings where id = 'held' for update");
  // Two, because half of the api's five connections may wait for one listing.
  const inHand = ['a', 'b'].map((ref) => new Platform(api.url, WHOLESALE).buy(bodyFor(ref)));
  await until(async () => (await countWaiting(stand.pool, 'willcall api')) === inHand.length);
  const ended = api.terminate();
  await until(() =>
    fetch(api.url).then(
      () => false,
      () => true,
    ),
  );
  await release();
  for (const answer of await Promise.all(inHand)) {
    expect(answer.status).toBe(201);
    expect((await stand.wholesale.read((answer.body as { id: string }).id)).body).toEqual(answer.body);
  }
  await ended;
  await load.goesOn();
  await api.start();
  await load.goesOn();
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
  // A request without an answer had no effect.
  expect(await cutAndThere()).toEqual([]);
});

it('api and worker end by themselves when their parent process is gone', async () => {
  await load.stop();
  await Promise.all([stand.api(1).abandon(), stand.worker().abandon()]);
  await Promise.all([stand.api(1).start(), stand.worker().start()]);
  expect(await violationsAfter(load, stand)).toEqual([]);
});

function bodyFor(ref: string) {
  const body = wholesaleBody();
  return { ...body, ref_id: `held-${ref}`, product: { ...body.product, listing_id: 'held' } };
}

async function cutAndThere(): Promise<string[]> {
  const { rows } = await stand.pool.query<{ ref_id: string }>('select ref_id from orders where ref_id = any ($1)', [
    load.cut.map(({ refId }) => refId),
  ]);
  return rows.map(({ ref_id }) => ref_id);
}
