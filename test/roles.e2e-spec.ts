import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, Platform, Staff, WHOLESALE } from './support/callers.js';
import { wholesaleBody } from './support/purchase-bodies.js';
import type { Service } from './support/stand/service.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

let stand: Stand;
let checkout: Service;
let backoffice: Service;
let feed: Service;
let pings: Service;

beforeAll(async () => {
  stand = await Stand.start({ database: 'shared', apis: 0, workers: 0 });
  [checkout, backoffice] = await Promise.all([
    stand.addApi('checkout', { SURFACES: 'checkout' }),
    stand.addApi('backoffice', { SURFACES: 'backoffice' }),
  ]);
  [feed, pings] = await Promise.all([
    stand.addWorker('feed', { TASKS: 'feed' }),
    stand.addWorker('pings', { TASKS: 'pings' }),
  ]);
}, 120_000);
afterAll(() => stand.close());

/** The tasks of a worker, by its metrics. */
async function tasksOf({ url }: Service): Promise<string[]> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const names = metrics.matchAll(/^willcall_task_runs_total\{task="([^"]+)"/gm);
  return [...new Set(Array.from(names, ([, name = '']) => name))];
}

describe('an installation with processes of different roles', () => {
  it('sells a ticket in one api and pings it from one worker, while another worker leads the feed', async () => {
    await new Staff(backoffice.url).putListing('lst-1', { quantity: 10 });
    const platform = new Platform(checkout.url, WHOLESALE);
    const id = await platform.bought(wholesaleBody());
    const [ping] = await until(() => stand.platform.of(id).length > 0 && stand.platform.of(id));
    expect(ping).toMatchObject({ signed: true });
    expect((await platform.read(id)).status).toBe(200);
  });

  it('runs in each worker the tasks of its groups, and says so', async () => {
    expect((await tasksOf(feed)).toSorted()).toEqual([
      'feed leader',
      'ping stream',
      'running groups',
      'status catalogue',
    ]);
    expect((await tasksOf(pings)).toSorted()).toEqual([
      'ping schedule',
      'ping sweep',
      'pings',
      'running groups',
      'status catalogue',
    ]);
    expect(feed.log()).toContain('other workers must run the groups that TASKS leaves out here: pings, webhooks');
  });

  it('answers 404 where a process does not have the surface', async () => {
    const orders = await call(`${checkout.url}/backoffice/v1/orders`, 'GET');
    expect(orders).toMatchObject({ status: 404, body: { errors: [{ code: 40400 }] } });
    const events = await call(`${backoffice.url}/2/events`, 'GET');
    expect(events).toMatchObject({ status: 404, body: { status: 404, meta: { status: 404 } } });
    expect((await fetch(`${checkout.url}/health/ready`)).status).toBe(200);
  });
});
