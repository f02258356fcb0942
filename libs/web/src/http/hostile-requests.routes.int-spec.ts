import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ErrorBody } from '../error-body.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { authorization, codesOf, PAYMENT } from '../../../../test/support/callers.js';
import { broken } from '../../../../test/support/broken.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { exchange, type RawAnswer, type RawExchange, requestText } from '../../../../test/support/raw-http.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';

const PURCHASES = '/checkout/v1/purchases';
const LISTING = '/checkout/v1/listings/lst-1';
const GET = [`GET ${LISTING} HTTP/1.1`, `Authorization: ${authorization(PAYMENT, 'GET', LISTING)}`];
const LIMIT_BYTES = 64 * 1024;

let api: TestApi;
let before: Record<string, string>;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
});
beforeEach(async () => (before = await tableState(api.pool)));
afterAll(() => api.close());

async function only(bytes: Buffer | string, how: RawExchange = {}): Promise<RawAnswer> {
  const [answer, ...more] = await exchange(api.url, bytes, how);
  if (!answer || more.length > 0) throw new Error(`${more.length + (answer ? 1 : 0)} answers`);
  return answer;
}

/** 4xx with our error format, and nothing changed. */
async function expectRefusal(answer: RawAnswer, status: number, code: number): Promise<void> {
  expect({ status: answer.status, codes: codesOf(answer) }, answer.text).toEqual({ status, codes: [code] });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  ErrorBody.parse(answer.body);
  expect(changedTables(before, await tableState(api.pool))).toEqual([]);
}

let count = 0;
/** A purchase of so many bytes, with a valid signature. */
function purchase(bytes = 0): { body: string; lines: string[] } {
  const text = JSON.stringify(broken(cardBody(), { ref_id: `ref-${(count += 1)}` }));
  const body = text.padEnd(bytes, ' ');
  return {
    body,
    lines: [`POST ${PURCHASES} HTTP/1.1`, `Authorization: ${authorization(PAYMENT, 'POST', PURCHASES, body)}`],
  };
}

describe('a body', () => {
  it('may have 64 KiB and not a byte more', async () => {
    const most = purchase(LIMIT_BYTES);
    expect((await only(requestText(most.lines, most.body))).status).toBe(201);
    before = await tableState(api.pool);
    const more = purchase(LIMIT_BYTES + 1);
    await expectRefusal(await only(requestText(more.lines, more.body)), 413, 41300);
    await expectRefusal(await only(requestText(more.lines, 'x'.repeat(5_000_000))), 413, 41300);
  });

  it('is rejected by its length alone', async () => {
    for (const length of ['65537', '99999999999999']) {
      await expectRefusal(await only(requestText([...purchase().lines, `Content-Length: ${length}`])), 413, 41300);
    }
  });

  it('may come in chunks without a length, and is counted then too', async () => {
    const chunked = (lines: readonly string[], chunks: readonly string[]) => {
      const parts = [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      return Buffer.concat([requestText([...lines, 'Transfer-Encoding: chunked']), Buffer.from(parts.join(''))]);
    };
    const { body, lines } = purchase();
    const parts = [body.slice(0, 1), body.slice(1, 200), body.slice(200)];
    expect((await only(chunked(lines, parts))).status).toBe(201);
    before = await tableState(api.pool);
    await expectRefusal(await only(chunked(lines, Array<string>(70).fill('x'.repeat(1_000)))), 413, 41300);
    await expectRefusal(await only(chunked(lines, [])), 401, 40100);
  });

  it.each(['gzip', 'identity', 'deflate, gzip', 'br', ''])('may not be encoded: %j', async (encoding) => {
    const { body, lines } = purchase();
    await expectRefusal(await only(requestText([...lines, `Content-Encoding: ${encoding}`], body)), 415, 41500);
  });

  const TYPES = ['application/json', 'application/json; charset=latin1', 'text/plain', 'text/csv', 'x', '/;;', ''];
  it.each([...TYPES, 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'is JSON whatever it is called: %j',
    async (type) => {
      const { body, lines } = purchase();
      expect((await only(requestText([...lines, `Content-Type: ${type}`], body))).status).toBe(201);
    },
  );

  it.each(TYPES)('is not expected of a GET that names its type: %j', async (type) => {
    expect((await only(requestText([...GET, `Content-Type: ${type}`]))).status).toBe(200);
  });

  it('of a GET is signed too, and otherwise ignored', async () => {
    await expectRefusal(await only(requestText(GET, '{"quantity":3}')), 401, 40100);
    const header = authorization(PAYMENT, 'GET', LISTING, 'not JSON');
    const [request = ''] = GET;
    expect((await only(requestText([request, `Authorization: ${header}`], 'not JSON'))).status).toBe(200);
    await expectRefusal(await only(requestText(GET, 'x'.repeat(LIMIT_BYTES + 1))), 413, 41300);
  });
});

describe('headers', () => {
  const many = (headers: number) => Array.from({ length: headers }, (_, index) => `X-H${index}: ${index}`);

  it('may be a hundred', async () => {
    // In addition to Host and Authorization.
    expect((await only(requestText([...GET, ...many(98)]))).status).toBe(200);
    for (const headers of [99, 120, 500]) {
      await expectRefusal(await only(requestText([...GET, ...many(headers)])), 431, 43100);
    }
  });

  it('beyond the hundredth are not ignored', async () => {
    const { body, lines } = purchase();
    const [request = '', signature = ''] = lines;
    for (const hidden of ['Content-Encoding: gzip', signature]) {
      const bytes = requestText([request, signature, ...many(98), hidden], body);
      const answer = await only(bytes);
      expect(answer.status).toBe(431);
      expect(codesOf(answer)).toEqual([43100]);
    }
  });

  it("must not be larger than Node's limit", async () => {
    await expectRefusal(await only(requestText([...GET, `X-Large: ${'x'.repeat(20_000)}`])), 431, 43100);
    await expectRefusal(await only(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`), 431, 43100);
  });

  it.each([
    ['a name with a space', 'X y: z'],
    ['a line without a colon', 'nonsense'],
    ['a control byte', 'X-A: a\x01b'],
    ['a bare line feed', 'X-A: b\nX-C: d\n\n'],
    ['a continued line', 'X-A: b\r\n c'],
    ['a length that is none', 'Content-Length: -1'],
    ['a length in hexadecimal', 'Content-Length: 0x10'],
    ['two lengths', 'Content-Length: 1\r\nContent-Length: 2'],
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
    ['chunks that are not the last encoding', 'Transfer-Encoding: chunked, gzip'],
  ])('that are not HTTP are rejected: %s', async (_what, line) => {
    const { lines } = purchase();
    await expectRefusal(await only(requestText([...lines, line])), 400, 40000);
  });

  it('must include Host', async () => {
    await expectRefusal(await only(`GET ${LISTING} HTTP/1.1\r\n${GET[1]}\r\n\r\n`), 400, 40000);
    const [answer] = await exchange(api.url, `GET ${LISTING} HTTP/1.0\r\n${GET[1]}\r\n\r\n`);
    expect(answer?.status).toBe(200);
  });

  it.each(['localhost', 'other.example', ''])('must include Host only once: %j', async (second) => {
    const { body, lines } = purchase();
    await expectRefusal(await only(requestText([...lines, `HOST: ${second}`], body)), 400, 40000);
  });

  it('must name a known Host where no credential is asked', async () => {
    const sent = (target: string, host: string, line = '') =>
      only(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${line}Connection: close\r\n\r\n`);
    for (const target of ['/sandbox/pings', '/openapi.json', '/metrics', '/', '/docs', '/shop/sandbox', '/nowhere']) {
      await expectRefusal(await sent(target, 'rebound.example'), 421, 42100);
    }
    // TRUST_PROXY is unset, so nobody may say this.
    await expectRefusal(await sent('/sandbox/pings', 'rebound.example', 'X-Forwarded-Host: localhost\r\n'), 421, 42100);
    for (const host of ['localhost:3000', '127.0.0.1', 'tickets.example', 'api:3000']) {
      expect((await sent('/sandbox/pings', host)).status, host).toBe(200);
    }
    expect((await sent('/health/live', 'balancer.example')).status).toBe(200);
    expect((await only(`${GET.join('\r\n')}\r\nHost: rebound.example\r\n\r\n`)).status).toBe(200);
  });

  it('may contain unknown expectations', async () => {
    for (const expectation of ['100-continue', 'a-miracle']) {
      const { body, lines } = purchase();
      expect((await only(requestText([...lines, `Expect: ${expectation}`], body))).status).toBe(201);
    }
  });

  it('may request another protocol, but get this one', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const answer = await only(requestText([...GET, 'Connection: Upgrade, close', `Upgrade: ${protocol}`]));
      expect(answer.status).toBe(200);
    }
  });
});

describe('a connection', () => {
  it.each([
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET\r\n\r\n',
    'BREW / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    'GET / HTTP/2.0\r\nHost: x\r\n\r\n',
    'GET / HTTP/0.9\r\nHost: x\r\n\r\n',
    'GET /health/live\r\n\r\n',
    'GET / XTTP/1.1\r\nHost: x\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '\0\0\0\0\0\0\0\0\r\n\r\n',
    '{"jsonrpc":"2.0"}\r\n\r\n',
  ])('that does not use HTTP/1.1 is rejected and closed: %j', async (bytes) => {
    const answer = await only(bytes, { answers: 2 });
    await expectRefusal(answer, 400, 40000);
    expect(answer.headers['connection']).toBe('close');
  });

  it('may carry pipelined requests, which are answered in order', async () => {
    const [one, two] = [purchase(), purchase()];
    const bytes = [
      requestText(one.lines, one.body),
      requestText(GET),
      requestText([GET[0] ?? '']),
      requestText(two.lines, two.body),
      requestText(GET),
    ];
    const answers = await exchange(api.url, Buffer.concat(bytes), { answers: bytes.length });
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 401, 201, 200]);
  });

  it('may end in the middle of a request', async () => {
    const { body, lines } = purchase();
    const whole = requestText(lines, body);
    for (const end of [5, 60, whole.length - 1]) {
      await expect(exchange(api.url, whole.subarray(0, end), { withinMs: 200 })).rejects.toThrow('Still not so');
    }
    expect((await only(requestText(GET))).status).toBe(200);
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
    expect(api.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it.concurrent.each([
    ['the headers', 5_000, `GET ${LISTING} HTTP/1.1\r\nHost: x\r\n`],
    ['the body', 15_000, `POST ${PURCHASES} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"`],
  ])('that is slow with %s is closed', async (_what, limitMs, bytes) => {
    const begun = Date.now();
    const answer = await only(bytes, { withinMs: 30_000 });
    expect([answer.status, codesOf(answer)]).toEqual([408, [40800]]);
    expect(Date.now() - begun).toBeGreaterThan(limitMs - 100);
    expect(Date.now() - begun).toBeLessThan(limitMs + 4_000);
  });
});
