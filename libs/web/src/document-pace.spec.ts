import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { DocumentPace } from './document-pace.js';

const MB = 1024 * 1024;
const READER = { ip: '192.0.2.1', method: 'GET' };

let clock: FixedClock;
let pace: DocumentPace;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  clock = new FixedClock();
  pace = new DocumentPace(clock);
});
afterEach(() => void vi.useRealTimers());

/** What becomes of the document now. */
async function asked(reader = READER, bytes = MB): Promise<unknown> {
  let result: unknown = 'waits';
  pace.turn(reader, bytes).then(
    () => (result = 'sent'),
    (error: { status: number; headers: object }) => (result = [error.status, error.headers]),
  );
  await vi.advanceTimersByTimeAsync(0);
  return result;
}

describe('the documents that one address takes', () => {
  it('are sent at once while they are no more than readers take', async () => {
    for (let sent = 0; sent < 32; sent += 1) expect(await asked()).toBe('sent');
  });

  it('wait for their turn beyond that, and are refused when it is far away', async () => {
    for (let sent = 0; sent <= 32; sent += 1) await asked();
    // Eight of them a second, for three seconds.
    for (let waiting = 0; waiting < 24; waiting += 1) expect(await asked()).toBe('waits');
    expect(await asked()).toEqual([429, { 'retry-after': '4' }]);
    clock.advance(1_000);
    expect(await asked()).toBe('waits');
    clock.advance(60_000);
    expect(await asked()).toBe('sent');
  });

  it('are sent when their turn has come', async () => {
    for (let sent = 0; sent <= 32; sent += 1) await asked();
    let isSent = false;
    const turn = pace.turn(READER, MB).then(() => (isSent = true));
    await vi.advanceTimersByTimeAsync(120);
    expect(isSent).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(isSent).toBe(true);
    await turn;
  });

  it('do not count for others, but for the whole network of an IPv6 address', async () => {
    const neighbour = (last: number) => ({ ip: `2001:db8::${last}`, method: 'GET' });
    for (let sent = 0; sent < 60; sent += 1) await asked(neighbour(sent));
    expect(await asked(neighbour(99))).toEqual([429, { 'retry-after': expect.any(String) as string }]);
    expect(await asked()).toBe('sent');
  });

  it('count only if they have a body', async () => {
    for (let sent = 0; sent < 100; sent += 1) expect(await asked({ ...READER, method: 'HEAD' })).toBe('sent');
  });
});
