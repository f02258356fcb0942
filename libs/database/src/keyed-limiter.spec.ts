import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hadNoEffect } from './database-errors.js';
import { KeyedLimiter, TooManyWaiters } from './keyed-limiter.js';

const LOCK_NOT_AVAILABLE = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A limiter of a pool, and statements that run until the test ends them. */
function simulation(max: number | undefined) {
  const limiter = KeyedLimiter.of({ options: { max } });
  const running: { name: string; end: () => void; fail: (error: unknown) => void }[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      running.push({ name, end: () => resolve(name), fail: reject });
    });
  const run = (key: string, name: string) => limiter.run(key, work(name));
  const runAll = (keys: string[], name: string) => limiter.runAll(keys, work(name));
  const names = async () => {
    await vi.advanceTimersByTimeAsync(0);
    return running.map(({ name }) => name);
  };
  const take = (name: string) => {
    const [found] = running.splice(
      running.findIndex((one) => one.name === name),
      1,
    );
    if (!found) throw new Error(`${name} does not run`);
    return found;
  };
  return { run, runAll, names, end: (name: string) => take(name).end(), fail: (name: string) => take(name).fail };
}

describe('the number of concurrent statements', () => {
  it.each([
    [6, 3],
    [7, 3],
    [1, 1],
    [undefined, 5],
  ])('of a pool of %s, %s statements for one key', async (max, expected) => {
    const { run, names } = simulation(max);
    for (let n = 0; n < 20; n += 1) void run('a', `${n}`);
    expect(await names()).toHaveLength(expected);
  });

  it('is limited per pool, and another pool has another limiter', () => {
    const pool = { options: { max: 6 } };
    expect(KeyedLimiter.of(pool)).toBe(KeyedLimiter.of(pool));
    expect(KeyedLimiter.of({ options: { max: 6 } })).not.toBe(KeyedLimiter.of(pool));
  });

  it('is the same after some have ended', async () => {
    const { run, names, end } = simulation(4);
    for (const name of ['1', '2']) void run('a', name);
    await names();
    end('1');
    await names();
    for (const name of ['3', '4']) void run('a', name);
    expect(await names()).toEqual(['2', '3']);
  });

  it('does not depend on other keys', async () => {
    const { run, names } = simulation(2);
    void run('a', 'a1');
    void run('a', 'a2');
    void run('b', 'b1');
    expect(await names()).toEqual(['a1', 'b1']);
  });
});

it('a waiting caller gets the place of the first that ends, in order of arrival, and its own result', async () => {
  const { run, names, end } = simulation(2);
  void run('a', '1');
  const second = run('a', '2');
  void run('a', '3');
  expect(await names()).toEqual(['1']);
  end('1');
  expect(await names()).toEqual(['2']);
  end('2');
  expect(await second).toBe('2');
  expect(await names()).toEqual(['3']);
});

it('a failed statement releases its place, and fails nobody else', async () => {
  const { run, names, fail } = simulation(2);
  const first = run('a', '1');
  void run('a', '2');
  await names();
  fail('1')(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  expect(await names()).toEqual(['2']);
});

it('a caller that has waited for 5 s is rejected, and nothing was done', async () => {
  const { run, names, end } = simulation(2);
  void run('a', '1');
  const late = run('a', '2').catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(4_999);
  const later = run('a', '3');
  await vi.advanceTimersByTimeAsync(1);
  const error = await late;
  expect(error).toBeInstanceOf(TooManyWaiters);
  expect(hadNoEffect(error)).toBe(true);
  end('1');
  expect(await names()).toEqual(['3']);
  end('3');
  expect(await later).toBe('3');
});

it('an unavailable lock rejects the waiting callers of the same key, and no others', async () => {
  const { run, names, fail } = simulation(2);
  const answers = ['1', '2', '3'].map((name) => run('a', name).catch((error: unknown) => error));
  void run('b', 'b1');
  void run('b', 'b2');
  await names();
  fail('1')(LOCK_NOT_AVAILABLE);
  expect(await Promise.all(answers)).toEqual([LOCK_NOT_AVAILABLE, LOCK_NOT_AVAILABLE, LOCK_NOT_AVAILABLE]);
  expect(await names()).toEqual(['b1']);
  void run('a', '4');
  expect(await names()).toEqual(['b1', '4']);
});

describe('a statement for several keys', () => {
  it('counts for each of them', async () => {
    const { run, runAll, names, end } = simulation(2);
    void runAll(['a', 'b'], 'all');
    void run('a', 'a1');
    void run('b', 'b1');
    expect(await names()).toEqual(['all']);
    end('all');
    expect(await names()).toEqual(['a1', 'b1']);
  });

  it('waits for all of them in one order, so two such callers never deadlock', async () => {
    const { runAll, run, names, end } = simulation(2);
    void run('a', 'a1');
    void run('b', 'b1');
    void runAll(['a', 'b'], 'first');
    void runAll(['b', 'a'], 'second');
    expect(await names()).toEqual(['a1', 'b1']);
    end('a1');
    expect(await names()).toEqual(['b1']);
    end('b1');
    expect(await names()).toEqual(['first']);
    end('first');
    expect(await names()).toEqual(['second']);
  });

  it('leaves the queues when it is rejected', async () => {
    const { runAll, run, names, end } = simulation(2);
    void run('b', 'b1');
    const rejected = runAll(['a', 'b'], 'all').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await rejected).toBeInstanceOf(TooManyWaiters);
    void run('a', 'a1');
    expect(await names()).toEqual(['b1', 'a1']);
    end('b1');
    void run('b', 'b2');
    expect(await names()).toEqual(['a1', 'b2']);
  });

  it('rejects nobody if a lock was unavailable, because it is unknown which key it was', async () => {
    const { runAll, run, names, fail } = simulation(2);
    const all = runAll(['a', 'b'], 'all').catch((error: unknown) => error);
    void run('a', 'a1');
    await names();
    fail('all')(LOCK_NOT_AVAILABLE);
    expect(await all).toBe(LOCK_NOT_AVAILABLE);
    expect(await names()).toEqual(['a1']);
  });
});
