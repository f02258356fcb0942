import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasOpenssl, SIGNATURE_VECTORS, signedByOpenssl } from '../../../test/support/signature-vectors.js';
import { authorizationFor, isSignedBy, sign } from './signature.js';

if (!hasOpenssl) process.stderr.write('client signature.spec: no openssl here, its comparison is skipped\n');

const visible = fc.stringMatching(/^[!-~]{1,90}$/);
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'put'),
  path: visible.map((text) => `/${text.replaceAll('?', '')}`),
  body: fc.uint8Array({ maxLength: 300 }),
});
const textOf = ({ method, path, body }: { method: string; path: string; body: Uint8Array }) =>
  `${method.toUpperCase()}\n${path}\n${Buffer.from(body).toString('latin1')}`;

describe('sign', () => {
  it.each(SIGNATURE_VECTORS)('gives what openssl gave for $method $path', ({ signature, secret, ...vector }) => {
    expect(sign(vector, secret)).toBe(signature);
    expect(sign({ ...vector, body: Buffer.from(vector.body) }, Buffer.from(secret))).toBe(signature);
  });

  it.skipIf(!hasOpenssl)('agrees with openssl on anything', () => {
    fc.assert(
      fc.property(visible, request, (secret, any) => {
        expect(sign(any, secret)).toBe(signedByOpenssl({ ...any, secret }));
      }),
      { numRuns: 40 },
    );
  });

  it('rejects an empty secret', () => {
    const any = { method: 'GET', path: '/', body: '' };
    expect(() => sign(any, '')).toThrow('empty');
    expect(() => isSignedBy('XX a:b', any, { clientId: 'a', secrets: [''] })).toThrow('empty');
  });
});

describe('isSignedBy', () => {
  const ping = { method: 'POST', path: '/markets/purchases/ord_1/update', body: '' };
  const [old, current] = ['the-secret-of-last-year', 'the-secret-of-this-year'];
  const signers = { clientId: 'p-1', secrets: [current, old] };
  const header = authorizationFor(ping, { clientId: 'p-1', secret: current }, 'TP');

  it('accepts either secret during a rotation, and no other', () => {
    expect(isSignedBy(header, ping, signers, 'TP')).toBe(true);
    expect(isSignedBy(authorizationFor(ping, { clientId: 'p-1', secret: old }), ping, signers)).toBe(true);
    expect(isSignedBy(header, ping, { ...signers, secrets: [old] }, 'TP')).toBe(false);
    expect(isSignedBy(header, ping, { ...signers, secrets: [] }, 'TP')).toBe(false);
  });

  it.each([
    ['no header', undefined],
    ['an empty one', ''],
    ['another scheme', header.replace('TP', 'XX')],
    ['the scheme in lower case', header.replace('TP', 'tp')],
    ['another client', header.replace('p-1', 'p-2')],
    ['something after it', `${header} `],
    ['a second one', `${header}, ${header}`],
    ['no padding', header.slice(0, -1)],
    [
      'the URL alphabet',
      header
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/(?<=:.)./, '_'),
    ],
  ])('is false for %s', (_what, text) => expect(isSignedBy(text, ping, signers, 'TP')).toBe(false));

  it('is false for any other method, path and body', () => {
    fc.assert(
      fc.property(visible, request, request, (secret, one, other) => {
        const authorization = authorizationFor(one, { clientId: 'a', secret });
        const check = (received: typeof one) =>
          isSignedBy(authorization, received, { clientId: 'a', secrets: [secret] });
        expect(check(one)).toBe(true);
        expect(check(other)).toBe(textOf(one) === textOf(other));
      }),
    );
  });
});
