import { describe, expect, it } from 'vitest';
import { safeJson, table, visible } from './text-table.js';

const ESCAPE = '\u001b[2J';

describe('text of strangers', () => {
  it.each([
    ['Zoë & Åsa', 'Zoë & Åsa'],
    [ESCAPE, '\\u{1b}[2J'],
    ['a\nb\tc', 'a\\u{a}b\\u{9}c'],
    ['\u009b31m', '\\u{9b}31m'],
    ['\u202eabc', '\\u{202e}abc'],
    ['\ud800', '\\u{d800}'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('is the same in JSON, without control characters', () => {
    const value = { ref_id: `${ESCAPE}\u009b\u202e\u2028\u{e0001}Zoë` };
    const json = safeJson(value);
    expect(JSON.parse(json)).toEqual(value);
    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{C}\u2028]/u);
    expect(json).toContain('Zoë');
  });
});

it('a table has aligned columns', () => {
  expect(
    table(
      ['id', 'name'],
      [
        ['1', 'one'],
        ['100', ESCAPE],
      ],
    ),
  ).toBe('id   name\n1    one\n100  \\u{1b}[2J');
});
