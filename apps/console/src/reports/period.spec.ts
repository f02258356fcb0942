import { expect, it } from 'vitest';
import { daysBetween, daysOf, placedOn } from './period.js';

const NOW = Date.parse('2026-03-01T23:59:59.999Z');

it('a period ends with today and has whole days', () => {
  const { from, to, days } = daysOf('7', NOW, 'UTC');
  expect([from, to]).toEqual(['2026-02-23T00:00:00.000Z', '2026-03-02T00:00:00.000Z']);
  expect([days.length, days[0], days.at(-1)]).toEqual([7, '2026-02-23', '2026-03-01']);
  expect(daysOf('7', NOW + 1, 'UTC').days.at(-1)).toBe('2026-03-02');
});

it('the days of a period are those of a zone, also when its clocks change', () => {
  const { from, to, days } = daysOf('7', Date.parse('2026-03-29T22:30:00Z'), 'Europe/Berlin');
  expect([days[0], days.at(-1)]).toEqual(['2026-03-24', '2026-03-30']);
  expect([from, to]).toEqual(['2026-03-23T23:00:00.000Z', '2026-03-30T22:00:00.000Z']);
  expect(placedOn('2026-03-29', { zone: 'Europe/Berlin' })).toEqual({
    placed_at: ['gte:2026-03-28T23:00:00.000Z', 'lt:2026-03-29T22:00:00.000Z'],
  });
});

it('a day leads to the list of the orders that were placed on it', () => {
  expect(placedOn('2026-02-28', { zone: 'UTC' }, { status: 'rejected' })).toEqual({
    status: 'rejected',
    placed_at: ['gte:2026-02-28T00:00:00.000Z', 'lt:2026-03-01T00:00:00.000Z'],
  });
});

it('a period of an address has its last day whole', () => {
  expect(daysBetween('2026-02-28', '2026-03-01')).toEqual({
    from: '2026-02-28T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
    days: ['2026-02-28', '2026-03-01'],
    zone: 'UTC',
  });
  expect(daysBetween('2026-03-02', '2026-03-02')?.days).toEqual(['2026-03-02']);
});

it.each([
  ['', ''],
  ['2026-03-02', '2026-03-01'],
  ['2026-02-30', '2026-03-01'],
  ['2026-02-01', '2026-02-30'],
  ['2026-02-01', ''],
  ['2026-3-1', '2026-03-02'],
  ['2020-01-01', '2026-01-01'],
])('%s to %s is no period', (first, last) => {
  expect(daysBetween(first, last)).toBeUndefined();
});
