import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { WHOLESALE, Platform } from '../support/callers.js';
import { holdLock, countWaiting } from '../support/postgres/locks.js';
import { wholesaleBody } from '../support/purchase-bodies.js';
import { Load } from '../support/stand/load.js';
import type { Arrival, PingResponse } from '../support/stand/platform-double.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

let stand: Stand;
let load: Load;

beforeAll(async () => {
  // A ping that times out on a busy machine is sent twice, which these tests would count.
  stand = await Stand.start({ database: 'shared', settings: { PING_TIMEOUT_MS: '5000' } });
});

afterAll(() => stand.close());

beforeEach(async () => {
  stand.platform.respond = () => ({});
  load = await Load.start({ apis: stand.apiUrls });
  await load.waitForPurchases();
});

// The load of a test that failed would keep the next test from settling.
afterEach(() => load.stop());

async function expectNoViolations(): Promise<void> {
  await load.waitForPurchases();
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
}

/** Kills the worker during the next ping of another order than `except`, and starts it again. Returns that ping. */
async function killWorkerDuring(reply: PingResponse, except?: Arrival): Promise<Arrival> {
  let fatal: Arrival | undefined;
  stand.platform.respond = (ping) => {
    if (fatal || ping.orderId === except?.orderId) return {};
    fatal = ping;
    return reply;
  };
  const ping = await until(() => !stand.worker().running && fatal);
  await load.waitForPurchases();
  await stand.worker().start();
  await load.waitForPurchases();
  return ping;
}

/** The arrivals for the same status after this one. */
function sentAgain({ number, orderId, transactionId }: Arrival): Arrival[] {
  return stand.platform.of(orderId).filter((ping) => ping.transactionId === transactionId && ping.number > number);
}

it('a ping during which the worker is killed is sent again, also if it was answered but not recorded', async () => {
  const worker = stand.worker();
  const cut = await killWorkerDuring({ hangUp: true, before: () => worker.kill() });
  // The worker is frozen before the answer is sent, so it never sees it.
  const freeze = { before: () => worker.signal('SIGSTOP'), after: () => worker.signal('SIGKILL') };
  const answered = await killWorkerDuring(freeze, cut);
  await expectNoViolations();
  expect(cut.delivered).toBeUndefined();
  expect(sentAgain(cut)).toHaveLength(1);
  expect(answered.delivered).toBeDefined();
  expect(sentAgain(answered)).toHaveLength(1);
});

it('nothing is lost when everything is killed at once', async () => {
  const { apis, workers } = stand.parts;
  await Promise.all([...apis, ...workers].map((service) => service.kill()));
  await load.waitForCuts();
  await Promise.all([...apis, ...workers].map((service) => service.start()));
  await expectNoViolations();
});

it('a worker that is told to stop finishes its current pings, and none is sent twice', async () => {
  stand.platform.respond = () => ({ afterMs: 200 });
  const before = stand.platform.arrivals.length;
  await load.atFullSpeed(() => until(() => stand.platform.arrivals.length > before + 10));
  const inHand = stand.platform.arrivals.slice(before).filter(({ delivered }) => delivered === undefined);
  expect(inHand).not.toEqual([]);
  await stand.worker().terminate();
  for (const ping of inHand) expect(ping.delivered).toBeDefined();
  await load.waitForPurchases();
  await stand.worker().start();
  await expectNoViolations();
  expect(deliveredTwice()).toEqual([]);
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
  await load.waitForPurchases();
  await api.start();
  await expectNoViolations();
  // A request without an answer had no effect.
  expect(await cutAndThere()).toEqual([]);
});

it('api and worker end by themselves when their parent process is gone', async () => {
  await load.stop();
  await Promise.all([stand.api(1).abandon(), stand.worker().abandon()]);
  await Promise.all([stand.api(1).start(), stand.worker().start()]);
  expect(await violationsAfter(load, stand)).toEqual([]);
});

function deliveredTwice(): string[] {
  const own = stand.platform.arrivals.filter(({ refId }) => refId?.startsWith(load.prefix));
  const transactions = own.filter(({ delivered }) => delivered !== undefined).map((ping) => ping.transactionId);
  return transactions.filter((transaction, index) => transactions.indexOf(transaction) !== index);
}

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
