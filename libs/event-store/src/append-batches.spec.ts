import { expect, it } from 'vitest';
import { inSizes, statementsOf } from './append-batches.js';
import { type AppendedRows, AppendStatement } from './append-statement.js';
import type { InlineProjection } from './inline-projection.js';

const stock: InlineProjection = {
  name: 'stock',
  columns: { row: 'text' },
  requireRowCount: true,
  contendedKey: (row) => (row as { row: string }).row,
  statement: () => '',
  rows: () => [],
};

/** @param row the contended row that the append changes, if any */
const append = (stream: string, row?: string): AppendedRows => ({
  stream,
  after: 0,
  metadata: '{}',
  recordedAt: '2026-11-23T12:00:00.000Z',
  events: [{ position: 1, event_id: stream, type: 'Happened', data: '{}', hash: Buffer.alloc(32) }],
  written: [row === undefined ? [] : [{ row }]],
});

it.each([
  [1, [1]],
  [11, [8, 2, 1]],
  [16, [8, 8]],
  [0, []],
])('%i are split into %j', (count, sizes) => {
  const all = Array.from({ length: count }, (_, index) => index);
  const batches = [...inSizes(all)];
  expect(batches.map(({ length }) => length)).toEqual(sizes);
  expect(batches.flat()).toEqual(all);
});

it('contended rows are locked one by one and in one order, after those that nobody waits for', () => {
  const appends = [append('a', 'row 2'), append('b'), append('c', 'row 1'), append('d'), append('e', 'row 2')];
  const statements = statementsOf(new AppendStatement([stock]), appends);
  expect(statements.map((batch) => batch.map(({ stream }) => stream))).toEqual([['b', 'd'], ['c'], ['a'], ['e']]);
});
