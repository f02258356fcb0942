import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import fastify from 'fastify';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PathError, checkPath } from './request-path.js';

describe('checkPath', () => {
  it.each([
    '/',
    '/checkout/v1/purchases',
    '/checkout/v1/purchases/',
    '/checkout/v1/purchases/ord_0197c2',
    '/checkout/v1/listings/sec-101.row~b;1,2=(3)',
    '/checkout/v1/listings/a%20b%3Ac%40d%7e%25',
    '/checkout/v1/listings/%C3%BC%e2%98%83',
    '/checkout/v1/listings/50%2525off',
    '/checkout/v1/listings/a%2520b%252525',
    '/checkout/v1/listings/...',
    '/checkout/v1/listings/.hidden',
    '/checkout/v1/listings/1?quantity=2&x=/../%2e%2f%00//\\#',
    '/checkout/v1/listings/1?q=ü',
  ])('accepts %s', (rawUrl) => expect(checkPath(rawUrl)).toBeUndefined());

  const rejected: readonly (readonly [PathError, string])[] = [
    ['not a path', ''],
    ['not a path', '*'],
    ['not a path', 'checkout/v1'],
    ['not a path', 'http://host/checkout/v1/purchases'],
    ['not a path', '?a=b'],
    ['control byte', '/a\u0000b'],
    ['control byte', '/a\nb'],
    ['control byte', '/a b'],
    ['control byte', '/a\u007f'],
    ['control byte', '/a?b=\r\n'],
    ['byte beyond ASCII', '/\u00c3\u00bc'],
    ['byte beyond ASCII', '/\u0100'],
    ['fragment', '/checkout/v1/purchases#/x'],
    ['backslash', '/checkout\\v1'],
    ['empty segment', '//'],
    ['empty segment', '//host/checkout'],
    ['empty segment', '/checkout//v1'],
    ['empty segment', '/checkout/v1//'],
    ['dot segment', '/./checkout'],
    ['dot segment', '/checkout/../backoffice'],
    ['dot segment', '/checkout/..'],
    ['dot segment', '/checkout/.?x'],
    ['percent encoding that changes the path', '/checkout/%2e%2e/backoffice'],
    ['percent encoding that changes the path', '/checkout/.%2E/backoffice'],
    ['percent encoding that changes the path', '/checkout%2fv1'],
    ['percent encoding that changes the path', '/checkout%2Fv1'],
    ['percent encoding that changes the path', '/checkout%5cv1'],
    ['percent encoding that changes the path', '/checkout%5Cv1'],
    ['percent encoding that changes the path', '/checkout/%252e%252e/backoffice'],
    ['percent encoding that changes the path', '/checkout/%25252e%25252E/backoffice'],
    ['percent encoding that changes the path', '/a%252525252fb'],
    ['percent encoding that changes the path', '/a%2541'],
    ['percent encoding that changes the path', '/a%00'],
    ['percent encoding that changes the path', '/a%0d%0a'],
    ['percent encoding that changes the path', '/a%7f'],
    ['percent encoding that changes the path', '/%63heckout'],
    ['broken percent encoding', '/a%'],
    ['broken percent encoding', '/a%2'],
    ['broken percent encoding', '/a%zz'],
    ['broken percent encoding', '/a%u0041'],
    ['broken percent encoding', '/a%ff'],
    ['broken percent encoding', '/a%c0%af'],
    ['broken percent encoding', '/a%e2%98'],
  ];
  it.each(rejected)('refuses (%s) %j', (reason, rawUrl) => expect(checkPath(rawUrl)).toBe(reason));

  it('rejects a path longer than 2 KiB, whatever its query', () => {
    expect(checkPath(`${'/'.padEnd(2048, 'x')}?ids=${'1,'.repeat(2000)}`)).toBeUndefined();
    expect(checkPath('/'.padEnd(2049, 'x'))).toBe('longer than 2 KiB');
  });

  it('rejects every encoded letter, digit and control byte, and nothing else below 0x80 but . / and \\', () => {
    for (let byte = 0; byte < 0x80; byte += 1) {
      const character = String.fromCharCode(byte);
      const misleading = byte < 0x20 || byte === 0x7f || /[a-z0-9./\\]/i.test(character);
      for (const hex of [byte.toString(16), byte.toString(16).toUpperCase()]) {
        expect([hex, checkPath(`/a%${hex.padStart(2, '0')}b`)]).toEqual([
          hex,
          misleading ? 'percent encoding that changes the path' : undefined,
        ]);
      }
    }
  });
});

describe('an accepted path', () => {
  const router = fastify({ exposeHeadRoutes: false });
  let seen: { route: string; id: string | undefined } | undefined;
  for (const route of ['/checkout/v1/purchases', '/checkout/v1/purchases/:id']) {
    router.get<{ Params: { id?: string } }>(route, (request, reply) => {
      seen = { route, id: request.params.id };
      reply.hijack();
    });
  }
  beforeAll(async () => {
    await router.ready();
  });
  afterAll(() => router.close());

  /** Uses the router itself, because `inject` would normalize the address first. */
  function routed(rawUrl: string): typeof seen {
    seen = undefined;
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: rawUrl });
    router.routing(request, new ServerResponse(request));
    return seen;
  }

  it('is routed unchanged', () => {
    expect(routed('/checkout/v1/purchases')).toEqual({ route: '/checkout/v1/purchases', id: undefined });
    const pieces =
      'checkout v1 purchases / / / . .. # ? ; \\ % %2 %2f %2e %25 %63heckout %70 %23 %3f %3b %20 %c3%bc %c0%af %00 ü 2f';
    const piece = fc.constantFrom(...pieces.split(' '));
    const start = fc.constantFrom('/checkout/v1/purchases', '/checkout/v1/%70urchases', '/checkout/', '/%63heckout');
    const rest = fc.array(piece, { maxLength: 8 }).map((some) => some.join(''));
    const hostile = fc.tuple(start, rest).map((parts) => parts.join(''));
    let matched = 0;
    fc.assert(
      fc.property(hostile, (rawUrl) => {
        if (checkPath(rawUrl) !== undefined) return;
        const match = routed(rawUrl);
        if (!match) return;
        matched += 1;
        const id = match.id === undefined ? '' : `/${rawUrl.split('?')[0]?.split('/')[4]}`;
        expect(rawUrl.split('?')[0]).toBe(`/checkout/v1/purchases${id}`);
        if (match.id !== undefined) expect(match.id).toBe(decodeURIComponent(id.slice(1)));
      }),
      { numRuns: 5000 },
    );
    expect(matched).toBeGreaterThan(100);
  });
});
