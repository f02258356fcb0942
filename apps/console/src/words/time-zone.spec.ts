import { expect, it } from 'vitest';
import { dayOf, instantOf } from './time-zone.js';

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
