import { afterAll, beforeAll, expect, it } from 'vitest';
import { cellOf, type CellEntry, type CellPositions, pingsOfCells } from '#client/cells';
import type { Purchase } from '#orders/purchase.contract';
import { startTestApi, type TestApi } from './support/api.js';
import { STAFF_TOKEN } from './support/callers.js';
import { startStreamWork } from './support/ping-stream/stream-work.js';
import { wholesaleBody } from './support/purchase-bodies.js';

const ORDERS_OF_A_CELL = 12;
const NUMBERS = { east: 1, west: 2 };

const apis: Record<string, TestApi> = {};
const work: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  for (const [cell, number] of Object.entries(NUMBERS)) {
    const api = await startTestApi({ CELL: String(number) });
    await api.staff.putListing('lst-1', { quantity: 1_000 });
    apis[cell] = api;
    work.push(startStreamWork(api.databaseUrl));
  }
});
afterAll(async () => {
  await Promise.all(work.map((one) => one.stop()));
  for (const api of Object.values(apis)) await api.close();
});

async function buyEverywhere(): Promise<{ cell: string; id: string }[]> {
  const bought: { cell: string; id: string }[] = [];
  for (let count = 0; count < ORDERS_OF_A_CELL; count += 1) {
    for (const [cell, api] of Object.entries(apis)) {
      const answer = await api.wholesale.buy({ ...wholesaleBody(), ref_id: `${cell}-${count}` });
      bought.push({ cell, id: (answer.body as Purchase).id });
    }
  }
  return bought;
}

/** Reads as a receiver that dies after some entries does, and begins again with the positions that it stored. */
async function read(total: number): Promise<CellEntry[]> {
  const cells = Object.fromEntries(Object.entries(apis).map(([cell, { url }]) => [cell, { url, token: STAFF_TOKEN }]));
  const seen: CellEntry[] = [];
  let positions: CellPositions = {};
  while (seen.length < total) {
    let count = 0;
    for await (const entry of pingsOfCells({ cells, positions })) {
      seen.push(entry);
      positions = entry.positions;
      if ((count += 1) === 7 || seen.length === total) break;
    }
  }
  return seen;
}

it('an order names its cell, and a reader of two cells gets the pings of both, each once', async () => {
  const bought = await buyEverywhere();
  for (const { cell, id } of bought) expect(cellOf(id)).toBe(NUMBERS[cell as keyof typeof NUMBERS]);
  const seen = await read(bought.length);
  const names = (entries: { cell: string; id: string }[]) => entries.map(({ cell, id }) => `${cell} ${id}`).toSorted();
  expect(names(seen.map(({ cell, ping }) => ({ cell, id: ping.order_id })))).toEqual(names(bought));
  for (const cell of Object.keys(apis)) {
    const positions = seen.filter((entry) => entry.cell === cell).map(({ ping }) => ping.position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  }
});
