import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { PingQueue } from '#outbound/pings/ping-queue';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { redisAvailable, startRedis, type TestRedis } from '../../../../test/support/redis.js';
import { until } from '../../../../test/support/until.js';

let api: TestApi;
let redis: TestRedis | undefined;
beforeAll(async () => {
  if (redisAvailable) redis = await startRedis();
  api = await startTestApi();
});
afterAll(async () => {
  await api.close();
  await redis?.stop();
});

const staff = { authorization: `Bearer ${STAFF_TOKEN}` };
const get = (path: string, headers: Record<string, string> = staff, { url } = api) =>
  call(`${url}${path}`, 'GET', undefined, headers);

const JOBS = '/queues/api/queues?activeQueue=pings&status=delayed&page=1';

async function delayedJobs(of: TestApi): Promise<number | undefined> {
  await of.app.get(PingQueue).add([{ id: 'job-1', data: { orderId: 'ord_1' }, delayMs: 60_000 }]);
  const { body } = await get(JOBS, staff, of);
  const { queues } = body as { queues: { counts: { delayed: number } }[] };
  return queues[0]?.counts.delayed;
}

describe('the board of the job queues', () => {
  it('shows the queues with their jobs', async () => {
    const page = await get('/queues');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain(
      `script-src ${api.url}/shop/queues/ ${PUBLIC_URL}/queues/;`,
    );
    const [, script = ''] = /src="(static\/js\/main[^"]+)"/.exec(page.text) ?? [];
    expect((await get(`/queues/${script}`)).status).toBe(200);
    const { queues } = (await get(JOBS)).body as { queues: { name: string; readOnlyMode: boolean }[] };
    expect(queues.map(({ name }) => name)).toEqual([
      'pings',
      'webhooks',
      'deadlines',
      'payments',
      'sandbox-reads',
      'mails',
    ]);
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    expect(await delayedJobs(api)).toBe(1);
  });

  it('is for those who may act on delivery', async () => {
    const unknown = await get('/queues', {});
    expect([unknown.status, codesOf(unknown)]).toEqual([401, [40100]]);
    const { cookie: support } = await signIn(api, ['support']);
    for (const path of ['/queues', '/queues/api/queues', '/queues/static/js/main.js']) {
      const refused = await get(path, { cookie: support });
      expect([refused.status, codesOf(refused)], path).toEqual([403, [40300]]);
    }
    const { cookie: broker } = await signIn(api, ['broker', 'broker'], ['Front Row']);
    expect((await get('/queues', { cookie: broker })).status).toBe(403);
    const { cookie: operations } = await signIn(api, ['operations']);
    expect((await get('/queues', { cookie: operations })).status).toBe(200);
  });

  it('changes nothing', async () => {
    for (const [method, path] of [
      ['PUT', '/queues/api/queues/pings/pause'],
      ['PUT', '/queues/api/queues/pings/clean/delayed'],
      ['POST', '/queues/api/queues/pings/add'],
    ] as const) {
      expect((await call(`${api.url}${path}`, method, {}, staff)).status, path).toBe(404);
    }
  });

  it.skipIf(!redisAvailable)('shows queues in Redis too, also after Redis was away at the first look', async () => {
    const onRedis = await startTestApi({ REDIS_URL: redis?.url });
    try {
      await redis?.kill();
      expect((await get('/queues', staff, onRedis)).status).toBe(503);
      await redis?.restart();
      await until(async () => (await get('/queues', staff, onRedis)).status === 200);
      expect(await delayedJobs(onRedis)).toBe(1);
    } finally {
      await onRedis.close();
    }
  });
});
