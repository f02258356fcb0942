import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerPool, startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, codesOf } from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { holding, waiting } from '../../../../test/support/stand/locks.js';
import { until } from '../../../../test/support/until.js';

const POOL_SIZE = 6;
const API = 'willcall api';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ DATABASE_POOL_SIZE: `${POOL_SIZE}` });
  for (const id of ['locked', 'free']) await api.staff.putListing(id, { quantity: 1_000 });
  await api.wholesale.bought(bodyOf('free'));
});
afterAll(() => api.close());

function bodyOf(listingId: string) {
  const body = wholesaleBody();
  return { ...body, ref_id: randomUUID(), product: { ...body.product, listing_id: listingId } };
}

const isUnavailable = ({ status, headers, ...answer }: Answer) =>
  status === 503 && Number(headers.get('retry-after')) > 0 && codesOf(answer)[0] === 50300;

async function orders(): Promise<number> {
  const { rows } = await api.pool.query<{ orders: number }>('select count(*)::int as orders from orders');
  return rows[0]?.orders ?? 0;
}

const endBackends = (which = 'true') =>
  api.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like '${API}%' and ${which}`,
  );

describe('while a listing is locked', () => {
  it('its purchases are refused with 503, others go on, and ready stays 200', async () => {
    const before = await orders();
    const release = await holding(api.pool, "select from listings where id = 'locked' for update");
    try {
      const refused = Array.from({ length: 4 * POOL_SIZE }, () => api.wholesale.buy(bodyOf('locked')));
      await until(async () => (await waiting(api.pool, API)) === POOL_SIZE / 2);
      const began = performance.now();
      await Promise.all(Array.from({ length: 10 }, () => api.wholesale.bought(bodyOf('free'))));
      expect(await waiting(api.pool, API)).toBe(POOL_SIZE / 2);
      expect(performance.now() - began).toBeLessThan(2_500);
      expect((await fetch(`${api.url}/health/ready`)).status).toBe(200);
      const answers = await Promise.all(refused);
      expect(answers.filter((answer) => !isUnavailable(answer))).toEqual([]);
    } finally {
      await release();
    }
    expect(await orders()).toBe(before + 10);
    await api.wholesale.bought(bodyOf('locked'));
  });
});

describe('a database that refuses', () => {
  it('connections: every surface answers 503, and nothing is written', async () => {
    const before = await orders();
    const { rows } = await api.pool.query<{ name: string }>('select current_database() as name');
    // PostgreSQL does not let a session shut its own database.
    const elsewhere = ownerPool(api.databaseUrl.replace(/[^/]*$/, 'postgres'));
    await elsewhere.query(`alter database ${rows[0]?.name} with allow_connections false`);
    try {
      await endBackends();
      const answers = await Promise.all([
        api.wholesale.buy(bodyOf('free')),
        api.wholesale.lookUp('free'),
        api.wholesale.read('ord_unknown'),
        api.staff.get('orders'),
        api.staff.send('DELETE', 'listings/free'),
        api.staff.changeStatus('ord_unknown', 2000),
      ]);
      expect(answers.map(isUnavailable)).toEqual(answers.map(() => true));
      expect((await fetch(`${api.url}/health/ready`)).status).toBe(503);
    } finally {
      await elsewhere.query(`alter database ${rows[0]?.name} with allow_connections true`);
      await elsewhere.end();
    }
    expect((await fetch(`${api.url}/health/ready`)).status).toBe(200);
    expect(await orders()).toBe(before);
  });

  it('writes: a purchase answers 503, a lookup 200', async () => {
    const { rows } = await api.pool.query<{ name: string }>('select current_database() as name');
    await api.pool.query(`alter database ${rows[0]?.name} set default_transaction_read_only = on`);
    try {
      await endBackends();
      expect(isUnavailable(await api.wholesale.buy(bodyOf('free')))).toBe(true);
      expect((await api.wholesale.lookUp('free')).status).toBe(200);
    } finally {
      await api.pool.query(`alter database ${rows[0]?.name} reset default_transaction_read_only`);
      await endBackends();
    }
  });

  it('after a purchase has been received: 500, because the outcome is unknown', async () => {
    const before = await orders();
    const release = await holding(api.pool, 'lock table sandbox_payments');
    const body = cardBody();
    const bought = api.payment.buy({ ...body, product: { ...body.product, listing_id: 'free' } });
    await until(async () => (await waiting(api.pool, API)) === 1);
    await endBackends("wait_event_type = 'Lock'");
    expect((await bought).status).toBe(500);
    await release();
    expect(await orders()).toBe(before + 1);
  });
});
