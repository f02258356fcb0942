import { describe, expect, it } from 'vitest';
import { JsonLinesReader } from './json-lines-reader.js';

describe('JsonLinesReader', () => {
  it('reads one value per line and reports malformed lines', () => {
    const texts = ['{"a":1}', '{"a":', '{"__proto__":1}'].map((text, index) => ({ line: index + 1, text }));
    expect(new JsonLinesReader().read(texts)).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, error: 'is not JSON' },
      { line: 3, error: 'is not JSON' },
    ]);
  });
});
