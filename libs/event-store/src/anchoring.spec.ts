import { beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { Anchoring } from './anchoring.js';
import type { SignedHead } from './signed-heads.js';

const headAt = (position: number): SignedHead => ({
  position,
  head: Buffer.alloc(32),
  audit: { position: 0, hash: Buffer.alloc(32) },
  at: '2026-03-01T12:00:00.000Z',
  mac: Buffer.alloc(37, position),
});

type Append = { position: number; succeed: () => void; fail: (error: Error) => void };

let clock: FixedClock;
let appends: Append[];
let errors: unknown[];
let failures: string[];
let anchoring: Anchoring;

beforeEach(() => {
  clock = new FixedClock();
  [appends, errors, failures] = [[], [], []];
  const append = ({ position }: SignedHead) =>
    new Promise<void>((succeed, fail) => appends.push({ position, succeed, fail }));
  anchoring = new Anchoring(
    { place: 'bucket', append },
    { clock, onError: (error) => errors.push(error), onFailure: (place) => failures.push(place) },
  );
});

const positions = () => appends.map(({ position }) => position);
/** Lets the promises of the last write run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Anchoring', () => {
  it('writes the first head at once, and then the newest of each minute', async () => {
    anchoring.offer(headAt(1));
    appends[0]?.succeed();
    await settled();
    expect(anchoring.written?.position).toBe(1);
    clock.advance(59_999);
    anchoring.offer(headAt(2));
    clock.advance(1);
    anchoring.offer(headAt(3));
    expect(positions()).toEqual([1, 3]);
  });

  it('writes a head once', async () => {
    const head = headAt(1);
    anchoring.offer(head);
    appends[0]?.succeed();
    await settled();
    clock.advance(60_000);
    anchoring.offer(head);
    await anchoring.finish(head);
    expect(positions()).toEqual([1]);
  });

  it('begins no write while another one is under way', async () => {
    anchoring.offer(headAt(1));
    clock.advance(600_000);
    anchoring.offer(headAt(2));
    expect(positions()).toEqual([1]);
    appends[0]?.succeed();
    await settled();
    anchoring.offer(headAt(2));
    expect(positions()).toEqual([1, 2]);
  });

  it('reports a failure and goes on with the head of the next minute', async () => {
    anchoring.offer(headAt(1));
    appends[0]?.fail(new Error('full'));
    await settled();
    expect(errors).toEqual([new Error('full')]);
    expect(failures).toEqual(['bucket']);
    expect(anchoring.written).toBeUndefined();
    anchoring.offer(headAt(2));
    clock.advance(60_000);
    anchoring.offer(headAt(3));
    expect(positions()).toEqual([1, 3]);
  });

  it('tries a head that was not taken again after a minute, although there is none after it', async () => {
    const head = headAt(1);
    anchoring.offer(head);
    appends[0]?.fail(new Error('no answer'));
    await settled();
    clock.advance(60_000);
    anchoring.offer(head);
    appends[1]?.succeed();
    await settled();
    expect([positions(), anchoring.written?.position, failures]).toEqual([[1, 1], 1, ['bucket']]);
  });

  it('writes the last head when it finishes, after the write that is under way', async () => {
    anchoring.offer(headAt(1));
    const finished = anchoring.finish(headAt(2));
    await settled();
    expect(positions()).toEqual([1]);
    appends[0]?.succeed();
    await settled();
    appends[1]?.succeed();
    await finished;
    expect(anchoring.written?.position).toBe(2);
  });
});
