import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/callers.js';
import { Load } from '../support/stand/load.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';
import { willcall } from '../support/stand/service.js';

describe('When the primary dies and its standby is promoted', () => {
  let stand: Stand;
  beforeAll(async () => {
    // A ping that times out on a busy machine is sent twice.
    stand = await Stand.start({ database: 'replicated', settings: { PING_TIMEOUT_MS: '5000' } });
  });
  afterAll(() => stand?.close());

  const isReady = async (url: string) => (await call(`${url}/health/ready`, 'GET')).status === 200;

  it('purchases and pings go on, and nothing is lost', async () => {
    const load = await Load.start({ apis: stand.apiUrls });
    await load.waitForPurchases();
    await stand.parts.replicas?.failOver();
    const { apis, workers } = stand.parts;
    for (const { url } of [...apis, ...workers]) await until(() => isReady(url));
    const before = stand.platform.arrivals.length;
    await load.waitForPurchases();
    await until(() => stand.platform.arrivals.length > before);
    await load.stop();
    expect(await violationsAfter(load, stand)).toEqual([]);
    // The same processes went on.
    expect(stand.dead).toEqual([]);
  });

  it('commands find the new primary', async () => {
    const { code, output } = await willcall(['delivery', 'drift'], stand.environment);
    expect([code, output]).toEqual([0, expect.not.stringContaining('standby')]);
  });
});
