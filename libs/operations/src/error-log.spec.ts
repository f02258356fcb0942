import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorLog } from './error-log.js';

describe('the log of faults', () => {
  let lines: unknown[];
  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    vi.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void lines.push(line));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('says what lasts once, and again every half minute', async () => {
    const report = errorLog('pings');
    for (let second = 0; second < 40; second += 1) {
      report(new Error('connect ECONNREFUSED'));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    report(new Error('another'));
    expect(lines).toEqual(['Error: connect ECONNREFUSED', 'Error: connect ECONNREFUSED', 'Error: another']);
  });

  it('names the code of an error, and no value that a database quotes', () => {
    const report = errorLog('pings');
    report(Object.assign(new Error(''), { code: 'ECONNREFUSED' }));
    report(Object.assign(new Error('Key (ref_id)=(secret) already exists'), { code: '23505' }));
    expect(lines).toEqual(['Error:  (ECONNREFUSED)', 'Error (23505)']);
  });
});
