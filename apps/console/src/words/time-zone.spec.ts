import { expect, it } from 'vitest';
import { dayAfter, dayOf, instantOf, isDay, localTimeOf, midnightOf } from './time-zone.js';

it.each([
  ['Europe/Berlin', '2026-11-26T00:00', '2026-11-25T23:00:00.000Z'],
  ['Europe/Berlin', '2026-07-26T00:00', '2026-07-25T22:00:00.000Z'],
  ['America/New_York', '2026-11-26T23:59:59', '2026-11-27T04:59:59.000Z'],
  // The day on which clocks are set back at three.
  ['Europe/Berlin', '2026-10-25T00:00', '2026-10-24T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T12:00', '2026-10-25T11:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-26T09:00', '2026-11-26T03:30:00.000Z'],
])('a clock in %s shows %s at %s', (zone, local, instant) => {
  expect(instantOf(local, zone).toISOString()).toBe(instant);
});

it('the day of an instant is that of the zone', () => {
  const at = new Date('2026-11-26T02:00:00Z');
  expect([dayOf(at, 'America/New_York'), dayOf(at, 'Europe/Berlin')]).toEqual(['2026-11-25', '2026-11-26']);
});

it('a field of day and time has what a clock in the zone shows, and gives the same instant back', () => {
  const at = new Date('2026-07-26T16:30:00Z');
  expect(localTimeOf(at, 'America/New_York')).toBe('2026-07-26T12:30');
  expect(instantOf(localTimeOf(at, 'Asia/Kolkata'), 'Asia/Kolkata')).toEqual(at);
});

it('a day ends where the next one begins, an hour earlier when clocks go forward', () => {
  const hours = (day: string) =>
    (+midnightOf(dayAfter(day), 'Europe/Berlin') - +midnightOf(day, 'Europe/Berlin')) / 3_600_000;
  expect(['2026-03-28', '2026-03-29', '2026-10-25'].map(hours)).toEqual([24, 23, 25]);
  expect([dayAfter('2026-02-28'), dayAfter('2026-01-01', -1)]).toEqual(['2026-03-01', '2025-12-31']);
});

it.each([
  ['2026-02-28', true],
  ['2026-02-30', false],
  ['2026-2-3', false],
  ['', false],
  [undefined, false],
])('%j is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});
