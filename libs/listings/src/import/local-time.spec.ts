import { expect, it } from 'vitest';
import { clockTimeOf, localTimeOf } from './local-time.js';

it.each([
  ['11/27/2026 8:00 PM', '2026-11-27T20:00:00'],
  ['11/27/26 12:05 am', '2026-11-27T00:05:00'],
  ['11/27/2026', '2026-11-27'],
  ['2026-11-27', '2026-11-27'],
  ['2026-11-27 20:00', '2026-11-27T20:00:00'],
  ['2026-11-27T20:00:30.5', '2026-11-27T20:00:30'],
  ['27.11.2026 20:00', '2026-11-27T20:00:00'],
  ['Fri, Nov 27, 2026 at 8 PM', '2026-11-27T20:00:00'],
  ['November 27th 2026', '2026-11-27'],
  ['27-Nov-2026, 8:00\u202fPM', '2026-11-27T20:00:00'],
])('%j is %s', (text, time) => {
  expect(localTimeOf(text)).toBe(time);
});

it.each(['', 'soon', '27/11/2026', '2/30/2026', '11/27/2026 25:00', '11/27/2026 8', '2026-11-27T20:00:00Z', '13/1/26'])(
  '%j is no local time',
  (text) => {
    expect(localTimeOf(text)).toBeUndefined();
  },
);

it('knows times of a day', () => {
  expect(['8:00 PM', '8pm', '20:00', '12 AM', '0:15'].map(clockTimeOf)).toEqual([
    '20:00:00',
    '20:00:00',
    '20:00:00',
    '00:00:00',
    '00:15:00',
  ]);
  expect(['', '8', '24:00', '13 PM', '8:60', 'TBD'].map(clockTimeOf)).toEqual(Array(6).fill(undefined));
});
