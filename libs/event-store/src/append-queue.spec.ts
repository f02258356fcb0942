import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { AppendQueue } from './append-queue.js';
import { type AppendedRows, AppendStatement } from './append-statement.js';

const append = (stream: string): AppendedRows => ({
  stream,
  after: 0,
  metadata: '{}',
  recordedAt: '2026-11-22T12:00:00.000Z',
  events: [{ position: 1, event_id: `${stream}-1`, type: 'Happened', data: '{}', hash: Buffer.alloc(32) }],
  written: [],
});

/** The outcomes of two appends in one batch, and the number of statements. */
async function outcomesOf(error: Error) {
  const query = vi.fn(() => Promise.reject(error));
  const queue = new AppendQueue({ query } as unknown as pg.Pool, new AppendStatement([]));
  const outcomes = await Promise.allSettled([queue.write(append('a')), queue.write(append('b'))]);
  return { sent: query.mock.calls.length, statuses: outcomes.map(({ status }) => status) };
}

it('the appends of a rejected batch are retried one by one', async () => {
  const rejection = Object.assign(new pg.DatabaseError('duplicate key', 1, 'error'), { code: '23505' });
  expect(await outcomesOf(rejection)).toEqual({ sent: 3, statuses: ['rejected', 'rejected'] });
});

it.each(['EPIPE', 'ECONNRESET', 'ETIMEDOUT'])(
  'a batch whose connection broke with %s is never sent again',
  async (code) => {
    const broke = Object.assign(new Error('the connection broke'), { code });
    expect(await outcomesOf(broke)).toEqual({ sent: 1, statuses: ['rejected', 'rejected'] });
  },
);
