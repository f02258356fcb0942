import { describe, expect, it } from 'vitest';
import { CheckoutClient, CheckoutCode, CheckoutFailed, CheckoutError, type CheckoutOptions } from './checkout.js';

const purchase = { id: 'ord_1', status: { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 } };
const wholesale = { product: { event_id: '1', listing_id: 'lst-1', quantity: 2, total: 10 }, ref_id: 'r-1' };
const json = (status: number, body: unknown) => () => new Response(JSON.stringify(body), { status });
const noConnection = () => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
};
const refusal = { errors: [{ code: 40016, message: 'Payment declined', user_message: 'Try another card.' }] };

/** A client whose requests get these answers in turn. The last one is repeated. */
function answered(answers: (() => Response)[], options: Partial<CheckoutOptions> = {}) {
  const sent: Headers[] = [];
  const waits: number[] = [];
  const fetch = async (_url: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers));
    return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? new Response();
  };
  const dependencies = { fetch, random: () => 0, sleep: async (ms: number) => waits.push(ms) };
  const access = { url: 'https://tickets.example/checkout', clientId: 'p-1', secret: 'a-secret-of-sixteen' };
  return { checkout: new CheckoutClient({ ...access, dependencies, ...options }), sent, waits };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the address', () => {
  it.each([
    ['https://tickets.example', '/checkout/v1/purchases/ord_1'],
    ['https://tickets.example/', '/checkout/v1/purchases/ord_1'],
    ['https://tickets.example/checkout', '/checkout/v1/purchases/ord_1'],
    ['https://tickets.example/checkout/v1/', '/checkout/v1/purchases/ord_1'],
    ['https://tickets.example/willcall/checkout', '/willcall/checkout/v1/purchases/ord_1'],
  ])('%s leads to %s', async (url, path) => {
    const addresses: string[] = [];
    const fetch = async (address: string) => {
      addresses.push(new URL(address).pathname);
      return json(200, purchase)();
    };
    await new CheckoutClient({ url, clientId: 'p-1', secret: 's', dependencies: { fetch } }).getPurchase('ord_1');
    expect(addresses).toEqual([path]);
  });
});

describe('a call', () => {
  it('returns the document', async () => {
    const listing = { listing_id: 'lst-1', splits: [1, 2] };
    expect(await answered([json(200, listing)]).checkout.getListing('lst-1', { quantity: 2 })).toEqual(listing);
    expect(await answered([json(200, purchase)]).checkout.getPurchase('ord_1')).toEqual(purchase);
    expect(await answered([json(201, purchase)]).checkout.submitPurchase(wholesale)).toEqual(purchase);
  });

  it('has a transaction id, the same in every try, and the error contains it', async () => {
    const { checkout, sent } = answered([json(503, {})], { scheme: 'TP' });
    const failed = await failure(checkout.getPurchase('ord_1'));
    const ids = sent.map((headers) => headers.get('x-tp-transaction-id'));
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(1);
    expect(failed).toMatchObject({ transactionId: ids[0] });
    await failure(checkout.getPurchase('ord_1', { transactionId: 'txn-7' }));
    expect(sent.at(-1)?.get('x-tp-transaction-id')).toBe('txn-7');
  });

  it('throws the codes of a rejection, and does not retry', async () => {
    const { checkout, waits } = answered([json(400, refusal)]);
    const rejection = await failure(checkout.submitPurchase(wholesale));
    expect(rejection).toBeInstanceOf(CheckoutError);
    expect(rejection).toMatchObject({
      status: 400,
      codes: [CheckoutCode.PaymentDeclined],
      userMessage: 'Try another card.',
    });
    expect(String(rejection)).toBe('CheckoutError: refused: 40016 Payment declined');
    expect(await failure(checkout.getPurchase('x'))).toBeInstanceOf(CheckoutError);
    expect(waits).toEqual([]);
  });

  it('stops when the signal is aborted', async () => {
    const stop = new AbortController();
    stop.abort(new Error('the page was left'));
    const { checkout, sent } = answered([json(503, {})]);
    expect(String(await failure(checkout.getListing('lst-1', {}, { signal: stop.signal })))).toContain(
      'the page was left',
    );
    expect(String(await failure(checkout.submitPurchase(wholesale, { signal: stop.signal })))).toContain(
      'page was left',
    );
    expect(sent).toHaveLength(1);
  });

  it.each(['', '.', '..'])('is not made for the id %j, which would change its path', async (id) => {
    expect(await failure(answered([json(200, purchase)]).checkout.getPurchase(id))).toBeInstanceOf(TypeError);
  });
});

describe('a GET that fails', () => {
  it('is tried six times with growing waits', async () => {
    const { checkout, waits } = answered([noConnection, json(500, {}), json(429, refusal)]);
    const failed = await failure(checkout.getPurchase('ord_1'));
    expect(failed).toBeInstanceOf(CheckoutFailed);
    expect(failed).toMatchObject({
      status: 429,
      purchaseMayExist: false,
      message: 'the answer was 429 Too Many Requests',
    });
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  });

  it('also fails for an answer that is not the document', async () => {
    const { checkout } = answered([json(200, { id: 1 })]);
    expect(String(await failure(checkout.getPurchase('ord_1')))).toContain('the answer has no id');
    expect(String(await failure(checkout.getListing('lst-1')))).toContain('the answer has no listing_id');
  });
});

describe('a purchase without a clear answer', () => {
  it.each([
    ['a lost connection', noConnection, true],
    ['a 500', json(500, refusal), true],
    ['a 503', json(503, {}), true],
    ['a 200 that is cut short', () => new Response('{"id":'), true],
    ['a 429', json(429, refusal), false],
    ['a 404 of something in between', () => new Response('<html>', { status: 404 }), false],
    ['a redirection', () => new Response('', { status: 302 }), false],
  ])('is sent once, also after %s, and says whether it may exist', async (_what, answer, purchaseMayExist) => {
    const { checkout, sent, waits } = answered([answer]);
    const failed = await failure(checkout.submitPurchase(wholesale));
    expect(failed).toBeInstanceOf(CheckoutFailed);
    expect(failed).toMatchObject({ purchaseMayExist });
    expect([sent.length, waits]).toEqual([1, []]);
  });

  it('may also exist when it was aborted', async () => {
    const stop = new AbortController();
    const { checkout } = answered([noConnection], { onTry: () => undefined });
    const call = checkout.submitPurchase(wholesale, { signal: stop.signal });
    stop.abort();
    expect(await failure(call)).toMatchObject({ message: 'aborted', purchaseMayExist: true });
  });
});
