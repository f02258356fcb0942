import { describe, expect, it, vi } from 'vitest';
import { count, ProgressLine, progressOf } from './progress-line.js';

function terminal(isTTY: boolean) {
  const write = vi.fn<(text: string) => boolean>(() => true);
  return { isTTY, write } as unknown as NodeJS.WriteStream & { write: typeof write };
}

describe('the progress line', () => {
  it('is overwritten on a terminal, at most ten times a second, and then cleared', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000);
    const screen = terminal(true);
    const line = new ProgressLine(screen);
    line.show('1 event');
    line.show('2 events');
    clock.mockReturnValue(5_100);
    line.show('3 events');
    line.clear();
    expect(screen.write.mock.calls.flat()).toEqual(['\r1 event\u001b[K', '\r3 events\u001b[K', '\r\u001b[K']);
    clock.mockRestore();
  });

  it('is a plain line every five seconds if the output is a file', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000);
    const screen = terminal(false);
    const line = new ProgressLine(screen);
    for (const [at, text] of [
      [5_100, 'a quick one needs none'],
      [10_000, '2 events'],
      [14_900, '3 events'],
      [15_000, '4 events'],
    ] as const) {
      clock.mockReturnValue(at);
      line.show(text);
    }
    line.clear();
    expect(screen.write.mock.calls.flat()).toEqual(['2 events\n', '4 events\n']);
    clock.mockRestore();
  });

  it.each([
    [0, 4_800, 60_000, '0 of 4,800 events, 0 %'],
    [1_200, 4_800, 500, '1,200 of 4,800 events, 25 %'],
    [1_200, 4_800, 30_000, '1,200 of 4,800 events, 25 %, 1 min 30 s left'],
    [1, 1_000, 10_000, '1 of 1,000 events, 0 %, 2 h 46 min left'],
    [4_799, 4_800, 10_000, '4,799 of 4,800 events, 99 %, 1 s left'],
    [5_000, 4_800, 10_000, '5,000 of 5,000 events, 100 %, 0 s left'],
    [0, 0, 10_000, '0 of 0 events, 0 %'],
  ])('for %d of %d after %d ms is: %s', (done, total, elapsedMs, says) => {
    expect(progressOf(done, total, 'events', elapsedMs)).toBe(says);
  });

  it.each([
    [0, '0'],
    [999.6, '1,000'],
    [1_234_567, '1,234,567'],
  ])('writes %d as %s', (number, text) => {
    expect(count(number)).toBe(text);
  });
});
