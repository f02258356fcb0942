import { describe, expect, it } from 'vitest';
import { KeyedLimiter } from '#database/keyed-limiter';
import type { AppendedRows } from './append-statement.js';
import { RowGroups } from './row-groups.js';

class RolledBack extends Error {}
const LOCK_TIMEOUT = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

type Sent = { streams: string; end(error?: Error): void };

/** Groups of a pool of which one connection may wait for a row, and whose statements end when the test says so. */
function started() {
  const sent: Sent[] = [];
  const groups = new RowGroups(KeyedLimiter.of({ options: { max: 2 } }), {
    write: (group) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve());
        sent.push({ streams: group.map(({ stream }) => stream).join(''), end });
      }),
    isRolledBack: (error) => error instanceof RolledBack || error === LOCK_TIMEOUT,
  });
  const write = (stream: string, { shape = 'new' } = {}) => groups.write('row', shape, { stream } as AppendedRows);
  return { sent, write, streams: () => sent.map(({ streams }) => streams) };
}

/** Promises that can settle have settled. */
const settled = () => new Promise((resolve) => void setImmediate(resolve));

const statusOf = (results: readonly PromiseSettledResult<void>[]) => results.map(({ status }) => status).join();

describe('appends that wait for one row', () => {
  it('go in one statement with others of their shape, as many as have one', async () => {
    const { sent, write, streams } = started();
    const written = Promise.all(
      'abcdef'.split('').map((stream) => write(stream, { shape: stream === 'd' ? 'x' : 'new' })),
    );
    sent[0]?.end();
    await settled();
    expect(streams()).toEqual(['a', 'bcef']);
    sent[1]?.end();
    await settled();
    expect(streams()).toEqual(['a', 'bcef', 'd']);
    sent[2]?.end();
    await written;
  });

  it('are decided one by one if the statement was rolled back, and only the one at fault fails', async () => {
    const { sent, write, streams } = started();
    const written = Promise.allSettled('abc'.split('').map((stream) => write(stream)));
    sent[0]?.end();
    await settled();
    sent[1]?.end(new RolledBack());
    await settled();
    sent[2]?.end(new RolledBack());
    await settled();
    sent[3]?.end();
    expect(statusOf(await written)).toBe('fulfilled,rejected,fulfilled');
    expect(streams()).toEqual(['a', 'bc', 'b', 'c']);
  });

  it('fail together and are not sent again if nobody knows whether they were written', async () => {
    const { sent, write, streams } = started();
    const written = Promise.allSettled('abc'.split('').map((stream) => write(stream)));
    sent[0]?.end();
    await settled();
    sent[1]?.end(new Error('the connection was lost'));
    expect(statusOf(await written)).toBe('fulfilled,rejected,rejected');
    expect(streams()).toEqual(['a', 'bc']);
  });

  it('fail with those who wait if the row stays locked', async () => {
    const { sent, write, streams } = started();
    const written = Promise.allSettled('abcd'.split('').map((stream) => write(stream)));
    sent[0]?.end();
    await settled();
    expect(streams()).toEqual(['a', 'bc']);
    sent[1]?.end(LOCK_TIMEOUT);
    expect(statusOf(await written)).toBe('fulfilled,rejected,rejected,rejected');
    expect(streams()).toEqual(['a', 'bc']);
  });
});
