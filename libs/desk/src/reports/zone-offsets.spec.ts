import { expect, it } from 'vitest';
import { zoneOffsets } from './zone-offsets.js';

const HOUR_S = 3_600;
const YEAR = { from: '2026-01-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' };

it('has the minute at which clocks change, and what they are before UTC from then on', () => {
  expect(zoneOffsets('Europe/Berlin', YEAR)).toEqual({
    since: ['-infinity', '2026-03-29T01:00:00.000Z', '2026-10-25T01:00:00.000Z'],
    seconds: [HOUR_S, 2 * HOUR_S, HOUR_S],
  });
});

it.each([
  ['UTC', 0],
  ['Asia/Calcutta', 5.5 * HOUR_S],
])('has one offset of %s, whose clock does not change', (zone, seconds) => {
  expect(zoneOffsets(zone, { from: '0001-01-01T00:00:00.000Z', to: 'infinity' })).toEqual({
    since: ['-infinity'],
    seconds: [seconds],
  });
});
