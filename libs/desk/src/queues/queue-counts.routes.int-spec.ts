import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Queue, QueueList, QueuePage } from '../queue.contract.js';
import { DatabaseClock } from '#database/database-clock';
import { fillWorkItems } from '../work-item-filling.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;
let clock: DatabaseClock;
let own: string;

beforeAll(async () => {
  api = await startTestApi();
  clock = api.app.get(DatabaseClock);
  await api.staff.putListing('front', { seller: 'Front Row' });
  await api.staff.putListing('plain');
  own = await bought('front');
  await bought('plain');
  await fillWorkItems(api.pool, clock);
});
afterAll(() => api.close());

const bought = (listing: string) => {
  const body = cardBody();
  return api.payment.bought({ ...body, ref_id: listing, product: { ...body.product, listing_id: listing } });
};

async function toShip(reader: Pick<SignedIn, 'get'>): Promise<Queue | undefined> {
  const { body } = await reader.get('queues');
  return (body as QueueList).queues.find(({ id }) => id === 'to_ship');
}

describe('the counts of the queues', () => {
  // However long the requests of a test take here.
  beforeEach(() => void vi.spyOn(clock, 'monotonic').mockReturnValue(clock.monotonic()));
  afterEach(() => void vi.restoreAllMocks());

  it('are read once for all who ask together and may see the same', async () => {
    const broker = await signIn(api, ['broker'], ['Front Row']);
    const statements = vi.spyOn(api.app.get(Pool), 'query');
    const readers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? api.staff : broker));
    const counts = await Promise.all(readers.map(toShip));
    expect(counts.map((queue) => queue?.count)).toEqual(readers.map((reader) => (reader === broker ? 1 : 2)));
    const reads = statements.mock.calls.filter(([query]) => (query as { name?: string }).name === 'queue-counts');
    expect(reads).toHaveLength(2);
  });

  it('include a snooze as soon as it is made', async () => {
    expect(await toShip(api.staff)).toMatchObject({ count: 2, snoozed: 0 });
    await api.staff.send('PUT', `orders/${own}/snooze`, { until: '2099-01-01' });
    expect(await toShip(api.staff)).toMatchObject({ count: 1, snoozed: 1 });
  });
});

it('the notes of an order are counted for whoever may read them', async () => {
  const broker = await signIn(api, ['broker'], ['Front Row']);
  await api.staff.send('PUT', `orders/${own}/snooze`, { until: null });
  const body = { name: 'Own', where: { field: 'id', op: '=', value: own }, due: { field: 'placed_at', minutes: 30 } };
  const { id: custom } = (await api.staff.send('POST', 'queues', body)).body as Queue;
  const notes = async (queue: string, reader: Pick<SignedIn, 'get'> = api.staff) => {
    const { orders } = (await reader.get(`queues/${queue}/orders`)).body as QueuePage;
    return orders.find(({ id }) => id === own)?.notes;
  };
  expect(await notes(custom)).toBe(0);
  await api.staff.send('POST', `orders/${own}/notes`, { text: 'Call back on Monday.' });
  await api.staff.send('POST', `orders/${own}/notes`, { text: 'Please send soon.', visibility: 'partner' });
  expect(await notes(custom)).toBe(2);
  expect([await notes('to_ship'), await notes('to_ship', broker)]).toEqual([2, 1]);
});
