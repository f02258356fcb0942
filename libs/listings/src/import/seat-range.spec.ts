import { expect, it } from 'vitest';
import { seatRange } from './seat-range.js';

it.each([
  ['5', '8', 4, ['5', '6', '7', '8']],
  ['5', '8', undefined, ['5', '6', '7', '8']],
  ['1', '7', 4, ['1', '3', '5', '7']],
  ['A09', 'A10', 2, ['A09', 'A10']],
  ['12', '', 1, ['12']],
  ['', '', 4, []],
  ['GA', 'GA', 4, []],
])('from %j to %j for %j tickets', (from, thru, quantity, seats) => {
  expect(seatRange(from, thru, quantity)).toEqual(seats);
});

it.each([
  ['8', '5', 4],
  ['A1', 'B4', 4],
  ['1', 'GA', 2],
  ['1', '9999', 4],
])('from %j to %j is no range', (from, thru, quantity) => {
  expect(seatRange(from, thru, quantity)).toBe(`seat_from: from ${from} to ${thru} is no range of seats`);
});

it('names a number of tickets that does not fit', () => {
  expect(seatRange('1', '4', 3)).toBe('seat_from: from 1 to 4 are 4 seats, and quantity says 3');
});
