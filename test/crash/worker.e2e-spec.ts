import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Load } from '../support/stand/load.js';
import type { Arrival, Treatment } from '../support/stand/platform-double.js';
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
  stand.platform.treat = () => ({});
  load = await Load.start({ apis: stand.apiUrls });
  await load.goesOn();
});

/** Kills the worker during the next ping, and returns all arrivals for the same status. */
async function workerDiesOver(treatment: Treatment): Promise<Arrival[]> {
  let fatal: Arrival | undefined;
  stand.platform.treat = (ping) => {
    if (fatal) return {};
    fatal = ping;
    return treatment;
  };
  await until(() => fatal && !stand.worker().running);
  await load.goesOn();
  await stand.worker().start();
  await load.goesOn();
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
  const { orderId = '', transactionId } = fatal ?? {};
  return stand.platform.of(orderId).filter((ping) => ping.transactionId === transactionId);
}

it('a ping during which the worker is killed is sent again', async () => {
  const worker = stand.worker();
  const [fatal, ...later] = await workerDiesOver({ hangUp: true, before: () => worker.kill() });
  expect(fatal?.delivered).toBeUndefined();
  expect(later).toHaveLength(1);
});

it('a ping that was answered but not recorded is sent again, before later ones', async () => {
  const worker = stand.worker();
  // The worker is frozen before the answer is sent, so it never sees it.
  const [fatal, ...later] = await workerDiesOver({
    before: () => worker.signal('SIGSTOP'),
    after: () => worker.signal('SIGKILL'),
  });
  expect(fatal?.delivered).toBeDefined();
  expect(later).toHaveLength(1);
});

it('nothing is lost when everything is killed at once', async () => {
  const { apis, workers } = stand.parts;
  await Promise.all([...apis, ...workers].map((service) => service.kill()));
  await load.isCut();
  await Promise.all([...apis, ...workers].map((service) => service.start()));
  await load.goesOn();
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
});

it('a worker that is told to stop finishes its current pings, and none is sent twice', async () => {
  stand.platform.treat = () => ({ afterMs: 200 });
  const before = stand.platform.arrivals.length;
  await until(() => stand.platform.arrivals.length > before + 10);
  const inHand = stand.platform.arrivals.slice(before).filter(({ delivered }) => delivered === undefined);
  expect(inHand).not.toEqual([]);
  await stand.worker().terminate();
  for (const ping of inHand) expect(ping.delivered).toBeDefined();
  await load.goesOn();
  await stand.worker().start();
  await load.goesOn();
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
  expect(deliveredTwice()).toEqual([]);
});

function deliveredTwice(): string[] {
  const own = stand.platform.arrivals.filter(({ refId }) => refId?.startsWith(load.prefix));
  const transactions = own.filter(({ delivered }) => delivered !== undefined).map((ping) => ping.transactionId);
  return transactions.filter((transaction, index) => transactions.indexOf(transaction) !== index);
}
