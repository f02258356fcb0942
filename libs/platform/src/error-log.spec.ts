import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorLog } from './error-log.js';

describe('the error log', () => {
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

  it('logs a lasting error once, and again every 30 s', async () => {
    const report = errorLog('pings');
    for (let second = 0; second < 40; second += 1) {
      report(new Error('connect ECONNREFUSED'));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    report(new Error('another'));
    const again = 'Error: connect ECONNREFUSED, and 29 like it since the last such line';
    expect(lines).toEqual(['Error: connect ECONNREFUSED', again, 'Error: another']);
  });

  it('names the first job that failed with an error', () => {
    const report = errorLog('deadlines');
    report(new Error('no such payment'), 'ord_1-3');
    report(new Error('no such payment'), 'ord_2-3');
    expect(lines).toEqual(['Error: no such payment (job ord_1-3)']);
  });

  it('logs errors that differ in the id of a job only once, and counts them', async () => {
    const report = errorLog('pings');
    for (let job = 1; job <= 400; job += 1) {
      report(new Error(`Missing lock for job ord_0${job}-${job}. moveToFinished`));
      report(new Error(`could not renew lock for job ${job}`));
      report(new Error(`there is no order ord_${job}`), `ord_${job}`);
    }
    await vi.advanceTimersByTimeAsync(30_000);
    report(new Error('Missing lock for job ord_9. moveToFinished'));
    report(new Error('Missing lock for job ord_9. retryJob'));
    expect(lines).toEqual([
      'Error: Missing lock for job ord_01-1. moveToFinished',
      'Error: could not renew lock for job 1',
      'Error: there is no order ord_1 (job ord_1)',
      'Error: Missing lock for job ord_9. moveToFinished, and 399 like it since the last such line',
      'Error: Missing lock for job ord_9. retryJob',
    ]);
  });

  it('logs the code of an error, but no value that a database quotes', () => {
    const report = errorLog('pings');
    report(Object.assign(new Error(''), { code: 'ECONNREFUSED' }));
    report(Object.assign(new Error('Key (ref_id)=(secret) already exists'), { code: '23505' }));
    expect(lines).toEqual(['Error:  (ECONNREFUSED)', 'Error (23505)']);
  });
});
