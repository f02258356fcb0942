import { describe, expect, it } from 'vitest';
import { withSafeAddresses } from './safe-addresses.js';

const cleaned = (document: object): unknown => JSON.parse(withSafeAddresses(JSON.stringify(document)));

const UNSAFE = [
  'javascript:alert(1)',
  'JavaScript://tickets.example/%0aalert(1)',
  ' javascript:alert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://tickets.example/1',
  'https:evil',
  'mailto:a@b.example',
  '"javascript:alert(1)',
];
const SAFE = [
  'https://tickets.example/a:b?c="d"\\',
  'HTTP://tickets.example',
  '/e/7',
  '/a:b',
  'e/7',
  'www.example',
  '',
];

describe('an address of a document as sent', () => {
  it.each(UNSAFE)('is left out if its scheme is not http or https: %j', (address) => {
    const given = { url: address, image: address, images: { huge: address, small: '/a.png' }, venue: { url: address } };
    expect(cleaned(given)).toEqual({ url: '', image: null, images: { small: '/a.png' }, venue: { url: '' } });
    expect(cleaned({ links: [{ provider: 'x', url: address }] })).toEqual({ links: [{ provider: 'x', url: '' }] });
  });

  it.each(SAFE)('else stays, and with it the text: %j', (address) => {
    const given = {
      url: address,
      image: address,
      images: { huge: address, '1x': address },
      performers: [{ url: address }],
    };
    expect(withSafeAddresses(JSON.stringify(given))).toBe(JSON.stringify(given));
  });

  it('is not looked for in texts', () => {
    const given = {
      title: '"url":"javascript:x"',
      image: null,
      images: null,
      name: 'javascript:x',
      n: 1.5,
      e: { images: {} },
    };
    expect(withSafeAddresses(JSON.stringify(given))).toBe(JSON.stringify(given));
  });
});
