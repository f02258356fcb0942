import { describe, expect, it } from 'vitest';
import { errorBody } from '#web/error-body.contract';
import { SurfaceErrors } from './surface-errors.js';

const errors = new SurfaceErrors({ PUBLIC_URL: 'https://tickets.example/shop' });
const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

function typeOf(url: string, { accept = CHROME, method = 'GET', status = 404 } = {}): string {
  const { headers } = errors.write({ url, method, headers: { accept } }, status, errorBody([]));
  return headers['content-type']?.replace(/;.*/, '') ?? '';
}
const [PAGE, JSON_TYPE] = ['text/html', 'application/json'];

describe('an unknown address', () => {
  it.each([
    [CHROME, PAGE],
    ['text/html', PAGE],
    ['TEXT/HTML;q=0.9, */*;q=0.1', PAGE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['text/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['application/json, text/html;q=0.9', JSON_TYPE],
    ['text/html;q=0, */*', JSON_TYPE],
    ['text/html;q=0.0', JSON_TYPE],
    ['text/htmlx', JSON_TYPE],
  ])('accepted as %j is %s', (accept, type) => expect(typeOf('/nope', { accept })).toBe(type));

  it('is a page only for what a browser opens', () => {
    const types = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].map((method) => typeOf('/nope', { method }));
    expect(types).toEqual([PAGE, PAGE, PAGE, JSON_TYPE, JSON_TYPE]);
    for (const status of [400, 403, 421, 429, 500, 503]) expect(typeOf('/nope', { status })).toBe(JSON_TYPE);
  });

  it('of a program is JSON whatever is accepted', () => {
    for (const surface of ['/checkout', '/Checkout', '/backoffice', '/stream', '/2']) {
      for (const rest of ['', '/', '/v1/nope', '?a=b']) {
        expect(typeOf(`${surface}${rest}`), `${surface}${rest}`).toBe(JSON_TYPE);
      }
    }
    expect(typeOf('/checkouts')).toBe(PAGE);
  });
});

describe('a link of an e-mail that is refused', () => {
  it('is a page for people, and JSON for mail programs', () => {
    for (const path of [
      '/tickets/tck_1?link=1',
      '/downloads/job_1?expires=1',
      '/unsubscribe/opr_1/daily',
      '/choices/a.b.c',
    ]) {
      for (const status of [400, 403, 404, 409]) expect(typeOf(path, { status }), path).toBe(PAGE);
      expect(typeOf(path, { status: 403, accept: '*/*' })).toBe(JSON_TYPE);
      expect(typeOf(path, { status: 403, method: 'POST' })).toBe(PAGE);
      expect(typeOf(path, { status: 403, method: 'POST', accept: '*/*' })).toBe(JSON_TYPE);
    }
  });

  it('says to people that they may try again if the link is not to blame', () => {
    for (const status of [429, 500, 503]) {
      expect(typeOf('/tickets/tck_1?link=1', { status })).toBe(PAGE);
      expect(typeOf('/tickets/tck_1?link=1', { status, accept: '*/*' })).toBe(JSON_TYPE);
    }
    const request = { url: '/tickets/tck_1', method: 'GET', headers: { accept: CHROME } };
    const said = (status: number) => errors.write(request, status, errorBody([])).body;
    expect(said(503)).toContain('open the link again');
    expect(said(403)).toContain('for a new one');
  });
});
