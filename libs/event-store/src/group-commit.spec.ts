import { describe, expect, it, vi } from 'vitest';
import type { AppendedRows } from './append-statement.js';
import { GroupCommit } from './group-commit.js';

class RolledBack extends Error {}

type Sent = { streams: string; end(error?: Error): void };

/** A group commit whose statements end when the test says so. */
function started() {
  const sent: Sent[] = [];
  const groups = new GroupCommit({
    write: (group) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve());
        sent.push({ streams: group.map(({ stream }) => stream).join(), end });
      }),
    isRolledBack: (error) => error instanceof RolledBack,
  });
  const write = (stream: string, { key = stream, shape = 'new' } = {}) =>
    groups.write({ key, shape, append: { stream } as AppendedRows });
  return { sent, write, streams: () => sent.map(({ streams }) => streams) };
}

/** Promises that can settle have settled. */
const settled = () => new Promise((resolve) => void setImmediate(resolve));

describe('group commit', () => {
  it('sends what has arrived while two statements are on their way in the next one', async () => {
    const { sent, write, streams } = started();
    const written = Promise.all(['a', 'b', 'c', 'd', 'e'].map((stream) => write(stream)));
    expect(streams()).toEqual(['a', 'b']);
    sent[0]?.end();
    await settled();
    // Three have no statement of their own size.
    expect(streams()).toEqual(['a', 'b', 'c,d']);
    for (const index of [1, 2]) sent[index]?.end();
    await settled();
    expect(streams()).toEqual(['a', 'b', 'c,d', 'e']);
    sent[3]?.end();
    expect(await written).toEqual([true, true, true, true, true]);
  });

  it('changes a row once in a group, and not while it is being changed', async () => {
    const { sent, write, streams } = started();
    const all = ['a1', 'b1', 'a2', 'c1', 'c2', 'd1'];
    const written = Promise.all(all.map((stream) => write(stream, { key: stream.slice(0, 1) })));
    sent[1]?.end();
    await settled();
    expect(streams()).toEqual(['a1', 'b1', 'c1,d1']);
    sent[0]?.end();
    sent[2]?.end();
    await settled();
    expect(streams().slice(3)).toEqual(['a2', 'c2']);
    for (const index of [3, 4]) sent[index]?.end();
    expect(await written).not.toContain(false);
  });

  it('has one shape in a statement, and keeps none waiting for it', async () => {
    const { sent, write, streams } = started();
    void [write('a'), write('b'), write('c', { shape: 'next' }), write('d'), write('e', { shape: 'next' })];
    sent[0]?.end();
    sent[1]?.end();
    await settled();
    expect(streams().slice(2)).toEqual(['c,e', 'd']);
  });

  it('leaves the appends of a group that was rolled back to their senders', async () => {
    const { sent, write } = started();
    const outcomes = Promise.all([write('a'), write('b'), write('c'), write('d')]);
    sent[0]?.end();
    await settled();
    sent[1]?.end();
    sent[2]?.end(new RolledBack());
    expect(await outcomes).toEqual([true, true, false, false]);
  });

  it('keeps nobody waiting for longer than 5 s', async () => {
    vi.useFakeTimers();
    try {
      const { sent, write, streams } = started();
      void [write('a'), write('b')];
      const first = write('c');
      await vi.advanceTimersByTimeAsync(3_000);
      const second = write('d');
      await vi.advanceTimersByTimeAsync(2_500);
      expect(await first).toBe(false);
      sent[0]?.end();
      await vi.advanceTimersByTimeAsync(0);
      expect(streams()).toEqual(['a', 'b', 'd']);
      sent[2]?.end();
      expect(await second).toBe(true);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('never says that a group was not written if that is unknown, and keeps nobody behind it', async () => {
    const { sent, write, streams } = started();
    const [a, b, c] = [write('a'), write('b'), write('c')];
    const failed = expect(a).rejects.toThrow('ended');
    sent[0]?.end(new Error('the connection ended'));
    await failed;
    expect(await c).toBe(false);
    sent[1]?.end();
    expect(await b).toBe(true);
    expect(streams()).toEqual(['a', 'b']);
  });
});
