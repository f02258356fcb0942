import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.js';

const now = Date.parse('2026-11-21T12:00:00Z');

it.each([
  ['3', 3_000],
  [' 0 ', 0],
  ['Sat, 21 Nov 2026 12:00:07 GMT', 7_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['May', undefined],
  ['soon GMT', undefined],
  ['', undefined],
])('Retry-After %j is %s ms', (text, ms) => {
  expect(retryAfterMs(new Response('', { headers: { 'retry-after': text } }), now)).toBe(ms);
});
