import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { DatabaseEpoch } from '#database/epoch';
import { AppendQueue, EpochMismatch } from './append-queue.js';
import { type AppendedRows, AppendStatement } from './append-statement.js';
import type { InlineProjection } from './inline-projection.js';

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

const checked: InlineProjection = {
  name: 'stock',
  columns: { row: 'text' },
  requireRowCount: true,
  statement: (rows) => `update stock from ${rows}`,
  rows: () => [],
};
const contended = { ...checked, contendedKey: (row: object) => (row as { row: string }).row };
const stock = { ...contended, statementWithoutWaiting: (rows: string) => `update free stock from ${rows}` };

/** Of two kinds of stock. */
const taking = (stream: string, rows: readonly string[], others: readonly string[] = []): AppendedRows => ({
  ...append(stream),
  written: [rows, others].map((taken) => taken.map((row) => ({ row }))),
});

/** A queue whose statements end when the test says so. */
function started(projections: readonly InlineProjection[], epoch?: string) {
  const sent: { name: string; end: () => void }[] = [];
  const query = ({ name = '' }: pg.QueryConfig) =>
    new Promise<void>((resolve) => sent.push({ name: name.replace(/(new|next).*x/, '$1 x'), end: () => resolve() }));
  const connect = () => Promise.resolve({ query, release: () => undefined });
  const pool = { query, connect } as unknown as pg.Pool;
  const current = epoch === undefined ? undefined : ({ current: epoch } as DatabaseEpoch);
  const queue = new AppendQueue(pool, new AppendStatement(projections), current);
  return { queue, sent, names: () => sent.map(({ name }) => name) };
}

/** Promises that can settle have settled, and what waits for its turn was sent. */
const settled = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
};

describe('an append that changes contended rows', () => {
  it('shares its statement if it begins a stream and changes one of them', async () => {
    const { queue, sent, names } = started([stock, { ...stock, name: 'other_stock' }]);
    const written = Promise.all(['a', 'b', 'c', 'd'].map((stream) => queue.write(taking(stream, [stream]))));
    await settled();
    for (const { end } of sent) end();
    await settled();
    expect(names()).toEqual(['append.group.new x1', 'append.group.new x1', 'append.group.new x2']);
    sent[2]?.end();
    await written;
  });

  it.each([
    ['it continues a stream', { ...taking('a', ['row']), after: 1 }, stock, 'append.next x1'],
    ['it changes two', taking('a', ['row'], ['other row']), stock, 'append.new x1'],
    ['it changes two of a kind', taking('a', ['row', 'other row']), stock, 'append.new x1'],
    ['it can only wait', taking('a', ['row']), contended, 'append.new x1'],
  ])('is sent alone, and waits for its locks, if %s', async (_, given, projection, name) => {
    const { queue, sent, names } = started([projection, { ...projection, name: 'other_stock' }]);
    const written = queue.write(given);
    await settled();
    expect(names()).toEqual([name]);
    sent[0]?.end();
    await written;
  });

  it('is sent alone while another one waits for the same row', async () => {
    const { queue, sent, names } = started([stock]);
    const first = queue.write({ ...taking('a', ['row']), after: 1 });
    await settled();
    const second = queue.write(taking('b', ['row']));
    await settled();
    expect(names()).toEqual(['append.next x1', 'append.new x1']);
    for (const { end } of sent) end();
    await Promise.all([first, second]);
    const last = queue.write(taking('c', ['row']));
    await settled();
    expect(names().at(-1)).toBe('append.group.new x1');
    sent.at(-1)?.end();
    await last;
  });

  it('does not fail with another one of its group that was decided before a restore', async () => {
    const { queue, sent, names } = started([stock], 'now');
    const write = (stream: string, epoch: string) => queue.write({ ...taking(stream, [stream]), epoch });
    const written = Promise.allSettled([write('a', 'now'), write('b', 'now'), write('c', 'before'), write('d', 'now')]);
    await settled();
    for (const { end } of sent) end();
    await settled();
    for (const { end } of sent) end();
    const outcomes = await written;
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(EpochMismatch) as Error });
    expect(names()).toEqual(['append.group.new x1', 'append.group.new x1', 'append.new x1']);
  });
});

it('appends with rows whose number is checked are not sent together', async () => {
  const { queue, sent, names } = started([checked]);
  const written = Promise.all(['a', 'b'].map((stream) => queue.write(taking(stream, [stream]))));
  await settled();
  expect(names()).toEqual(['append.new x1', 'append.new x1']);
  for (const { end } of sent) end();
  await written;
});
