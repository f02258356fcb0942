import { describe, expect, it } from 'vitest';
import type { OrderSummary } from '#orders/order.contract';
import { type PlacedRow, rowsToDraw } from './drawn-rows.js';

const order = (id: number, version = 1) => ({ id: `ord_${id}`, version }) as OrderSummary;
const placed = (orders: readonly OrderSummary[], from = 0): PlacedRow[] =>
  orders.map((one, at) => ({ order: one, index: from + at, top: 36 * (from + at) }));
const asDrawn = (orders: readonly OrderSummary[]) => new Map(orders.map((one) => [one.id, one]));
const indexes = (rows: readonly PlacedRow[]) => rows.map(({ index }) => index);

const FIRST = Array.from({ length: 12 }, (_, id) => order(id));
const inView = { startIndex: 4, endIndex: 6 };

describe('rows to draw', () => {
  it('are all that are wanted if few of them are new', () => {
    const wanted = placed(FIRST);
    expect(rowsToDraw(wanted, { drawn: asDrawn(FIRST.slice(0, 9)), inView, most: 3 })).toBe(wanted);
  });

  it('are first those in view, and then those around them', () => {
    const wanted = placed(FIRST);
    expect(indexes(rowsToDraw(wanted, { drawn: new Map(), inView, most: 3 }))).toEqual([4, 5, 6]);
    expect(indexes(rowsToDraw(wanted, { drawn: asDrawn(FIRST.slice(4, 7)), inView, most: 2 }))).toEqual([
      3, 4, 5, 6, 7,
    ]);
  });

  it('come to all that are wanted', () => {
    const wanted = placed(FIRST);
    let drawn = asDrawn([]);
    const frames: number[] = [];
    for (let rows: readonly PlacedRow[] = []; rows !== wanted; drawn = asDrawn(rows.map((row) => row.order))) {
      rows = rowsToDraw(wanted, { drawn, inView, most: 5 });
      frames.push(rows.length);
    }
    expect(frames).toEqual([5, 10, 12]);
  });

  it('keep the earlier state of an order that has changed until its turn comes', () => {
    const now = FIRST.map(({ version }, id) => order(id, version + 1));
    const rows = rowsToDraw(placed(now), { drawn: asDrawn(FIRST), inView, most: 3 });
    expect(rows.map((row) => row.order.version)).toEqual([1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1]);
  });

  it('stand where they are now, also in their earlier state', () => {
    const now = FIRST.map(({ version }, id) => order(id, version + 1));
    const rows = rowsToDraw(placed(now, 1), { drawn: asDrawn(FIRST), inView, most: 3 });
    expect(indexes(rows)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
});
