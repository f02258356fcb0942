import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryAt, SimulatedStream } from '../../../test/support/ping-stream/simulated-stream.js';
import { type CellEntry, CellFailed, cellOf, type CellPositions, pingsOfCells } from './cells.js';
import { StreamRequestError } from './pings.js';

const dependenciesOf = (stream: SimulatedStream) => ({ fetch: stream.fetch, sleep: () => turn(), random: () => 0 });

function cellsOf(positionsOfCells: Readonly<Record<string, number[]>>) {
  const cells = Object.entries(positionsOfCells).map(([cell, numbers]) => {
    const stream = new SimulatedStream(numbers.map((position) => entryAt(position)));
    return [
      cell,
      { url: `https://${cell}.example`, token: 'wst_1', limit: 3, dependencies: dependenciesOf(stream) },
    ] as const;
  });
  return Object.fromEntries(cells);
}

async function take(iterator: AsyncIterable<CellEntry>, count: number): Promise<CellEntry[]> {
  const taken: CellEntry[] = [];
  if (count === 0) return taken;
  for await (const entry of iterator) {
    taken.push(entry);
    if (taken.length === count) break;
  }
  return taken;
}

const ascending = fc
  .uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 })
  .map((numbers) => numbers.sort((a, b) => a - b));

describe('pingsOfCells', () => {
  it('gives each ping of each cell once, in the order of its cell, also to a reader that stops and resumes by its positions', async () => {
    await fc.assert(
      fc.asyncProperty(
        ascending,
        ascending,
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 }),
        async (a, b, stops) => {
          const cells = cellsOf({ a, b });
          const seen: CellEntry[] = [];
          let positions: CellPositions = {};
          const total = a.length + b.length;
          while (seen.length < total) {
            const count = Math.min(stops.shift() ?? total, total - seen.length);
            seen.push(...(await take(pingsOfCells({ cells, positions }), count)));
            positions = seen.at(-1)?.positions ?? {};
          }
          const of = (cell: string) => seen.filter((entry) => entry.cell === cell).map(({ ping }) => ping.position);
          expect([of('a'), of('b')]).toEqual([a, b]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('a busy cell does not hide the others', async () => {
    const cells = cellsOf({ busy: Array.from({ length: 1_000 }, (_, i) => i + 1), quiet: [7] });
    const seen = await take(pingsOfCells({ cells }), 50);
    expect(seen.map(({ cell }) => cell)).toContain('quiet');
  });

  it('ends with the signal, and says which cell has failed', async () => {
    const stop = new AbortController();
    const cells = cellsOf({ a: [1, 2], b: [1] });
    const seen: string[] = [];
    for await (const { cell } of pingsOfCells({ cells, signal: stop.signal })) {
      seen.push(cell);
      if (seen.length === 3) stop.abort();
    }
    expect(seen.toSorted()).toEqual(['a', 'a', 'b']);

    const refusing = new SimulatedStream([], [{ kind: 'status', status: 401 }]);
    const broken = {
      ...cells,
      c: { url: 'https://c.example', token: 'wst_1', dependencies: dependenciesOf(refusing) },
    };
    const failure = await take(pingsOfCells({ cells: broken }), 4).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CellFailed);
    expect(failure).toMatchObject({ cell: 'c', cause: expect.any(StreamRequestError) as object });
  });
});

describe('cellOf', () => {
  it('reads the cell of an order from its id, and nothing else', () => {
    expect(cellOf('ord_019aba6d4c028abc8abcdabc00abcdef')).toBe(0);
    expect(cellOf('ord_019aba6d4c028abc8abcdabcfaabcdef')).toBe(250);
    for (const id of ['ord_0199999999997abcabcdabcdabcdabcd', 'evt_0199999999998abcabcdabcdabcdabcd', 'ord_1', ''])
      expect(cellOf(id)).toBeUndefined();
  });
});
