import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const BUILT = new URL('../../../dist/console/', import.meta.url);

// What a browser loads before it shows the list of orders. More makes people wait on a phone.
const MOST_BYTES = 250_000;

it('the first screen needs at most 250 kB of JavaScript', () => {
  const index = readFileSync(new URL('index.html', BUILT), 'utf8');
  const files = [...index.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(1);
  const bytes = files.map((file) => gzipSync(readFileSync(new URL(file, BUILT))).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MOST_BYTES);
});
