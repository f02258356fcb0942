import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/support/until.js';
import type { StreamedPing } from './ping-stream-reader.js';
import { type Batch, PingTail } from './ping-tail.js';

let stream: StreamedPing[];
let reads: number[];
let batches: Batch[];
let errors: unknown[];
let wanted: boolean;
let failing: boolean;
let tail: PingTail;

beforeEach(() => {
  [stream, reads, batches, errors] = [[], [], [], []];
  [wanted, failing] = [true, false];
  tail = new PingTail({
    latest: async (limit) => stream.slice(-limit),
    read: async ({ after, limit }) => {
      if (failing) throw new Error('no database');
      reads.push(after);
      const entries = stream.filter(({ position }) => position > after).slice(0, limit);
      return { entries, next: entries.length === limit ? entries.at(-1)!.position : newest() };
    },
    onBatch: (batch) => batches.push(batch),
    onError: (error) => errors.push(error),
    isNeeded: () => wanted,
    intervalMs: () => 0,
  });
});
afterEach(() => tail.stop());

const newest = () => stream.at(-1)?.position ?? 0;

function grow(count: number): void {
  for (let n = 0; n < count; n += 1) {
    const keys = { status: 's', status_code: 1, event_id: 'e', listing_id: 'l', client_id: 'c' };
    stream.push({ position: newest() + 2, json: '{}', ...keys });
  }
  tail.wake();
}

const seen = () => batches.flatMap(({ entries }) => entries.map(({ position }) => position));

describe('the end of the stream', () => {
  it('starts at the end of the stream and passes on batches without gaps', async () => {
    grow(3);
    await tail.follow();
    expect(tail.position).toBe(6);
    expect(tail.since(2)?.entries).toEqual(stream.slice(1));
    grow(1_200);
    await until(() => tail.position === newest());
    grow(1);
    await until(() => tail.position === newest());
    expect(seen()).toEqual(stream.slice(3).map(({ position }) => position));
    for (const [index, { after }] of batches.entries()) expect(after).toBe(batches[index - 1]?.upTo ?? 6);
  });

  it('is read once for each growth, not for each follower', async () => {
    await Promise.all([tail.follow(), tail.follow(), tail.follow()]);
    await until(() => reads.length === 1);
    for (let n = 1; n <= 5; n += 1) {
      grow(1);
      await until(() => batches.length === n);
    }
    expect(reads.length).toBeLessThanOrEqual(6);
  });

  it('keeps the last thousand entries, and returns undefined for older positions', async () => {
    await tail.follow();
    grow(1_300);
    await until(() => tail.position === newest());
    expect(tail.since(599)).toBeUndefined();
    expect(tail.since(600)?.entries.map(({ position }) => position)[0]).toBe(602);
    expect(tail.since(2_600)).toEqual({ after: 2_600, upTo: 2_600, entries: [] });
    expect(tail.since(9_000)).toEqual({ after: 9_000, upTo: 9_000, entries: [] });
  });

  it('has the last thousand entries from the beginning', async () => {
    grow(1_300);
    await tail.follow();
    expect(tail.since(599)).toBeUndefined();
    expect(tail.since(600)?.entries).toEqual(stream.slice(300));
    expect(batches).toEqual([]);
  });

  it('is not read while it is not needed, and then starts at the current end', async () => {
    await tail.follow();
    grow(1);
    await until(() => batches.length === 1);
    wanted = false;
    grow(5);
    await turn();
    const before = reads.length;
    grow(5);
    await turn();
    expect(reads.length).toBe(before);
    wanted = true;
    await tail.follow();
    expect(tail.position).toBe(newest());
    expect(tail.since(0)?.entries).toEqual(stream);
    const end = newest();
    grow(1);
    await until(() => seen().at(-1) === newest());
    expect(seen()).not.toContain(end);
  });

  it('continues after an error without leaving anything out', async () => {
    await tail.follow();
    failing = true;
    grow(2);
    await until(() => errors.length > 0);
    failing = false;
    grow(2);
    await until(() => seen().length === 4);
    expect(seen()).toEqual([2, 4, 6, 8]);
  });

  it('starts over after a restore, and drops what was being read', async () => {
    grow(5);
    await tail.follow();
    expect(tail.since(0)?.entries).toHaveLength(5);
    stream = stream.slice(0, 2);
    tail.forget();
    expect(tail.since(0)).toBeUndefined();
    await tail.follow();
    expect(tail.position).toBe(4);
    grow(1);
    await until(() => tail.position === 6);
    expect(seen()).toEqual([6]);
  });
});
