import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ErrorBody } from '../error-body.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { type Answer, codesOf, type Platform } from '../../../../test/support/callers.js';
import { cardBody, tokenBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { changedTables, tableState } from '../../../../test/support/postgres/table-state.js';

let api: TestApi;
let before: Record<string, string>;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
});
beforeEach(async () => (before = await tableState(api.pool)));
afterAll(() => api.close());

async function expectRefusal(answer: Answer, ...codes: number[]): Promise<void> {
  expect({ status: answer.status, codes: codesOf(answer) }, answer.text).toEqual({ status: 400, codes });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  ErrorBody.parse(answer.body);
  expect(changedTables(before, await tableState(api.pool))).toEqual([]);
}

/** The dotted paths of the texts of a body. */
function texts(body: object, prefix = ''): string[] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return [prefix + key];
    return typeof value === 'object' && value !== null ? texts(value, `${prefix}${key}.`) : [];
  });
}

const BODIES: [string, () => Platform, object][] = [
  ['card', () => api.payment, cardBody()],
  ['token', () => api.payment, tokenBody()],
  ['wholesale', () => api.wholesale, wholesaleBody()],
];
/** This field may contain anything, because only `yes` has an effect. */
const fields = (body: object) => texts(body).filter((path) => path !== 'is_trusted_user');

describe.each(BODIES)('every text of a purchase (%s)', (_name, platform, body) => {
  it.each([
    ['NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud83c'],
    ['a lone low surrogate', '\udf9fa'],
    ['surrogates the wrong way round', '\udf9f\ud83c'],
  ])('is rejected with %s', async (_what, value) => {
    for (const path of fields(body)) {
      const answer = await platform().buy(broken(body, { [path]: value }));
      expect(answer.status, path).toBe(400);
      expect(
        ErrorBody.parse(answer.body)
          .errors.map(({ message }) => message)
          .join(),
        path,
      ).toContain(path.startsWith('market_specific_fields') ? 'market_specific_fields' : path);
    }
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  });

  it('is rejected like others', async () => {
    for (const path of fields(body).filter((one) => !one.startsWith('market_specific_fields'))) {
      for (const value of [7, true, [], ['x'], {}, { toString: 'x' }]) {
        const answer = await platform().buy(broken(body, { [path]: value }));
        expect(answer.status, `${path} ${JSON.stringify(value)}`).toBe(400);
      }
    }
    expect(changedTables(before, await tableState(api.pool))).toEqual([]);
  });
});

describe('bytes that are not UTF-8', () => {
  it.each([
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a character', [0xe2, 0x98]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['latin1', [0xe9]],
    ['bytes that never occur', [0xff, 0xfe]],
  ])('are not JSON: %s', async (_what, bytes) => {
    const [head = '', tail = ''] = JSON.stringify(broken(cardBody(), { ref_id: 'HERE' })).split('HERE');
    const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]);
    await expectRefusal(await api.payment.buy(body), 40000);
  });

  it('are those of other encodings', async () => {
    const text = JSON.stringify(cardBody());
    await expectRefusal(await api.payment.buy(Buffer.from(text, 'utf16le')), 40000);
    await expectRefusal(await api.payment.buy(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()), 40000);
  });
});

describe('keys that could change a prototype', () => {
  it.each([
    '"__proto__":{"trusted":true}',
    '"__proto__":null',
    '"\\u005f_proto__":{}',
    '"constructor":{"prototype":{"trusted":true}}',
    '"market_specific_fields":{"__proto__":{"x":1}}',
    '"market_specific_fields":[{"__proto__":{"x":1}}]',
  ])('are rejected: %s', async (member) => {
    const body = JSON.stringify(broken(cardBody(), { market_specific_fields: undefined }));
    await expectRefusal(await api.payment.buy(`${body.slice(0, -1)},${member}}`), 40000);
    expect(Object.prototype).not.toHaveProperty('trusted');
    expect(Object.prototype).not.toHaveProperty('x');
  });

  it('are ordinary keys in other places', async () => {
    const ownKeys = { constructor: 1, toString: 2, hasOwnProperty: null, prototype: {}, length: -1 };
    const body = broken(cardBody(), { ref_id: 'odd-keys', market_specific_fields: ownKeys, ...ownKeys });
    const answer = await api.payment.buy(body);
    expect(answer).toMatchObject({ status: 201, body: { market_specific_fields: ownKeys } });
  });
});

describe('nesting', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const around = (text: string) =>
    JSON.stringify(broken(cardBody(), { ref_id: `deep-${text.length}`, market_specific_fields: 'HERE' })).replace(
      '"HERE"',
      text,
    );

  it('of market_specific_fields is limited to eight levels', async () => {
    expect((await api.payment.buy(around(nested(8)))).status).toBe(201);
    before = await tableState(api.pool);
    for (const depth of [9, 100, 5_000]) await expectRefusal(await api.payment.buy(around(nested(depth))), 40001);
  });

  it('of a body may be as deep as it is long', async () => {
    await expectRefusal(await api.payment.buy(`${'['.repeat(32_000)}${']'.repeat(32_000)}`), 40001);
    await expectRefusal(await api.payment.buy('['.repeat(64_000)), 40000);
    await expectRefusal(await api.payment.buy(around(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)), 40001);
    const unknown = around('{}').replace('{', `{"unknown":${nested(8_000)},`);
    expect((await api.payment.buy(unknown)).status).toBe(201);
  });

  it('and width get a quick answer', async () => {
    const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, index % 10]));
    const repeated = `{${Array(5_000).fill('"product":{}').join(',')}}`;
    const escaped = JSON.stringify(cardBody()).replace('"Ada"', `"${'\\u0000'.repeat(9_000)}"`);
    for (const body of [JSON.stringify(wide), repeated, escaped, `"${'\\'.repeat(60_000)}"`, '-'.repeat(60_000)]) {
      const begun = performance.now();
      expect((await api.payment.buy(body)).status).toBe(400);
      expect(performance.now() - begun).toBeLessThan(5_000);
    }
  });
});

describe('numbers', () => {
  const withNumber = (path: string, text: string, change: Json = {}) => {
    const ref_id = `n-${path}-${text}`;
    return JSON.stringify(broken(cardBody(), { ref_id, ...change, [path]: 'NUMBER' })).replace('"NUMBER"', text);
  };

  it.each(['1e400', '-1e400', '1e308', '9007199254740993', '-0', '0', '-1', '2.5', '1e-400', '4294967298', '0.1e1'])(
    'for a quantity: %s',
    async (text) => {
      const answer = await api.payment.buy(withNumber('product.quantity', text));
      // 0.1e1 is one ticket, with another total.
      const code = text === '0.1e1' ? 40026 : 40009;
      await expectRefusal(answer, code);
    },
  );

  it.each(['1e400', '-1e400', '1e308', '-0', '0', '1e-400', '254.60000000001', '254.600001', '25460e-3', '1e15'])(
    'for a total: %s',
    async (text) => {
      const answer = await api.payment.buy(withNumber('payment.total', text));
      // The noise of a floating-point sum is not the buyer's problem.
      if (text === '254.60000000001') expect(answer.status).toBe(201);
      else await expectRefusal(answer, 40026);
    },
  );

  it('may write the amount in any way', async () => {
    for (const text of ['254.6', '254.60', '2546e-1', '0.2546e3', '254.600000000000000000001']) {
      expect((await api.payment.buy(withNumber('payment.total', text))).status, text).toBe(201);
    }
  });

  it('must be finite for a place on earth', async () => {
    await expectRefusal(await api.payment.buy(withNumber('user.location.lat', '1e400')), 40001);
    await expectRefusal(await api.payment.buy(withNumber('market_specific_fields', '{"x":[1e400]}')), 40001);
    expect((await api.payment.buy(withNumber('user.location.lat', '-0'))).status).toBe(201);
    expect((await api.payment.buy(withNumber('user.location.lon', '1e308'))).status).toBe(201);
  });
});
