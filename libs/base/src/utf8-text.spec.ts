import { describe, expect, it } from 'vitest';
import { Utf8Text } from './utf8-text.js';

describe('Utf8Text', () => {
  it('has all texts in their order as UTF-8, however long they are together', () => {
    const texts = ['plain ', 'Zoë ', '☃😀 ', 'x'.repeat(70_000), '☃'.repeat(150_000), ' end'];
    const out = new Utf8Text();
    for (const text of texts) out.add(text);
    expect(out.take().equals(Buffer.from(texts.join('')))).toBe(true);
  });

  it('gives each text once, and what it gave does not change', () => {
    const out = new Utf8Text();
    out.add('first');
    const first = out.take();
    out.add('other');
    expect([first, out.take(), out.take()].map(String)).toEqual(['first', 'other', '']);
  });
});
