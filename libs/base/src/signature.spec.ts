import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasOpenssl, SIGNATURE_VECTORS, signedByOpenssl } from '../../../test/support/signature-vectors.js';
import { authorizationHeader, parseAuthorization, sign, signedPath, verify } from './signature.js';

if (!hasOpenssl) process.stderr.write('signature.spec: no openssl here, its comparison is skipped\n');

const visible = fc.stringMatching(/^[!-~]{1,90}$/);
const request = fc.record({
  secret: visible,
  method: fc.constantFrom('GET', 'POST', 'put', 'DELETE'),
  path: visible.map((text) => `/${text.replaceAll('?', '')}`),
  body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

describe('sign', () => {
  it.each(SIGNATURE_VECTORS)('gives what openssl gave for $method $path', ({ signature, body, ...rest }) => {
    const signed = { ...rest, body: Buffer.from(body) };
    expect(sign(signed)).toBe(signature);
    expect(verify(signed, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it.skipIf(!hasOpenssl)('agrees with openssl on anything, both ways', () => {
    fc.assert(
      fc.property(request, (any) => {
        const theirs = signedByOpenssl(any);
        expect(sign(any)).toBe(theirs);
        expect(verify(any, Buffer.from(theirs, 'base64'))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('signs the bytes of the request line, not their UTF-8 form', () => {
    const path = Buffer.from('/é').toString('latin1');
    const body = Buffer.alloc(0);
    expect(sign({ secret: 'key', method: 'GET', path, body })).toBe('rMberLyqK5k6upacTUK3mdSemLA=');
  });
});

describe('verify', () => {
  it('fails for any flipped bit of body, path, method, secret and signature', () => {
    const parts = ['body', 'path', 'method', 'secret', 'received'] as const;
    fc.assert(
      fc.property(request, fc.constantFrom(...parts), fc.nat(), (any, part, at) => {
        const bytes = {
          ...any,
          path: Buffer.from(any.path),
          method: Buffer.from(any.method.toUpperCase()),
          secret: Buffer.from(any.secret),
          received: Buffer.from(sign(any), 'base64'),
        };
        const check = () =>
          verify(
            { ...bytes, path: bytes.path.toString('latin1'), method: bytes.method.toString('latin1') },
            bytes.received,
          );
        fc.pre(bytes[part].length > 0);
        expect(check()).toBe(true);
        const bit = at % (bytes[part].length * 8);
        // Bit 5 is the case of a letter, and methods are compared in upper case.
        fc.pre(part !== 'method' || bit % 8 !== 5);
        bytes[part][bit >> 3] = (bytes[part][bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(check()).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('fails without an exception for a signature of another length', () => {
    const signed = { secret: 'key', method: 'GET', path: '/', body: Buffer.alloc(0) };
    for (const length of [0, 19, 21, 64]) expect(verify(signed, Buffer.alloc(length))).toBe(false);
  });
});

describe('parseAuthorization', () => {
  const signed = { secret: 'key', method: 'GET', path: '/', body: Buffer.alloc(0) };
  const header = authorizationHeader('XX', 'platform-1', signed);

  it('parses the output of authorizationHeader', () => {
    const digest = Buffer.from(sign(signed), 'base64');
    expect(parseAuthorization('XX', header)).toEqual({ clientId: 'platform-1', digest });
    expect(parseAuthorization('X.', authorizationHeader('X.', 'a/b@c', signed))).toEqual({ clientId: 'a/b@c', digest });
  });

  const good = sign(signed);
  it.each([
    ['an empty header', ''],
    ['another scheme', header.replace('XX', 'XY')],
    ['the scheme in lower case', header.replace('XX', 'xx')],
    ['a longer scheme', `X${header}`],
    ['the scheme alone', 'XX '],
    ['no scheme', header.slice(3)],
    ['two spaces', header.replace(' ', '  ')],
    ['a tab', header.replace(' ', '\t')],
    ['no client id', `XX :${good}`],
    ['no colon', `XX platform-1${good}`],
    ['a second colon', `XX platform:1:${good}`],
    ['a space in the client id', `XX platform 1:${good}`],
    ['a client id beyond ASCII', `XX plätform:${good}`],
    ['a client id without end', `XX ${'p'.repeat(129)}:${good}`],
    ['no signature', 'XX platform-1:'],
    ['a short signature', `XX platform-1:${good.slice(1)}`],
    ['a signature and more', `XX platform-1:${good}=`],
    ['a space after the signature', `XX platform-1:${good} `],
    ['a second credential', `${header}, ${header}`],
    ['a signature without padding', `XX platform-1:${good.replace('=', 'A')}`],
    ['the URL alphabet', `XX platform-1:${'_-'.repeat(13)}8=`],
    ['stray bits in the last character', `XX platform-1:${'A'.repeat(26)}B=`],
    ['characters that Node would skip', `XX platform-1:${'A'.repeat(24)}****`],
    ['padding only', `XX platform-1:${'='.repeat(28)}`],
  ])('rejects %s', (_what, text) => {
    expect(parseAuthorization('XX', text)).toBeUndefined();
  });

  it('accepts no text except the one that its result encodes to', () => {
    const text = fc.oneof(
      fc.base64String({ minLength: 28, maxLength: 28 }),
      fc.string({ minLength: 28, maxLength: 28 }),
    );
    fc.assert(
      fc.property(text, (signature) => {
        const parsed = parseAuthorization('XX', `XX a:${signature}`);
        if (parsed) expect(parsed.digest.toString('base64')).toBe(signature);
      }),
    );
  });
});

describe('signedPath', () => {
  it.each([
    ['/checkout/v1/listings/1?quantity=2', '/checkout/v1/listings/1'],
    ['/checkout/v1/purchases', '/checkout/v1/purchases'],
    ['/a%20b?x=?y', '/a%20b'],
    ['/?', '/'],
  ])('of %s is %s', (rawUrl, path) => expect(signedPath(rawUrl)).toBe(path));
});
