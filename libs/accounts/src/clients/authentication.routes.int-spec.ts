import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClientRegistry } from '../clients.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import {
  type Answer,
  authorization,
  call,
  codesOf,
  PAYMENT,
  Platform,
  type TestClient,
  WHOLESALE,
} from '../../../../test/support/callers.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { exchange, requestText } from '../../../../test/support/raw-http.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';

const PURCHASES = '/checkout/v1/purchases';
const LISTING = '/checkout/v1/listings/lst-1';

let api: TestApi;
let before: Record<string, string>;
/** The answer to a request without a signature. Every other failure must have the same answer. */
let refusal: Pick<Answer, 'status' | 'text'>;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1');
  const { status, text } = await call(`${api.url}${LISTING}`, 'GET');
  refusal = { status, text };
});
beforeEach(async () => (before = await tableState(api.pool)));
afterAll(() => api.close());

function get(header?: string): Promise<Answer> {
  return call(`${api.url}${LISTING}`, 'GET', undefined, header === undefined ? {} : { authorization: header });
}

function post(body: string | Buffer, header: string): Promise<Answer> {
  return call(`${api.url}${PURCHASES}`, 'POST', body, { authorization: header });
}

async function expectRefusal(answer: Answer): Promise<void> {
  expect({ status: answer.status, text: answer.text }).toEqual(refusal);
  expect(answer.headers.get('www-authenticate')).toBe('XX');
  expect(changedTables(before, await tableState(api.pool))).toEqual([]);
}

describe('a request that the platform did not sign', () => {
  it('gets 401 with the code 40100 and the scheme', async () => {
    const answer = await get();
    expect(answer).toMatchObject({
      status: 401,
      body: { errors: [{ code: 40100, message: 'Authentication failed', user_message: expect.any(String) as string }] },
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    await expectRefusal(answer);
  });

  const right = authorization(PAYMENT, 'GET', LISTING);
  const signature = right.split(':')[1] ?? '';
  it.each([
    ['an empty header', ''],
    ['the scheme alone', 'XX'],
    ['another scheme', right.replace('XX', 'Bearer')],
    ['the scheme in lower case', right.replace('XX', 'xx')],
    ['two spaces', right.replace('XX ', 'XX  ')],
    ['no client id', `XX :${signature}`],
    ['no signature', `XX ${PAYMENT.clientId}:`],
    ['no colon', `XX ${PAYMENT.clientId}${signature}`],
    ['a client that nobody knows', right.replace(PAYMENT.clientId, 'nobody')],
    ["another client's signature", right.replace(PAYMENT.clientId, WHOLESALE.clientId)],
    ['a signature of the right length', `XX ${PAYMENT.clientId}:${Buffer.alloc(20, 1).toString('base64')}`],
    ['a signature that is too short', `XX ${PAYMENT.clientId}:${signature.slice(4)}`],
    ['a signature without padding', right.replace('=', '')],
    ['a signature with something behind it', `${right}, XX a:b`],
    ['one in hexadecimal digits', `XX ${PAYMENT.clientId}:${Buffer.from(signature, 'base64').toString('hex')}`],
    ['one over the method in lower case', authorization(PAYMENT, 'get', LISTING)],
    ['one over another method', authorization(PAYMENT, 'POST', LISTING)],
    ['one over another path', authorization(PAYMENT, 'GET', '/checkout/v1/listings/lst-2')],
    ['one over the path without the base', authorization(PAYMENT, 'GET', '/v1/listings/lst-1')],
    ['one over a body that there is not', authorization(PAYMENT, 'GET', LISTING, '{}')],
    ['another secret', authorization({ ...PAYMENT, secret: WHOLESALE.secret }, 'GET', LISTING)],
  ])('is rejected: %s', async (_what, header) => {
    expect((await get(right)).status).toBe(200);
    await expectRefusal(await get(header));
  });

  it('is rejected if its body differs from the signed one, even if only the serialization differs', async () => {
    const signed = JSON.stringify(cardBody());
    const header = authorization(PAYMENT, 'POST', PURCHASES, signed);
    await expectRefusal(await post(JSON.stringify(cardBody(), null, 1), header));
    await expectRefusal(await post(`${signed}\n`, header));
    await expectRefusal(await post(signed.replace('"quantity":2', '"quantity":3'), header));
    await expectRefusal(await post('', header));
  });

  it('is rejected before its JSON is parsed', async () => {
    for (const body of ['{"product":', Buffer.from([0xff, 0xfe]), 'null', '']) {
      await expectRefusal(await post(body, authorization(PAYMENT, 'POST', PURCHASES, 'else')));
    }
  });

  it('is rejected with two Authorization headers, even if both are valid', async () => {
    const lines = [`GET ${LISTING} HTTP/1.1`, `Authorization: ${right}`];
    expect((await exchange(api.url, requestText(lines)))[0]?.status).toBe(200);
    for (const second of [right, 'XX a:b']) {
      const [answer] = await exchange(api.url, requestText([...lines, `authorization: ${second}`]));
      expect({ status: answer?.status, text: answer?.text }).toEqual(refusal);
    }
  });

  it('is rejected on every route of the checkout service', async () => {
    for (const [method, path] of [
      ['POST', PURCHASES],
      ['GET', `${PURCHASES}/ord_1`],
      ['GET', LISTING],
    ] as const) {
      await expectRefusal(await call(`${api.url}${path}`, method, method === 'POST' ? wholesaleBody() : undefined));
    }
  });
});

describe('a request that the platform signed', () => {
  it('may have a query, which is not part of the signed path', async () => {
    const query = '?event_id=5512&quantity=2';
    expect((await api.payment.send('GET', `${LISTING}${query}`)).status).toBe(200);
    const over = authorization(PAYMENT, 'GET', `${LISTING}${query}`);
    await expectRefusal(await call(`${api.url}${LISTING}${query}`, 'GET', undefined, { authorization: over }));
  });

  it('is verified with the path as sent, not as decoded', async () => {
    await api.staff.putListing('Block A: 12 größe');
    before = await tableState(api.pool);
    const encoded = `/checkout/v1/listings/${encodeURIComponent('Block A: 12 größe')}`;
    const answer = await api.payment.send('GET', encoded);
    expect(answer).toMatchObject({ status: 200, body: { listing_id: 'Block A: 12 größe' } });
    const decoded = authorization(PAYMENT, 'GET', decodeURIComponent(encoded));
    await expectRefusal(await call(`${api.url}${encoded}`, 'GET', undefined, { authorization: decoded }));
    const lowerCase = authorization(PAYMENT, 'GET', encoded.toLowerCase());
    await expectRefusal(await call(`${api.url}${encoded}`, 'GET', undefined, { authorization: lowerCase }));
  });

  it('may have the path of PUBLIC_URL before it, which is then part of the signed path', async () => {
    expect((await api.payment.send('GET', `/shop${LISTING}`)).status).toBe(200);
    const signed = authorization(PAYMENT, 'GET', LISTING, Buffer.alloc(0));
    await expectRefusal(await call(`${api.url}/shop${LISTING}`, 'GET', undefined, { authorization: signed }));
    expect((await api.payment.send('GET', `/shopping${LISTING}`)).status).toBe(404);
  });

  it('may have any serialization of the same JSON', async () => {
    const escaped = ` ${JSON.stringify(cardBody(), null, 2)}\r\n`.replace('"Ada"', '"\\u0041da"');
    expect((await api.payment.buy(escaped)).status).toBe(201);
  });

  it('shows a client only its own purchases', async () => {
    const orderId = await api.wholesale.bought(wholesaleBody());
    expect((await api.wholesale.read(orderId)).status).toBe(200);
    const others = await api.payment.read(orderId);
    expect(others.status).toBe(400);
    expect(codesOf(others)).toEqual([40040]);
    expect(others.text).toBe((await api.payment.read('ord_unknown')).text);
  });
});

describe('another scheme', () => {
  it('is used in every header', async () => {
    const other = await startTestApi({ CHECKOUT_SCHEME: 'Tix' });
    await other.staff.putListing('lst-1');
    const header = authorization(PAYMENT, 'GET', LISTING);
    const ask = (value: string, id = 'tx-7') =>
      call(`${other.url}${LISTING}`, 'GET', undefined, { authorization: value, 'x-tix-transaction-id': id });
    const taken = await ask(header.replace('XX', 'Tix'));
    expect([taken.status, taken.headers.get('x-tix-transaction-id')]).toEqual([200, 'tx-7']);
    const refused = await ask(header);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Tix']);
    await other.close();
  });
});

describe('secrets', () => {
  const client: TestClient = { clientId: 'rotating', secret: 'the-first-secret-of-it', variant: 'wholesale' };
  const rotated = { ...client, secret: 'the-second-secret-of-it' };
  const statusFor = async (signer: TestClient) => (await new Platform(api.url, signer).lookUp('lst-1')).status;

  it('are valid two at a time, and not after their revocation', async () => {
    const registry = api.app.get(ClientRegistry);
    expect(await statusFor(client)).toBe(401);
    const first = await registry.create({ ...client, name: 'rotating' });
    expect(await statusFor(client)).toBe(200);
    await registry.rotate(client.clientId, rotated.secret);
    expect([await statusFor(client), await statusFor(rotated)]).toEqual([200, 200]);
    if ('secretId' in first) await registry.revokeSecret(client.clientId, first.secretId);
    expect([await statusFor(client), await statusFor(rotated)]).toEqual([401, 200]);
    await registry.revoke(client.clientId);
    expect(await statusFor(rotated)).toBe(401);
  });
});
