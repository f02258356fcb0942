import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { pointInTime } from './point-in-time.js';

function read(text: string) {
  const messages: string[] = [];
  return { at: pointInTime('--from', (line) => messages.push(line))(text), messages };
}

describe('a point in time', () => {
  it('is midnight UTC if only the day is given, and says so', () => {
    expect(read('2026-11-01')).toEqual({
      at: '2026-11-01T00:00:00.000Z',
      messages: ['--from 2026-11-01 is taken as 2026-11-01T00:00:00.000Z.'],
    });
  });

  it.each([
    ['2026-11-01T12:00:00Z', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T12:00Z', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T12:00:00.5+02:00', '2026-11-01T10:00:00.500Z'],
  ])('%s is %s', (text, at) => {
    expect(read(text)).toEqual({ at, messages: [] });
  });

  it.each(['yesterday', '2026-11', '2026-02-30', '2026-02-30T12:00:00Z', '2026-11-01T12:00:00', '1764000000', ''])(
    '%j is none',
    (text) => {
      expect(() => read(text)).toThrow(InvalidArgumentError);
    },
  );
});
