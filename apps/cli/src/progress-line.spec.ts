import { describe, expect, it, vi } from 'vitest';
import { count, ProgressLine } from './progress-line.js';

function terminal(isTTY: boolean) {
  const write = vi.fn<(text: string) => boolean>(() => true);
  return { isTTY, write } as unknown as NodeJS.WriteStream & { write: typeof write };
}

describe('the progress line', () => {
  it('is written over itself on a terminal, at most ten times a second, and cleared', () => {
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

  it('is not in the way where the output goes to a file', () => {
    const screen = terminal(false);
    const line = new ProgressLine(screen);
    line.show('1 event');
    line.clear();
    expect(screen.write).not.toHaveBeenCalled();
  });

  it.each([
    [0, '0'],
    [999.6, '1,000'],
    [1_234_567, '1,234,567'],
  ])('writes %d as %s', (number, text) => {
    expect(count(number)).toBe(text);
  });
});
