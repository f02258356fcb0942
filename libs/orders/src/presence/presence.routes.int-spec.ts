import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { DatabaseClock } from '#database/database-clock';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';
import type { OrderPresence } from '../presence.contract.js';
import { OrderPresences } from './order-presences.js';

let api: TestApi;
let orderId: string;
let ada: SignedIn;
let grace: SignedIn;
let broker: SignedIn;
let colleague: SignedIn;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100, seller: 'Front Row' });
  orderId = await api.payment.bought(cardBody());
  ada = await signIn(api, ['support']);
  grace = await signIn(api, ['viewer']);
  broker = await signIn(api, ['broker'], ['Front Row']);
  colleague = await signIn(api, ['broker'], ['Front Row', 'Back Row']);
});
afterAll(() => api.close());
afterEach(async () => {
  vi.restoreAllMocks();
  await api.pool.query('delete from order_presence');
});

const look = async (who: Pick<SignedIn, 'get'>) => (await who.get(`orders/${orderId}/presence`)).body as OrderPresence;
const named = ({ id, name }: SignedIn) => ({ operator_id: id, name });

it('tells each who else has the order open, in the order in which they came', async () => {
  expect(await look(ada)).toEqual({ people: [], unnamed_staff: 0 });
  expect(await look(grace)).toEqual({ people: [named(ada)], unnamed_staff: 0 });
  expect(await look(ada)).toEqual({ people: [named(grace)], unnamed_staff: 0 });
  expect(await look(broker)).toEqual({ people: [], unnamed_staff: 2 });
  expect(await look(colleague)).toEqual({ people: [named(broker)], unnamed_staff: 2 });
  expect((await look(ada)).people.map(({ name }) => name)).toEqual([grace.name, broker.name, colleague.name]);
});

it('shows a program who is there, and does not note it', async () => {
  await look(ada);
  expect(await look(api.staff)).toEqual({ people: [named(ada)], unnamed_staff: 0 });
  expect(await look(grace)).toEqual({ people: [named(ada)], unnamed_staff: 0 });
});

it('is not for brokers of another seller, nor for orders that do not exist', async () => {
  const stranger = await signIn(api, ['broker'], ['Back Row']);
  expect(codesOf(await stranger.get(`orders/${orderId}/presence`))).toEqual([40400]);
  expect(codesOf(await ada.get('orders/ord_unknown/presence'))).toEqual([40400]);
});

it('ends half a minute after the last question, and leaves nothing behind', async () => {
  const clock = api.app.get(DatabaseClock);
  const start = clock.now();
  const now = vi.spyOn(clock, 'now').mockReturnValue(start);
  await look(ada);
  now.mockReturnValue(start + 29_000);
  expect((await look(grace)).people).toEqual([named(ada)]);
  now.mockReturnValue(start + 31_000);
  expect((await look(grace)).people).toEqual([]);
  // Whoever comes back comes anew, and stands behind those who stayed.
  await look(ada);
  await look(broker);
  const { rows } = await api.pool.query<{ operator_id: string }>(
    'select operator_id from order_presence order by since',
  );
  expect(rows.map(({ operator_id: id }) => id)).toEqual([grace.id, ada.id, broker.id]);
  now.mockReturnValue(start + 100_000);
  await api.app.get(OrderPresences).prune();
  expect((await api.pool.query('select from order_presence')).rowCount).toBe(0);
});

it('stands in no log', async () => {
  const logged = async () => (await api.pool.query('select from audit_log')).rowCount;
  const before = await logged();
  await look(ada);
  await until(async () => (await api.pool.query('select from recorded_requests')).rowCount !== 0);
  expect(await logged()).toBe(before);
  const { rows } = await api.pool.query(`select path from recorded_requests where path like '%/presence'`);
  expect(rows).toEqual([]);
});
