import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { Sealer } from '#base/sealing';
import { parseSettings } from '#base/load-settings';
import type { FirstStepList } from '#desk/first-steps.contract';
import type { SampleRemovalResult } from '#desk/sample.contract';
import { LedgerKey, LedgerKeys } from '#event-store/hash-chain';
import { rebuild } from '#orders/rebuild';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { signIn } from '../../../test/support/operators.js';
import { wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { loadSampleData } from './sample-data.js';

const TIMEOUT_MS = 180_000;
const clock = new SystemClock();

let api: TestApi;
let keys: LedgerKeys;
let own: string;
let bought: string;
let sampleOnly: readonly string[];

const load = () => {
  const sealer = api.app.get(Sealer);
  return loadSampleData(api.databaseUrl, clock, {
    clientId: 'demo',
    variant: 'payment',
    sealer,
    settings: parseSettings({}),
  });
};
const count = async (sql: string): Promise<number> =>
  (await api.pool.query<{ count: number }>(`select count(*)::int as count from ${sql}`)).rows[0]?.count ?? 0;
/** Accounts that removed samples still have something in. */
const BALANCES_OF_SAMPLES = `(select from ledger_entries l, unnest(l.accounts, l.amounts) as entry (account, cents)
  where substr(l.stream, 7) in (select order_id from removed_samples)
  group by account having sum(cents) <> 0) as left_over`;

/** The first steps that are done. The test api has a second client. */
const doneSteps = async (): Promise<string[]> => {
  const { steps } = (await api.staff.get('first-steps')).body as FirstStepList;
  return steps.flatMap(({ id, done }) => (done ? [id] : []));
};
const remove = async () => (await api.staff.send('DELETE', 'sample')).body as SampleRemovalResult;

describe('removed sample data', () => {
  beforeAll(async () => {
    api = await startTestApi();
    keys = new LedgerKeys([new LedgerKey(api.app.get(Sealer).ledgerSecret)]);
    expect((await api.staff.get('sample')).body).toEqual({ present: false, removed_at: null });
    await load();
    sampleOnly = await doneSteps();
    await api.staff.putListing('lst-1');
    own = await api.wholesale.bought(wholesaleBody());
    await api.staff.putListing('sample-1003-1', { event_id: '1003' });
    const body = wholesaleBody();
    const product = { ...body.product, event_id: '1003', listing_id: 'sample-1003-1' };
    bought = await api.wholesale.bought({ ...body, product, ref_id: 'ref-2' });
  }, TIMEOUT_MS);
  afterAll(() => api.close());

  it(
    'is in no list and no count, while own orders, the log and what was bought at samples stay',
    async () => {
      expect((await api.staff.get('sample')).body).toEqual({ present: true, removed_at: null });
      const [orders, events] = [await count('orders'), await count('events')];
      const removed = await remove();
      expect(removed.orders).toBe(orders - 2);
      expect(removed.listings).toBeGreaterThan(500);
      expect(removed.events).toBeGreaterThan(250);
      const { body } = await api.staff.get('orders?stage=all');
      expect((body as { orders: { id: string }[] }).orders.map(({ id }) => id).toSorted()).toEqual(
        [own, bought].toSorted(),
      );
      expect(await count('events')).toBe(events + removed.orders);
      expect((await api.staff.get('listings/lst-1')).status).toBe(200);
      expect((await api.staff.get('listings/sample-1003-1')).body).toMatchObject({ state: 'withdrawn' });
      expect((await api.staff.get('listings/demo-payment-1')).status).toBe(404);
      expect(await count(`discovery_events where id <> 1003`)).toBe(0);
      expect(await count(`pings where state = 'parked'`)).toBe(0);
      expect(await count(BALANCES_OF_SAMPLES)).toBe(0);
      const { body: state } = await api.staff.get('sample');
      expect(state).toEqual({ present: false, removed_at: expect.any(String) as string });
      const { rows } = await api.pool.query(`select action from audit_log where action = 'sample.removed'`);
      expect(rows).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it('counts for no first step, unlike what is made by people', async () => {
    expect(sampleOnly).toEqual(['platform']);
    await signIn(api, ['support']);
    expect(await doneSteps()).toEqual(['listing', 'purchase', 'platform']);
    await signIn(api, ['viewer']);
    expect(await doneSteps()).toEqual(['listing', 'purchase', 'colleague', 'platform']);
  });

  it('goes once, and does not come back with the next start', async () => {
    expect(await remove()).toEqual({ orders: 0, listings: 0, events: 0 });
    expect(await load()).toEqual({ events: 0, listings: 0 });
    expect(await count('orders')).toBe(2);
  });

  it(
    'agrees with the log, and is not rebuilt from it',
    async () => {
      expect(await verify(api.pool, { keys })).toMatchObject({ found: {}, differences: [] });
      await rebuild(api.pool, 'orders');
      expect(await count('orders')).toBe(2);
    },
    TIMEOUT_MS,
  );

  it('takes an order away only if it was a sample, whoever asks', async () => {
    const refused = api.pool.query('insert into removed_samples values ($1, now())', [own]);
    await expect(refused).rejects.toThrow('is no sample');
    const operations = await signIn(api, ['operations']);
    expect((await operations.send('DELETE', 'sample')).status).toBe(403);
  });
});
