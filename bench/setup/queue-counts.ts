import { setTimeout as pause } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import type { RunOptions, Figure } from '../measurement.js';
import { quantile } from '../statistics.js';
import { confirmedOrders, type DeskClient, deskClient } from './desk-client.js';
import { quietRound, type Round, stolenIn } from './stolen-time.js';

const READERS = 20;
const EACH_EVERY_MS = 1_000;
const COUNTS_AT_MOST_MS = 50;
const BEHIND_AT_MOST_MS = 1_000;
/** A problem, and its end: each moves an order to another queue. */
const MOVES = [4006, 2000];

type Queues = Readonly<{ queues: readonly Readonly<{ id: string; count: number }>[] }>;

/** How long 20 readers wait for the counts of all queues, and how long a changed order takes to be counted in its new queue. */
export async function measureQueueCounts(
  { port, token }: Readonly<{ port: number; token: string }>,
  { quick, say }: RunOptions,
): Promise<Figure[]> {
  const http = new HttpPool(`http://127.0.0.1:${port}`, { connections: READERS });
  try {
    const desk = deskClient(http, token);
    const waiting = await filledQueues(desk);
    const count = quick ? 40 : 400;
    const counts = await quietRound(() => latenciesOf(desk, count));
    const behind = await quietRound(() => delaysOf(desk, quick ? 10 : 60));
    return [
      figure(
        { name: 'Counts of all queues', atMost: COUNTS_AT_MOST_MS, share: 0.99 },
        counts,
        `${waiting} open orders, ${READERS} readers`,
        say,
      ),
      figure(
        { name: 'A changed order in its new queue', atMost: BEHIND_AT_MOST_MS, share: 1 },
        behind,
        'from the answer to the change',
        say,
      ),
    ];
  } finally {
    await http.close();
  }
}

/** Waits until the worker has put all orders into their queues. Returns how many are open. */
async function filledQueues(desk: DeskClient): Promise<number> {
  for (let before = -1; ; await pause(2_000)) {
    const open = (await queuesOf(desk)).queues.reduce((sum, { count }) => sum + count, 0);
    if (open > 0 && open === before) return open;
    before = open;
  }
}

/** Each reader asks once a second. The time is that from when the request was due. */
async function latenciesOf(desk: DeskClient, count: number): Promise<number[]> {
  const began = performance.now();
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const due = began + (index * EACH_EVERY_MS) / READERS;
      await pause(Math.max(0, due - performance.now()));
      await queuesOf(desk);
      return performance.now() - due;
    }),
  );
}

/** One order after the other goes to the exceptions and back. */
async function delaysOf(desk: DeskClient, count: number): Promise<number[]> {
  const ids = await confirmedOrders(desk);
  const delays: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const before = await exceptions(desk);
    const id = ids[Math.floor(turn / 2) % ids.length];
    await desk.post(`orders/${id}/status`, { status_code: MOVES[turn % 2] });
    const began = performance.now();
    while ((await exceptions(desk)) === before) await pause(5);
    delays.push(performance.now() - began);
  }
  return delays;
}

/** Overdue orders are counted in a queue of their own. An order that has just changed is not overdue. */
async function exceptions(desk: DeskClient): Promise<number> {
  return (await queuesOf(desk)).queues.find(({ id }) => id === 'exceptions')?.count ?? 0;
}

const queuesOf = (desk: DeskClient) => desk.get<Queues>('queues');

function figure(
  { name, atMost, share }: Readonly<{ name: string; atMost: number; share: number }>,
  round: Round,
  detail: string,
  say: RunOptions['say'],
): Figure {
  const { latencies } = round;
  const [value, median] = [quantile(latencies, share), quantile(latencies, 0.5)];
  say(`${name}: median ${median.toFixed(1)} ms, at most ${value.toFixed(1)} ms`);
  const of = share === 1 ? `longest of ${latencies.length}` : `p99 of ${latencies.length}`;
  return {
    name,
    value,
    unit: 'ms',
    target: { atMost },
    detail: `${of}, ${detail}; median ${median.toFixed(1)}${stolenIn(round)}`,
  };
}
