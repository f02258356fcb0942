import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cardBody, tokenBody, wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { cases } from '../../../test/support/cases.js';
import { broken } from '../../../test/support/broken.js';
import { errorBody } from '#web/error-body.contract';
import { PaymentPurchaseRequest, WholesalePurchaseRequest } from './purchase-request.contract.js';
import { validatePurchase, type Variant } from './validate-purchase.contract.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SCHEMAS: Record<Variant, z.ZodType> = { payment: PaymentPurchaseRequest, wholesale: WholesalePurchaseRequest };
const BODIES: [string, Variant, object][] = [
  ['wholesale', 'wholesale', wholesaleBody()],
  ['card', 'payment', cardBody()],
  ['token', 'payment', tokenBody()],
];

function codes(variant: Variant, body: unknown): number[] {
  const result = validatePurchase(variant, body, NOW);
  return 'issues' in result ? errorBody(result.issues).errors.map(({ code }) => code) : [];
}

/** The dotted paths of all fields of a body, objects included. */
function pathsOf(body: object, prefix = ''): string[] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    const path = prefix + key;
    return typeof value === 'object' && value !== null ? [path, ...pathsOf(value, `${path}.`)] : [path];
  });
}

/** The code of each path; 40001 for others. */
const CODES: Record<string, number> = {
  'product.quantity': 40009,
  'product.listing_id': 40012,
  'product.total': 40026,
  'payment.total': 40026,
  'payment.data.card_number': 40017,
  'payment.data.cvv': 40035,
  'payment.data.expiry_month': 40039,
  'payment.data.expiry_year': 40039,
  'payment.data.state': 40032,
  'payment.data.zip': 40024,
  'delivery_method.data.state': 40033,
  'delivery_method.data.zip': 40024,
};
for (const name of ['address1', 'address2', 'city', 'country']) {
  CODES[`payment.data.${name}`] = 40038;
  CODES[`delivery_method.data.${name}`] = 40034;
}
for (const name of ['first_name', 'last_name', 'phone']) CODES[`delivery_method.data.${name}`] = 40034;

const UNREAD = /^is_trusted_user$|^market_specific_fields\./;
const OPTIONAL = /^(user|ref_id|market_specific_fields)|\.address2$/;

/** Values that are invalid in every field of a purchase: of a wrong type, or text that cannot be stored. */
const wrong = fc.oneof(
  fc.array(fc.jsonValue()),
  fc.boolean(),
  fc.double({ max: -1e-9, noDefaultInfinity: false }).map((value) => (value === 0 ? -1 : value - 0.001)),
  fc.string().map((text) => `${text}\0`),
  fc.string().map((text) => `\udc00${text}`),
  fc.string({ unit: 'binary', minLength: 2049, maxLength: 3000 }),
);
const absent = fc.constantFrom(undefined, null);

describe.each(BODIES)('a right purchase (%s)', (_, variant, body) => {
  const paths = pathsOf(body).filter((path) => !UNREAD.test(path));

  it('is accepted', () => expect(codes(variant, body)).toEqual([]));

  it('with one invalid field has exactly the code of that field', () => {
    fc.assert(
      fc.property(fc.constantFrom(...paths), wrong, absent, fc.boolean(), (path, value, nothing, take) => {
        // A coordinate may be any number.
        fc.pre(!(/location\./.test(path) && typeof value === 'number'));
        const change = take && !OPTIONAL.test(path) ? nothing : value;
        expect(codes(variant, broken(body, { [path]: change }))).toEqual([CODES[path] ?? 40001]);
      }),
      { numRuns: cases(600) },
    );
  });
});

it.each(BODIES)('the document shows what is demanded (%s)', (_, variant, body) => {
  const demanded = pathsOf(body).filter((path) => codes(variant, broken(body, { [path]: undefined })).length > 0);
  expect(demanded.length).toBeGreaterThan(3);
  const document = JSON.stringify(z.toJSONSchema(SCHEMAS[variant], { io: 'input' }));
  // The country decides whether a state and a ZIP code are required.
  for (const path of demanded.filter((name) => !/\.(state|zip)$/.test(name))) {
    expect(document).toMatch(new RegExp(`"required":\\[[^\\]]*"${path.split('.').at(-1)}"`));
  }
});

function breakIfPresent(body: unknown, [path, value]: [string, unknown]): unknown {
  try {
    return broken(body as object, { [path]: value });
  } catch {
    // The other change has replaced a part of this path by a scalar.
    return body;
  }
}

describe('any input', () => {
  const variants = fc.constantFrom<Variant>('payment', 'wholesale');
  const names = fc.constantFrom(
    'product',
    'payment',
    'delivery_method',
    'user',
    'data',
    'type',
    'quantity',
    'total',
    '__proto__',
    'constructor',
  );
  const nested = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.jsonValue(), fc.constantFrom('ship', 'creditcard'), tie('object')),
    object: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  }));

  it('gets a result', () => {
    fc.assert(
      fc.property(variants, fc.oneof(fc.jsonValue(), nested.value), (variant, value) => {
        const body: unknown = JSON.parse(JSON.stringify(value));
        expect(codes(variant, body).every((code) => code >= 40001 && code <= 40040)).toBe(true);
      }),
      { numRuns: cases(600) },
    );
  });

  it.each([
    ['depth', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['depth of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['__proto__', '{"polluted":true,"__proto__":{"polluted":true}}'],
    ['a long text', JSON.stringify('x'.repeat(60_000))],
    ['zeros', '0.'.concat('0'.repeat(60_000), '1')],
  ])('may be hostile: %s', (_, json) => {
    for (const [, variant, body] of BODIES) {
      for (const path of pathsOf(body)) codes(variant, breakIfPresent(body, [path, JSON.parse(json)]));
      codes(variant, JSON.parse(json));
    }
    expect({}).not.toHaveProperty('polluted');
    const market = { ...wholesaleBody(), market_specific_fields: { a: JSON.parse(json) as unknown } };
    expect(() => codes('wholesale', market)).not.toThrow();
  });
});
