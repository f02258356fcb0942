import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { fillWorkItems } from '#desk/work-item-filling';
import { SystemClock } from '#base/clock';
import { SeededRandomness } from '#base/seeded-randomness';
import { SystemRandomness } from '#base/randomness';
import type { RunOptions, Figure, Measurement } from '../measurement.js';
import { createDatabase } from '../setup/database.js';
import { loadOrders } from '../setup/order-loading.js';
import { measureOrderPage } from '../setup/order-page.js';
import { type Question, questions } from '../setup/order-questions.js';
import { PlainConnection } from '../setup/plain-connection.js';
import { loadPlaces } from '../setup/order-places.js';
import { measureQueueCounts } from '../setup/queue-counts.js';
import { startService } from '../setup/service.js';
import { quietRound, stolenIn } from '../setup/stolen-time.js';
import { quantile } from '../statistics.js';

const READERS = 20;
// Faster than people read. 20 readers who never pause would only measure how many searches two cores can do, which has a figure of
// its own.
const EACH_EVERY_MS = 1_000;
const RATE = `each every ${EACH_EVERY_MS} ms`;
const AT_MOST_MS = 50;
// One pause of the machine is two of 160 requests, and so their p99. A search that seems too slow is asked longer, and all of it counts.
const MORE = 3;
const LONGEST_LOAD_MS = 600_000;
const TOKEN = 'token-of-the-bench';

// Searches write nothing, so the load need not wait for the disk.
// Memory for the tables that the searches read, as on a server that has been running for a day.
const SERVER = { shared_buffers: '5GB', max_wal_size: '8GB', fsync: 'off', full_page_writes: 'off' };
const SEARCHED = [
  'orders',
  'personal_data_keys',
  'status_history',
  'order_desk',
  'order_notes',
  'work_items',
  'pings_parked',
];

/** A desk with 1,000,000 orders: searches by each condition, common pairs, `q`, a deep page; then an order's page, and its queues. */
export const find: Measurement = {
  name: 'find',
  about: 'searches by every condition, 20 readers, 1,000,000 orders (loads them first), an order’s page and its queues',
  async run({ quick, say }: RunOptions) {
    const database = await createDatabase(SERVER);
    const encryptionKey = randomBytes(32);
    try {
      const wanted = quick ? 50_000 : 1_000_000;
      const loaded = await loadOrders(database.owner, new Sealer(encryptionKey, new SystemRandomness()), wanted, say);
      await loadPlaces(database.owner);
      // As the worker leaves it: without its rows, an order of a queue would be found faster than at any desk.
      await fillWorkItems(database.owner, new SystemClock());
      await database.owner.query('vacuum analyze work_items');
      await warmUp(database.owner);
      const environment = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: encryptionKey.toString('base64'),
        BACKOFFICE_TOKEN: TOKEN,
        REQUIRE_HTTPS: 'false',
        SANDBOX: 'true',
      };
      const api = await startService({
        file: 'programs/api.js',
        environment: (port) => ({ PORT: `${port}`, OPERATIONS_PORT: `${port}`, ...environment }),
        readyPath: '/health/ready',
      });
      try {
        const load: Figure = {
          name: 'Load of the orders',
          value: loaded.seconds * 1_000,
          unit: 'ms',
          ...(!quick && { target: { atMost: LONGEST_LOAD_MS } }),
          detail: `${loaded.orders} orders, ${loaded.events} events, with all indexes`,
        };
        const searches = await measureAll(api.port, wanted, { quick, say });
        const desk = { port: api.port, token: TOKEN };
        const page = await measureOrderPage(desk, { quick, say });
        // Only now, because the worker sends what the loaded orders have due.
        const worker = await startService({
          file: 'programs/worker.js',
          environment: (port) => ({ WORKER_PORT: `${port}`, ...environment }),
          readyPath: '/health/ready',
        });
        try {
          return [load, ...searches, ...page, ...(await measureQueueCounts(desk, { quick, say }))];
        } finally {
          await worker.stop();
        }
      } finally {
        await api.stop();
      }
    } finally {
      await database.remove();
    }
  },
};

/** Otherwise each search would measure the disk, because the load leaves other pages in memory. */
async function warmUp(owner: Pool): Promise<void> {
  await owner.query('create extension if not exists pg_prewarm');
  await owner.query(
    `select pg_prewarm(relation) from unnest($1::regclass[]) as searched
       cross join lateral (select searched as relation
         union all select indexrelid from pg_index where indrelid = searched) as relations`,
    [SEARCHED],
  );
}

async function measureAll(port: number, orders: number, { quick, say }: RunOptions): Promise<Figure[]> {
  const random = new SeededRandomness(4_711);
  const figures: Figure[] = [];
  // People seldom meet a process that has just started. Its code is compiled, and its first connections are made, before a search counts.
  await latenciesOf(port, Array<Question>(2 * READERS).fill({}));
  for (const [name, question] of Object.entries(questions(random, orders))) {
    const count = quick ? 40 : 160;
    // Other questions in each round: the same ones would find their pages in memory.
    const ask = (times: number) => latenciesOf(port, Array.from({ length: times }, question));
    const round = await quietRound(() => ask(count));
    const isMet = quantile(round.latencies, 0.99) <= AT_MOST_MS;
    const latencies = isMet ? round.latencies : [...round.latencies, ...(await ask(MORE * count))];
    const [median, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    say(`${name}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    figures.push({
      name: `Search by ${name}`,
      value: p99,
      unit: 'ms',
      target: { atMost: AT_MOST_MS },
      detail: `p99 of ${latencies.length} by ${READERS} readers, ${RATE}; median ${median.toFixed(1)}${stolenIn(round)}`,
    });
  }
  figures.push(await deepPage(port, { quick, say }));
  figures.push({
    name: 'Searches a second',
    value: await throughputOf(port, Array<Question>(quick ? 200 : 2_000).fill({})),
    unit: 'a second',
    detail: `pages of 50 orders, ${READERS} readers without a pause`,
  });
  return figures;
}

function requestOf(body: Question): Buffer {
  const text = JSON.stringify(body);
  const head = [
    'POST /backoffice/v1/orders/search HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${TOKEN}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Each reader sends a request every `EACH_EVERY_MS`. Returns the time in ms from when each was due to its answer. */
async function latenciesOf(port: number, bodies: readonly Question[]): Promise<number[]> {
  const latencies: number[] = [];
  const began = performance.now();
  await readersSend(port, bodies, async (send, index) => {
    const due = began + (index * EACH_EVERY_MS) / READERS;
    await pause(Math.max(0, due - performance.now()));
    await send();
    latencies.push(performance.now() - due);
  });
  return latencies;
}

/** Searches a second while each reader sends its next request as soon as it has an answer. */
async function throughputOf(port: number, bodies: readonly Question[]): Promise<number> {
  const began = performance.now();
  await readersSend(port, bodies, (send) => send());
  return (bodies.length * 1_000) / (performance.now() - began);
}

/** The readers share the requests. Each has its own connection. */
async function readersSend(
  port: number,
  bodies: readonly Question[],
  turn: (send: () => Promise<void>, index: number) => Promise<void>,
): Promise<void> {
  const requests = bodies.map(requestOf);
  let next = 0;
  const connections = await Promise.all(Array.from({ length: READERS }, () => PlainConnection.open('127.0.0.1', port)));
  const read = async (connection: PlainConnection): Promise<void> => {
    for (let index = next++; index < requests.length; index = next++) {
      const send = async () => {
        const status = await connection.exchange(requests[index]!);
        if (status !== 200) throw new Error(`a search was answered ${status}: ${JSON.stringify(bodies[index])}`);
      };
      await turn(send, index);
    }
  };
  try {
    await Promise.all(connections.map(read));
  } finally {
    for (const connection of connections) connection.close();
  }
}

type Page = { orders: { placed_at: string }[]; next_cursor: string | null };

/** Goes to the page 1,000 by the cursors, as a program would, and measures the readers there. */
async function deepPage(port: number, { quick, say }: RunOptions): Promise<Figure> {
  const pages = quick ? 100 : 1_000;
  let cursor: string | null = null;
  for (let page = 1; page < pages; page += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/backoffice/v1/orders/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...(cursor !== null && { cursor }) }),
    });
    cursor = ((await response.json()) as Page).next_cursor;
  }
  const bodies = Array.from({ length: quick ? 40 : 160 }, () => ({ cursor }));
  const round = await quietRound(() => latenciesOf(port, bodies));
  const { latencies } = round;
  say(`page ${pages}: p99 ${quantile(latencies, 0.99).toFixed(1)} ms`);
  return {
    name: `Search, page ${pages}`,
    value: quantile(latencies, 0.99),
    unit: 'ms',
    target: { atMost: AT_MOST_MS },
    detail: `p99 of ${latencies.length} by ${READERS} readers, ${RATE}; median ${quantile(latencies, 0.5).toFixed(1)}${stolenIn(round)}`,
  };
}
