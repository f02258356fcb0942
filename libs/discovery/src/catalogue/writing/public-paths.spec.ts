import { describe, expect, it } from 'vitest';
import { withPublicAddresses } from './public-paths.js';

const SITE = 'https://tickets.example/shop';
const urlIn = (url: string) => (JSON.parse(withPublicAddresses(JSON.stringify({ url }), SITE)) as { url: string }).url;

describe('withPublicAddresses', () => {
  it.each([
    ['/e/7', '/e/7'],
    ['/p/z%C3%B6e', '/p/z%C3%B6e'],
    ['/v/pier-nine-2', '/v/pier-nine-2'],
    ['/2/events/7', '/e/7'],
    ['/performers/zöe', '/p/z%C3%B6e'],
    ['/venues/pier-nine', '/v/pier-nine'],
  ])('leads from the stored path %s to a public page', (stored, path) => {
    expect(urlIn(stored)).toBe(SITE + path);
  });

  it('keeps every other address', () => {
    for (const url of ['https://other.example/e/7', '/tickets/7', '/2/venues/7', '/e/', 'e/7'])
      expect(urlIn(url)).toBe(url);
  });

  it('changes the documents in a document, and no text that looks like a document', () => {
    const title = '{"url":"/e/1"}';
    const document = { title, url: '/e/1', venue: { url: '/v/a-2' }, performers: [{ name: 'url', url: '/p/b' }] };
    expect(JSON.parse(withPublicAddresses(JSON.stringify(document), SITE))).toEqual({
      title,
      url: `${SITE}/e/1`,
      venue: { url: `${SITE}/v/a-2` },
      performers: [{ name: 'url', url: `${SITE}/p/b` }],
    });
  });
});
