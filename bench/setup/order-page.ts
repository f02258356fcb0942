import { Pool as HttpPool } from 'undici';
import type { RunOptions, Figure } from '../measurement.js';
import { quantile } from '../statistics.js';
import { confirmedOrders, type DeskClient, deskClient } from './desk-client.js';
import { quietRound, type Round, stolenIn } from './stolen-time.js';

/** What the console asks for when somebody opens an order. */
const PAGE = ['', '/timeline', '/actions'];
const EVENTS = 1_000;
const PAGE_AT_MOST_MS = 30;
const PAST_AT_MOST_MS = 50;

/** Opens orders one after the other, then one order of 1,000 events as it was at random versions. */
export async function measureOrderPage(
  { port, token }: Readonly<{ port: number; token: string }>,
  { quick, say }: RunOptions,
): Promise<Figure[]> {
  const http = new HttpPool(`http://127.0.0.1:${port}`, { connections: PAGE.length });
  try {
    const desk = deskClient(http, token);
    const ids = await confirmedOrders(desk);
    const turns = quick ? 50 : 400;
    const opened = await quietRound(() =>
      latenciesOf(turns, (turn) =>
        Promise.all(PAGE.map((path) => desk.get(`orders/${ids[turn % ids.length]}${path}`))),
      ),
    );
    const long = ids[0]!;
    const last = await lengthen(desk, long);
    const past = await quietRound(() =>
      latenciesOf(turns, (turn) => desk.get(`orders/${long}?version=${last - (turn % 100)}`)),
    );
    return [
      figure('Data of an order’s page', opened, PAGE_AT_MOST_MS, `${PAGE.length} requests side by side`, say),
      figure(`Order as it was, of ${EVENTS} events`, past, PAST_AT_MOST_MS, 'one request', say),
    ];
  } finally {
    await http.close();
  }
}

/** Changes the order's message until it has 1,000 events. Resolves with its version. */
async function lengthen(desk: DeskClient, id: string): Promise<number> {
  let { version } = await desk.get<{ version: number }>(`orders/${id}`);
  for (let turn = 0; version < EVENTS; turn += 1) {
    const status = { status_code: turn % 2 === 0 ? 2001 : 2000 };
    ({ version } = await desk.post<{ version: number }>(`orders/${id}/status`, status));
  }
  return version;
}

/** In milliseconds. The first tenth, while code is compiled, does not count. */
async function latenciesOf(turns: number, work: (turn: number) => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  for (let turn = 0; turn < turns * 1.1; turn += 1) {
    const began = performance.now();
    await work(turn);
    latencies.push(performance.now() - began);
  }
  return latencies.slice(-turns);
}

function figure(name: string, round: Round, atMost: number, how: string, say: RunOptions['say']): Figure {
  const { latencies } = round;
  const [median, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  say(`${name}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  const detail = `p99 of ${latencies.length}, ${how}; median ${median.toFixed(1)}${stolenIn(round)}`;
  return { name, value: p99, unit: 'ms', target: { atMost }, detail };
}
