import { expect, it } from 'vitest';
import { inSizes, statementsOf } from './append-batches.js';
import { type AppendedRows, AppendStatement } from './append-statement.js';
import type { InlineProjection } from './inline-projection.js';

const checked: InlineProjection = {
  name: 'stock',
  columns: { row: 'text', taken: 'text' },
  requireRowCount: true,
  statement: (rows) => `update stock from ${rows}`,
  rows: () => [],
};
const stock: InlineProjection = {
  ...checked,
  contendedKey: (row) => (row as { row: string }).row,
  merged: (rows) => ({ ...rows[0], taken: rows.map((row) => (row as { taken: string }).taken).join('+') }),
};

/** @param row the contended row that the append changes, if any */
const append = (stream: string, row?: string): AppendedRows => ({
  stream,
  after: 0,
  metadata: '{}',
  recordedAt: '2026-11-23T12:00:00.000Z',
  events: [{ position: 1, event_id: stream, type: 'Happened', data: '{}', hash: Buffer.alloc(32) }],
  written: [row === undefined ? [] : [{ row, taken: stream }]],
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

it('contended rows are changed once each and in one order, after all that nobody waits for', () => {
  const appends = [append('a', 'row 2'), append('b'), append('c', 'row 1'), append('d'), append('e', 'row 2')];
  const [first, second, ...contended] = statementsOf(new AppendStatement([stock]), appends);
  expect([first, second].map((one) => one?.query.text.includes('update stock'))).toEqual([false, false]);
  expect(first?.query.values?.filter((value) => /^[a-e]$/.test(String(value)))).toEqual([
    'a',
    'a',
    'b',
    'b',
    'c',
    'c',
    'd',
    'd',
  ]);
  expect(second?.stream).toBe('e');
  expect(contended.map(({ query }) => query.values)).toEqual([
    ['row 1', 'c'],
    ['row 2', 'a+e'],
  ]);
});

it('rows that cannot be one are changed one by one', () => {
  const statement = new AppendStatement([{ ...stock, merged: () => undefined }]);
  const [, ...contended] = statementsOf(statement, [append('a', 'row 2'), append('c', 'row 2')]);
  expect(contended.map(({ stream, query }) => [stream, query.values])).toEqual([
    ['a', ['row 2', 'a']],
    ['c', ['row 2', 'c']],
  ]);
});

it('appends with rows whose number is checked have a statement each', () => {
  const appends = [append('a', 'row 1'), append('b', 'row 2'), append('c'), append('d')];
  const statements = statementsOf(new AppendStatement([checked]), appends);
  expect(statements.map(({ query }) => query.name)).toEqual([
    'append.new.1.0x2',
    'append.new.1.1x1',
    'append.new.1.1x1',
  ]);
});
