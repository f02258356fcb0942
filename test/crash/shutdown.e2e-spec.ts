import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { authorization, PAYMENT, Platform, WHOLESALE } from '../support/callers.js';
import { freeze } from '../support/frozen.js';
import { wholesaleBody } from '../support/purchase-bodies.js';
import type { Service } from '../support/stand/service.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

const GRACE_MS = 1_500;
const ENDS_WITHIN_MS = GRACE_MS + 2_000;

describe('a rolling restart under load', () => {
  const LISTING = '/checkout/v1/listings/lst-1';
  const PURCHASES = '/checkout/v1/purchases';
  // Several, because purchases of one listing wait for each other, for a limited time.
  const LISTINGS = ['lst-1', 'lst-2', 'lst-3', 'lst-4'];
  const CLIENTS = 12;
  const RESTARTS = 4;
  const PURCHASE_EVERY = 5;
  // What counts is the number of connections that an api has when it stops, so each client may pause between its requests.
  const PAUSE_MS = 60;

  let stand: Stand;
  let bought = 0;
  let answered = 0;
  const errors: string[] = [];

  beforeAll(async () => {
    stand = await Stand.start({ database: 'shared', workers: 0, settings: { SHUTDOWN_GRACE_MS: '10000' } });
    for (const id of LISTINGS) await stand.staff.putListing(id, { quantity: 100_000 });
  });

  afterAll(() => stand.close());

  it('resets no request on any keep-alive connection', async () => {
    const load = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_, client) => send(client, load.signal));
    for (let turn = 0; turn < RESTARTS; turn += 1) {
      const api = stand.api(turn % 2);
      const before = answered;
      await api.terminate();
      await api.start();
      await until(() => answered > before + 10 * CLIENTS);
    }
    load.abort();
    await Promise.all(clients);
    expect(errors).toEqual([]);
    expect(answered).toBeGreaterThan(RESTARTS * 10 * CLIENTS);
    const { rows } = await stand.pool.query('select count(*)::int as orders from orders');
    expect(rows).toEqual([{ orders: bought }]);
  });

  /** Each client has a connection pool. Like a load balancer, it skips an api that refuses a connection. */
  async function send(client: number, stopped: AbortSignal): Promise<void> {
    const agent = new Agent({ keepAlive: true });
    for (let turn = client; !stopped.aborted; turn += 1) {
      const isPurchase = turn % PURCHASE_EVERY === 0;
      const body = isPurchase
        ? JSON.stringify(bodyOf(`rolling-${client}-${turn}`, LISTINGS[client % LISTINGS.length]))
        : undefined;
      const outcome = await attempt(agent, turn, body);
      answered += 1;
      if (outcome === 201) bought += 1;
      if (outcome !== (isPurchase ? 201 : 200))
        errors.push(`${isPurchase ? 'purchase' : 'lookup'}: ${String(outcome)}`);
      await sleep(PAUSE_MS);
    }
    agent.destroy();
  }

  async function attempt(agent: Agent, turn: number, body: string | undefined): Promise<unknown> {
    let outcome: unknown;
    for (const api of [stand.api(turn % 2), stand.api((turn + 1) % 2)]) {
      outcome = await exchange(agent, api.url, body).catch((error: Error & { code?: string }) => error.code);
      if (outcome !== 'ECONNREFUSED') break;
    }
    return outcome;
  }

  function exchange(agent: Agent, url: string, body: string | undefined): Promise<number | undefined> {
    const [method, path, client] = body
      ? (['POST', PURCHASES, WHOLESALE] as const)
      : (['GET', LISTING, PAYMENT] as const);
    const headers = { authorization: authorization(client, method, path, body) };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { agent, method, headers }, (answer) => {
        answer.resume();
        answer.once('error', reject);
        answer.once('end', () => resolve(answer.statusCode));
      });
      sent.once('error', reject);
      sent.end(body);
    });
  }
});

describe.runIf(process.platform === 'linux')('while PostgreSQL is frozen', () => {
  let stand: Stand;
  let thaw: (() => void) | undefined;

  beforeAll(async () => {
    stand = await Stand.start({ apis: 1, settings: { SHUTDOWN_GRACE_MS: `${GRACE_MS}` } });
    await stand.staff.putListing('lst-1', { quantity: 100 });
  });

  afterEach(() => {
    thaw?.();
    thaw = undefined;
  });

  afterAll(() => stand.close());

  it.each<[string, () => Service]>([
    ['api', () => stand.api()],
    ['worker', () => stand.worker()],
  ])('the %s ends within the grace and 2 s', async (_, service) => {
    thaw = freeze(stand.parts.cluster?.pid() ?? 0);
    const inHand = new Platform(stand.api().url, WHOLESALE).buy(bodyOf('in-hand')).catch(() => undefined);
    const began = performance.now();
    await service().terminate();
    expect(performance.now() - began).toBeLessThan(ENDS_WITHIN_MS);
    thaw();
    thaw = undefined;
    await inHand;
    await service().start();
  });
});

function bodyOf(ref: string, listing = 'lst-1') {
  const body = wholesaleBody();
  return { ...body, ref_id: ref, product: { ...body.product, listing_id: listing } };
}
