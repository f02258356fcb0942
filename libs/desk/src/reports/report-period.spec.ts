import { describe, expect, it } from 'vitest';
import { lastEnd, lastSettledEnd, nextSending, periodUntil } from './report-period.js';

const at = (text: string) => Date.parse(text);
const shown = (ms: number) => new Date(ms).toISOString();

describe('the newest period that is over', () => {
  it.each([
    ['daily', '2026-11-22T23:59:59.999Z', '2026-11-22T00:00:00.000Z'],
    ['daily', '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    // 22 November 2026 is a Sunday.
    ['weekly', '2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
    ['weekly', '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['weekly', '2026-11-29T23:59:59.999Z', '2026-11-23T00:00:00.000Z'],
    ['weekly', '2027-01-01T12:00:00.000Z', '2026-12-28T00:00:00.000Z'],
  ] as const)('%s at %s ended %s', (schedule, now, end) => {
    expect(shown(lastEnd(schedule, at(now)))).toBe(end);
  });

  it('counts a minute later, when its last purchases are in the database', () => {
    expect(shown(lastSettledEnd('daily', at('2026-11-23T00:00:59.999Z')))).toBe('2026-11-22T00:00:00.000Z');
    expect(shown(lastSettledEnd('daily', at('2026-11-23T00:01:00.000Z')))).toBe('2026-11-23T00:00:00.000Z');
    expect(shown(nextSending('weekly', at('2026-11-16T00:00:00.000Z')))).toBe('2026-11-23T00:01:00.000Z');
  });

  it('has whole days, also over the end of a month', () => {
    expect(periodUntil('daily', at('2026-12-01T00:00:00.000Z'))).toEqual({
      from: '2026-11-30T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
      days: ['2026-11-30'],
    });
    const { from, days } = periodUntil('weekly', at('2026-11-02T00:00:00.000Z'));
    expect([from, days.length, days[0], days.at(-1)]).toEqual([
      '2026-10-26T00:00:00.000Z',
      7,
      '2026-10-26',
      '2026-11-01',
    ]);
  });
});
