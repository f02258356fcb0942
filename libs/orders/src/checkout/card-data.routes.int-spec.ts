import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { type Answer, call, codesOf } from '../../../../test/support/callers.js';
import { billingAddress, cardBody } from '../../../../test/support/purchase-bodies.js';
import { cardTraces, cvvTraces } from '../../../../test/support/stand/traces.js';
import { everythingStored } from '../../../../test/support/postgres/table-state.js';

const CVV = '0379';
/** Cards with a CVV of four digits, and those of the sandbox. */
const ACCEPTED = { 'payment.data.card_number': '374245455400126', 'payment.data.cvv': CVV };
const MISTYPED = { ...ACCEPTED, 'payment.data.card_number': '374245455400127' };
const DECLINED = { 'payment.data.card_number': '4000000000000002', 'payment.data.cvv': '052' };
const FAILING = { 'payment.data.card_number': '4000000000000119', 'payment.data.cvv': '052' };
const SPACED = { ...ACCEPTED, 'payment.data.card_number': '3742-454554-00126' };

const CARDS = [ACCEPTED, MISTYPED, DECLINED, FAILING];
const SECRETS = [...CARDS.map((card) => cardTraces(card['payment.data.card_number'])), ...[CVV, '052'].map(cvvTraces)];

let api: TestApi;
const answers: Answer[] = [];

beforeAll(async () => {
  api = await startTestApi({ LOG_LEVEL: 'trace' });
  await api.staff.putListing('lst-1', { quantity: 100 });
});
afterAll(() => api.close());

const tracesIn = (text: string) => SECRETS.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);

async function outcome(asked: Promise<Answer>): Promise<(number | number[])[]> {
  const answer = await asked;
  answers.push(answer);
  return [answer.status, codesOf(answer)];
}

const buy = (change: Json) => api.payment.buy(broken(cardBody(), change));
const text = (change: Json) => JSON.stringify(broken(cardBody(), change));

describe('number and CVV of a card', () => {
  it.each<[string, () => Promise<Answer>, number, number[]]>([
    ['accepted', () => buy({ ref_id: 'a', ...ACCEPTED }), 201, []],
    ['accepted with dashes', () => buy({ ref_id: 'b', ...SPACED }), 201, []],
    ['declined', () => buy({ ref_id: 'c', ...DECLINED }), 400, [40016]],
    ['of a provider that fails', () => buy({ ref_id: 'd', ...FAILING }), 500, [50000]],
    ['mistyped', () => buy({ ref_id: 'e', ...MISTYPED }), 400, [40017]],
    ['with another error', () => buy({ ref_id: 'f', ...ACCEPTED, 'payment.data.zip': '' }), 400, [40024]],
    ['with another total', () => buy({ ref_id: 'g', ...ACCEPTED, 'payment.total': 1 }), 400, [40026]],
    ['for a listing that is gone', () => buy({ ...ACCEPTED, 'product.listing_id': 'x' }), 400, [40012]],
    ['sent again', () => buy({ ref_id: 'a', ...ACCEPTED }), 400, [40030]],
    ['as a number', () => buy({ ...ACCEPTED, 'payment.data.card_number': 374245455400126 }), 400, [40017]],
    ['as the CVV', () => buy({ ...ACCEPTED, 'payment.data.cvv': '374245455400126' }), 400, [40035]],
    ['as the type', () => buy({ ...ACCEPTED, 'payment.type': '374245455400126' }), 400, [40001]],
    ['as the country', () => buy({ ...ACCEPTED, 'payment.data.country': '374245455400126' }), 400, [40038]],
    ['in the place of the body', () => api.payment.buy('"374245455400126"'), 400, [40001]],
    ['in a body that is cut off', () => api.payment.buy(text(ACCEPTED).slice(0, -9)), 400, [40000]],
    ['in a body with a bad byte', () => api.payment.buy(Buffer.from(`${text(ACCEPTED)}\xff`, 'latin1')), 400, [40000]],
    ['behind a key of a prototype', () => buy({ ...ACCEPTED, constructor: { prototype: CVV } }), 400, [40000]],
    ['in a body that is too large', () => api.payment.buy(text(ACCEPTED).padEnd(70_000)), 413, [41300]],
    ['encoded', () => api.payment.buy(text(ACCEPTED), { 'content-encoding': 'gzip' }), 415, [41500]],
    ['to import', () => api.staff.send('POST', 'listings/import', text(ACCEPTED)), 415, [41500]],
    ['unsigned', () => call(`${api.url}/checkout/v1/purchases`, 'POST', text(ACCEPTED)), 401, [40100]],
    ['sent to the wrong client', () => api.wholesale.buy(text(ACCEPTED)), 400, [40026]],
    ['sent to the wrong address', () => call(`${api.url}/checkout/v1/purchase`, 'POST', text(ACCEPTED)), 404, [40400]],
    ['sent to the back office', () => api.staff.send('POST', 'pings/send', text(ACCEPTED)), 400, [40001]],
  ])('are not in any answer: %s', async (_what, ask, status, codes) => {
    expect(await outcome(ask())).toEqual([status, codes]);
    const { text: body, headers } = answers.at(-1) ?? { text: '', headers: new Headers() };
    expect(tracesIn(body)).toEqual([]);
    expect(tracesIn(JSON.stringify([...headers]))).toEqual([]);
  });

  it('are in no line of the log and in no row of any table', async () => {
    expect(answers).toHaveLength(24);
    expect(tracesIn(api.log.join('\n'))).toEqual([]);
    const stored = await everythingStored(api.pool);
    expect(tracesIn(stored)).toEqual([]);
    // The data that may be stored is found, so the rest would be found too.
    expect(stored).toContain('"last_four":"0126"');
    expect(api.log.join('\n')).toContain('The payment provider failed.');
  });

  it('would be found', () => {
    expect(tracesIn(text(ACCEPTED))).toEqual(['374245455400126', `CVV ${CVV}`]);
    expect(tracesIn(JSON.stringify({ text: '3742 454554 00126' }))).toEqual(['374245455400126']);
  });

  it('leave only brand, last four digits and expiry in the database', async () => {
    const { body } = await api.staff.get('orders?ref_id=a');
    const [{ id } = { id: '' }] = (body as { orders: { id: string }[] }).orders;
    const { body: order } = await api.staff.get(`orders/${id}`);
    expect((order as { payment: object }).payment).toEqual({
      type: 'creditcard',
      brand: 'american-express',
      last_four: '0126',
      expiry_month: 12,
      expiry_year: 2039,
      state: 'authorised',
      provider: 'sandbox',
      reference: `sandbox_${id}`,
      reason: null,
      currency: 'USD',
      authorised: 254.6,
      captured: 0,
      refunded: 0,
      pending_refunds: 0,
      refundable: 0,
      capture_before: expect.any(String) as string,
      dispute: null,
      billing: billingAddress,
    });
  });
});
