import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../support/callers.js';
import { redisAvailable } from '../support/redis.js';
import { Load } from '../support/stand/load.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';
import { WebhookDouble } from '../support/webhooks/webhook-double.js';

// From the silence to the next success: 5 to 10 s, and twice that on a slow machine. The system's own time-out is 15 minutes.
const WITHIN_S = 30;

const backends = [
  { queues: 'postgres', skip: false },
  { queues: 'redis', skip: !redisAvailable },
] as const;

describe.each(backends)('with BullMQ on $queues, connections that go silent', ({ queues, skip }) => {
  describe.skipIf(skip)(`cost at most ${WITHIN_S} s`, () => {
    let stand: Stand;
    let load: Load;
    let receiver: WebhookDouble;

    beforeAll(async () => {
      const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' };
      stand = await Stand.start({ database: 'shared', queues, apis: 1, workers: 2, proxied: true, settings });
      receiver = await WebhookDouble.start();
      expect((await stand.staff.send('POST', 'webhooks', { url: receiver.url })).status).toBe(201);
    });

    afterAll(async () => {
      await stand.close();
      await receiver.stop();
    });

    beforeEach(async () => {
      load = await Load.start({ apis: stand.apiUrls });
      await load.waitForPurchases();
      await load.atFullSpeed(() => until(() => pinged() > 10 && receiver.received.length > 10));
    });

    const pinged = () => stand.platform.arrivals.filter(({ refId }) => refId?.startsWith(load.prefix)).length;
    const live = async () => (await call(`${stand.api().url}/health/live`, 'GET', undefined, {})).status;

    /** Seconds until purchases are acknowledged and pings and webhooks arrive again. */
    async function recovery(): Promise<{ purchase: number; ping: number; webhook: number }> {
      const begun = performance.now();
      const seconds = () => (performance.now() - begun) / 1_000;
      // Requests from before the silence may still be answered.
      const [sold, sent, told] = [load.acknowledged + 8, pinged() + 20, receiver.received.length + 20];
      const [purchase, ping, webhook] = await Promise.all([
        until(() => load.acknowledged > sold && seconds(), { withinMs: 90_000 }),
        until(() => pinged() > sent && seconds(), { withinMs: 90_000 }),
        // Webhooks need the feed, so this shows that its leader was replaced too.
        until(() => receiver.received.length > told && seconds(), { withinMs: 90_000 }),
      ]);
      return { purchase, ping, webhook };
    }

    async function expectNoViolations(): Promise<void> {
      const seen = await load.atFullSpeed(recovery);
      process.stdout.write(`seconds from the silence to the next success: ${JSON.stringify(seen)}\n`);
      for (const seconds of Object.values(seen)) expect(seconds).toBeLessThan(WITHIN_S);
      expect(await live()).toBe(200);
      await load.stop();
      expect(await violationsAfter(load, stand)).toEqual([]);
    }

    it('to PostgreSQL', async () => {
      expect(stand.parts.proxies?.postgres.silence()).toBeGreaterThan(10);
      await expectNoViolations();
    });

    it.skipIf(queues === 'postgres')('to Redis', async () => {
      expect(stand.parts.proxies?.redis?.silence()).toBeGreaterThan(5);
      await expectNoViolations();
    });
  });
});
