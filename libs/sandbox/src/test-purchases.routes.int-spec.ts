import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '#base/free-port';
import type { OrderDetail } from '#orders/order.contract';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../test/support/callers.js';
import { signIn } from '../../../test/support/operators.js';

let api: TestApi;
beforeAll(async () => {
  const port = String(await freePort());
  // It calls itself, so it must know its address.
  api = await startTestApi({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
});
afterAll(() => api.close());
beforeEach(() => api.pool.query('update listings set withdrawn_at = now()'));

const buy = () => api.staff.send('POST', 'test-purchases');
const bought = async () => {
  const answer = await buy();
  expect(answer.status, answer.text).toBe(201);
  return (await api.staff.get(`orders/${(answer.body as { id: string }).id}`)).body as OrderDetail;
};

describe('a test ticket', () => {
  it('is bought as the platform buys, from a listing of your own', async () => {
    await api.staff.putListing('own', { quantity: 5, split_rule: 'any' });
    await api.staff.putListing('sample-5512-1', { quantity: 5 });
    const { id, product, status, client_id } = await bought();
    expect({ product, status, client_id }).toMatchObject({
      product: { listing_id: 'own', quantity: 1 },
      status: { status_code: 2000 },
      client_id: api.payment.client.clientId,
    });
    const { rows } = await api.pool.query(`select action, subject from audit_log where action = 'test_ticket.bought'`);
    expect(rows).toEqual([{ action: 'test_ticket.bought', subject: `order:${id}` }]);
  });

  it('is of a sample where nothing else is on sale, and as few as the seller sells', async () => {
    await api.staff.putListing('sample-5512-1', { quantity: 4, split_rule: 'pairs' });
    expect((await bought()).product).toMatchObject({ listing_id: 'sample-5512-1', quantity: 2 });
  });

  it('is not bought where nothing is on sale, and the answer says so', async () => {
    const answer = await buy();
    expect([codesOf(answer), messagesOf(answer)[0]]).toEqual([
      [40901],
      expect.stringContaining('No listing is on sale.'),
    ]);
  });

  it('is for administrators', async () => {
    const support = await signIn(api, ['support']);
    expect((await support.send('POST', 'test-purchases')).status).toBe(403);
  });
});

it('without the built-in platform nobody buys one', async () => {
  const other = await startTestApi({ SANDBOX: 'false', PLATFORM_URL: 'https://platform.example' });
  expect((await other.staff.send('POST', 'test-purchases')).status).toBe(404);
  await other.close();
});

it('a back office that stands alone asks the checkout at its address', async () => {
  const alone = await startTestApi({ SURFACES: 'backoffice', PUBLIC_URL: 'http://127.0.0.1:1' });
  await alone.staff.putListing('own');
  const answer = await alone.staff.send('POST', 'test-purchases');
  expect([codesOf(answer), messagesOf(answer)[0]]).toEqual([[40901], expect.stringContaining('did not answer')]);
  await alone.close();
});
