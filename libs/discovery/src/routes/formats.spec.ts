import { describe, expect, it } from 'vitest';
import { compressed, encodingFor } from '#web/accepted-encoding';
import { type AnswerFormat, render } from './answer-format.js';
import { ArgumentReader } from './argument-reader.js';
import { credentialsOf } from './credentials.js';
import { isDiscovery, withoutTrailingSlash } from '#web/discovery-path';
import { withPartner } from './partner-links.js';
import { PRESENTATION } from './presentation.js';
import { parseQuery } from './query-string.js';

function presentation(query: string): unknown {
  const args = new ArgumentReader(parseQuery(`/x?${query}`));
  const read = PRESENTATION.read(args);
  return args.issues.length > 0 ? args.issues.map(({ argument }) => argument) : read;
}

const formatted = (format: AnswerFormat) => ({ format, partner: undefined });

describe('the format', () => {
  it.each<[string, unknown]>([
    ['', formatted({ kind: 'json' })],
    ['format=XML', formatted({ kind: 'xml' })],
    ['callback=', formatted({ kind: 'json' })],
    ['callback=cb&format=xml', formatted({ kind: 'jsonp', callback: 'cb' })],
    ['callback=jQuery1102_1.callbacks[3]._0', formatted({ kind: 'jsonp', callback: 'jQuery1102_1.callbacks[3]._0' })],
    ['aid=12&rid=a%26b', { format: { kind: 'json' }, partner: 'aid=12&rid=a%26b' }],
    ['format=yaml&callback=alert(1)', ['format', 'callback']],
    ['format=', ['format']],
    ...['alert(1)//', 'a;b', 'a b', '1a', '<script>', 'a.', '.a', 'a[b]', "a['b']", 'a\u2028b', 'é'].map(
      (name): [string, unknown] => [`callback=${encodeURIComponent(name)}`, ['callback']],
    ),
    [`callback=${'a'.repeat(129)}`, ['callback']],
  ])('%s', (query, expected) => expect(presentation(query)).toEqual(expected));

  it('of a callback is a script with the same content', () => {
    const value = { text: 'line\u2028paragraph\u2029</script>' };
    const script = render(JSON.stringify(value), { kind: 'jsonp', callback: 'cb' });
    expect(script).not.toMatch(/[\u2028\u2029]/);
    expect(JSON.parse(/^cb\((.*)\);$/s.exec(script)?.[1] ?? '')).toEqual(value);
  });
});

describe('the ids of a partner', () => {
  it('are on every address of a document and nowhere else', () => {
    const document = {
      title: 'https://a.example',
      url: 'https://tickets.example/e/1',
      performers: [
        {
          url: '/p?a=1#top',
          image: 'https://i.example/1',
          images: { huge: 'https://i.example/2', '1200x525': 'https://i.example/3?w=1' },
          links: [
            { provider: 'spotify', id: 'spotify:artist:1', url: 'https://m.example' },
            { url: 'spotify:artist:1' },
          ],
        },
      ],
      venue: { url: 'https://tickets.example/v?' },
      none: { url: null, image: '', images: null },
    };
    expect(JSON.parse(withPartner(JSON.stringify(document), 'aid=1&rid=2'))).toEqual({
      title: 'https://a.example',
      url: 'https://tickets.example/e/1?aid=1&rid=2',
      performers: [
        {
          url: '/p?a=1&aid=1&rid=2#top',
          image: 'https://i.example/1?aid=1&rid=2',
          images: { huge: 'https://i.example/2?aid=1&rid=2', '1200x525': 'https://i.example/3?w=1&aid=1&rid=2' },
          links: [
            { provider: 'spotify', id: 'spotify:artist:1', url: 'https://m.example?aid=1&rid=2' },
            { url: 'spotify:artist:1' },
          ],
        },
      ],
      venue: { url: 'https://tickets.example/v?aid=1&rid=2' },
      none: { url: null, image: '', images: null },
    });
  });
});

describe('the encoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['identity', undefined],
    ['GZIP ; Q=1', 'gzip'],
    ['br;q=x', undefined],
  ])('%s', (accepted, expected) => expect(encodingFor(accepted)).toBe(expected));

  it('makes the answer smaller', async () => {
    const body = Buffer.from('{"id":1}'.repeat(500));
    for (const encoding of ['br', 'gzip'] as const) {
      expect((await compressed(body, encoding)).length).toBeLessThan(body.length / 10);
    }
  });
});

describe('credentials', () => {
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
  it.each<[string, string | undefined, object | undefined]>([
    ['', undefined, undefined],
    ['client_id=', undefined, undefined],
    ['client_id=a', undefined, { clientId: 'a' }],
    ['client_id=a&client_secret=', undefined, { clientId: 'a' }],
    ['client_id=a&client_secret=s', undefined, { clientId: 'a', secret: 's' }],
    ['', basic('a'), { clientId: 'a' }],
    ['', basic('a:'), { clientId: 'a' }],
    ['', basic('a:s:t'), { clientId: 'a', secret: 's:t' }],
    ['', basic('a').replace(/=+$/, '').replace('Basic', 'bAsIc'), { clientId: 'a' }],
    ['', basic(':s'), undefined],
    ['', 'Basic ', undefined],
    ['', 'Basic !', undefined],
    ['', 'Bearer YQ==', undefined],
    ['client_id=a', basic('b:s'), { clientId: 'a' }],
  ])('%s %s', (query, authorization, expected) => {
    expect(credentialsOf(parseQuery(`/x?${query}`), authorization)).toEqual(expected);
  });
});

describe('a path of discovery', () => {
  it('is below /2 and may end with a slash', () => {
    expect(['/2/events', '/2', '/2?x', '/2/'].map(isDiscovery)).toEqual([true, true, true, true]);
    expect(['/', '/20/events', '/checkout/2/', '/v2/events', '2/'].map(isDiscovery)).toEqual(Array(5).fill(false));
    expect(['/2/events/', '/2/events/?a=/', '/2/events', '/2/', '/2/events?a=/'].map(withoutTrailingSlash)).toEqual([
      '/2/events',
      '/2/events?a=/',
      '/2/events',
      '/2',
      '/2/events?a=/',
    ]);
  });
});
