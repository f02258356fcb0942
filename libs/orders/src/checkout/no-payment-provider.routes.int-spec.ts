import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

const PURCHASES = '/checkout/v1/purchases';

let api: TestApi;
beforeAll(async () => {
  // As unset.
  api = await startTestApi({ PAYMENT_PROVIDER: '' });
  await api.staff.putListing('lst-1');
});
afterAll(() => api.close());

describe('without a payment provider', () => {
  it('a client of the payment variant can buy nothing, and is shown nothing to buy', async () => {
    const before = await tableState(api.pool);
    for (const answer of [await api.payment.send('POST', PURCHASES, cardBody()), await api.payment.lookUp('lst-1')]) {
      expect([answer.status, codesOf(answer), answer.headers.get('retry-after')]).toEqual([503, [50300], '60']);
      expect(answer.text).toContain('no payment provider is configured');
    }
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
    expect(api.log.filter((line) => line.includes('PAYMENT_PROVIDER is unset'))).toHaveLength(1);
    expect(api.log.join('\n')).not.toContain('4111111111111111');
  });

  it('it still has to sign, and reads purchases', async () => {
    const stranger = await fetch(`${api.url}${PURCHASES}`, { method: 'POST', body: '{}' });
    expect(stranger.status).toBe(401);
    expect(codesOf(await api.payment.send('GET', `${PURCHASES}/unknown`))).toEqual([40040]);
  });

  it('a client of the wholesale variant buys', async () => {
    expect((await api.wholesale.lookUp('lst-1')).status).toBe(200);
    expect((await api.wholesale.send('POST', PURCHASES, wholesaleBody())).status).toBe(201);
  });
});
