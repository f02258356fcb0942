import { expect, test } from 'vitest';
import { timePhraseAt } from './time-phrases.js';

const day = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;
const iso = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10);

function days(text: string, today: string): readonly [string, string] | undefined {
  const when = timePhraseAt(text.split(' '))?.when;
  if (when?.kind !== 'from-today') return undefined;
  const { from, to } = when.days(day(today));
  return [iso(from), iso(to - 1)];
}

// 20 November 2026 is a Friday.
test.each([
  ['today', '2026-11-20', ['2026-11-20', '2026-11-20']],
  ['tonight', '2026-11-20', ['2026-11-20', '2026-11-20']],
  ['tomorrow', '2026-12-31', ['2027-01-01', '2027-01-01']],
  ['this weekend', '2026-11-18', ['2026-11-20', '2026-11-22']],
  ['weekend', '2026-11-21', ['2026-11-21', '2026-11-22']],
  ['this weekend', '2026-11-22', ['2026-11-22', '2026-11-22']],
  ['next weekend', '2026-11-22', ['2026-11-27', '2026-11-29']],
  ['this week', '2026-11-20', ['2026-11-20', '2026-11-22']],
  ['next week', '2026-11-20', ['2026-11-23', '2026-11-29']],
  ['this month', '2026-11-20', ['2026-11-20', '2026-11-30']],
  ['next month', '2026-12-20', ['2027-01-01', '2027-01-31']],
  ['next year', '2026-12-20', ['2027-01-01', '2027-12-31']],
  ['friday', '2026-11-20', ['2026-11-20', '2026-11-20']],
  ['on monday', '2026-11-20', ['2026-11-23', '2026-11-23']],
  ['next friday', '2026-11-20', ['2026-11-27', '2026-11-27']],
])('%s, said on %s, is %j', (text, today, expected) => {
  expect(days(text, today)).toEqual(expected);
});

test.each([
  ['june', { month: 5 }, 1, false],
  ['in june', { month: 5 }, 2, true],
  ['may 2026', { month: 4, year: 2026 }, 2, true],
  ['june 5th 2027', { month: 5, day: 5, year: 2027 }, 3, true],
  ['sept 9', { month: 8, day: 9 }, 2, true],
  ['5 june 2027', { month: 5, day: 5, year: 2027 }, 3, true],
  ['2026', { year: 2026 }, 1, false],
  ['2026 06 05', { year: 2026, month: 5, day: 5 }, 3, true],
])('%s is %j', (text, date, length, sure) => {
  const found = timePhraseAt(text.split(' '));
  expect(found).toMatchObject({ length, sure });
  expect(found?.when).toEqual({ kind: 'calendar', ...date });
});

test.each(['week', 'the weeknd', 'next to normal', '5', 'in new york', 'on', '', '1776', 'this'])(
  '%j is not a time',
  (text) => {
    expect(timePhraseAt(text.split(' '))).toBeUndefined();
  },
);
