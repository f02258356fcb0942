import { describe, expect, it } from 'vitest';
import { unlinked } from './unlinked.js';

/** What mail programs look for. */
const LINKED = /[a-z][a-z0-9+.-]*:\/\/\S|www\.\S|mailto:\S|\S@\S+\.\p{L}|[\p{L}\p{N}-][.．。｡]\p{L}{2}/iu;

describe('a text of others', () => {
  it.each([
    'https://evil.example/a?b=c',
    'HTTP://EVIL.EXAMPLE',
    'http://1.2.3.4/x',
    '//evil.example',
    'www.evil.example',
    'evil.example',
    'see evil.co.uk/login now',
    'mailto:help@evil.example',
    'help@evil.example',
    'xn--80ak6aa92e.com',
    'аррӏе.рф',
    'evil。com and evil．com',
    'evil.\u200bcom',
    'evil\u2060.com',
    'evil.\u200dcom',
    'https:\u200d//evil.example',
    'ftp://user:pass@evil.example',
    'javascript:alert(1)',
    'tel:+19005550199',
    'two\nlines\r\nevil.example',
    '\u202emoc.live\u202c.example',
  ])('%j has nothing that a mail program links', (text) => {
    const written = unlinked(text);
    expect(written).not.toMatch(LINKED);
    expect(written).not.toMatch(/\p{L}:[^\s\d]|\/\/|[\r\n\u202a-\u202e]/u);
  });

  it.each([
    'Hamilton <live>',
    'Palace, Albany',
    'Section 104, row C',
    'Friday, November 27, 2026 at 8:00 PM',
    '$1,254.60',
    'St. Louis Cardinals vs. Cubs',
    'AC/DC: Power Up',
    'Sinéad O’Connor & friends!',
    '2 tickets',
    '👨‍👩‍👧 day',
  ])('%j stays as it is', (text) => {
    expect(unlinked(text)).toBe(text);
  });

  it('stays readable', () => {
    expect(unlinked('J.R.R. Tolkien at will.i.am')).toBe('J. R. R. Tolkien at will. i. am');
  });
});
