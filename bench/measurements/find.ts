import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Sealer } from '#crypto/sealing';
import { SeededRandomness } from '#runtime/seeded-randomness';
import { SystemRandomness } from '#runtime/randomness';
import type { RunOptions, Figure, Measurement } from '../measurement.js';
import { createDatabase } from '../setup/database.js';
import {
  CLIENTS,
  emailOf,
  EVENTS,
  LAST_NAMES,
  lastNameOf,
  LISTINGS,
  phoneOf,
  refIdOf,
  skewed,
  trackingOf,
} from '../setup/order-histories.js';
import { loadOrders } from '../setup/order-loading.js';
import { measureOrderPage } from '../setup/order-page.js';
import { PlainConnection } from '../setup/plain-connection.js';
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
const LONGEST_LOAD_MS = 600_000;
const TOKEN = 'token-of-the-bench';

// Searches write nothing, so the load need not wait for the disk.
// Memory for the tables that the searches read, as on a server that has been running for a day.
const SERVER = { shared_buffers: '5GB', max_wal_size: '8GB', fsync: 'off', full_page_writes: 'off' };
const SEARCHED = ['orders', 'personal_data_keys', 'status_history', 'order_desk', 'order_notes'];

type Question = Readonly<Record<string, unknown>>;

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
        // Only now, because the worker fills the queues and sends what the loaded orders have due.
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
  for (const [name, question] of Object.entries(questions(random, orders))) {
    const count = quick ? 40 : 160;
    // Other questions in each round: the same ones would find their pages in memory.
    const round = await quietRound(() => latenciesOf(port, Array.from({ length: count }, question)));
    const { latencies } = round;
    const [median, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    say(`${name}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    figures.push({
      name: `Search by ${name}`,
      value: p99,
      unit: 'ms',
      target: { atMost: AT_MOST_MS },
      detail: `p99 of ${count} by ${READERS} readers, ${RATE}; median ${median.toFixed(1)}${stolenIn(round)}`,
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

const is = (field: string, value: unknown, op = '=') => ({ field, op, value });
const where = (condition: unknown): Question => ({ where: condition });
const DAY_MS = 86_400_000;

function questions(random: SeededRandomness, orders: number): Record<string, () => Question> {
  const day = () => new Date(Date.now() - random.fraction() * 700 * DAY_MS).toISOString();
  const client = () => `client-${skewed(random, CLIENTS)}`;
  const listing = () => skewed(random, LISTINGS);
  const event = () => String(1_000 + (listing() % EVENTS));
  const person = () => random.integer(orders);
  const pick = (field: string, values: readonly unknown[]) => () => where(is(field, random.pick(values)));
  return {
    nothing: () => ({}),
    status: pick('status', ['pending', 'confirmed', 'rejected', 'exception']),
    'status is_null': () => where(is('status', true, 'is_null')),
    status_code: pick('status_code', [1001, 1002, 2000, 2004, 3003, 3005, 4005, 2005]),
    stage: pick('stage', ['placed', 'declined', 'awaiting_payment', 'failed']),
    queue: pick('queue', ['to_confirm', 'review', 'to_ship', 'to_deliver', 'exceptions', 'overdue']),
    client_id: () => where(is('client_id', client())),
    'client_id !=': () => where(is('client_id', client(), '!=')),
    'client_id in': () => where(is('client_id', [client(), client()], 'in')),
    variant: pick('variant', ['payment', 'wholesale']),
    assignee: () => where(is('assignee', `opr_${random.integer(40)}`)),
    'assignee is_null': () => where(is('assignee', true, 'is_null')),
    id: () => where(is('id', 'ord_', 'starts_with')),
    event_id: () => where(is('event_id', event())),
    'event_id starts_with': () => where(is('event_id', event().slice(0, 2), 'starts_with')),
    listing_id: () => where(is('listing_id', `listing-${listing()}`)),
    ref_id: () => where(is('ref_id', refIdOf(person()))),
    'ref_id starts_with': () => where(is('ref_id', refIdOf(person()).slice(0, 6 + random.integer(5)), 'starts_with')),
    'ref_id is_null': () => where(is('ref_id', true, 'is_null')),
    transaction_id: () => where(is('transaction_id', `4c1f6a52-${refIdOf(person()).slice(3)}`)),
    'tracking_number starts_with': () =>
      where(is('tracking_number', trackingOf(random.integer(1e9)).slice(0, 4 + random.integer(6)), 'starts_with')),
    'tracking_number is_null': () => where(is('tracking_number', random.fraction() < 0.5, 'is_null')),
    card_last4: () => where(is('card_last4', String(random.integer(10_000)).padStart(4, '0'))),
    'card_last4 starts_with': () =>
      where(is('card_last4', String(random.integer(100)).padStart(2, '0'), 'starts_with')),
    'placed_at <': () => where(is('placed_at', day(), '<')),
    'placed_at >': () => where(is('placed_at', day(), '>')),
    'updated_at <': () => where(is('updated_at', day(), '<')),
    'updated_at >': () => where(is('updated_at', day(), '>')),
    due_at: () => where(is('due_at', day(), random.pick(['<', '>']))),
    quantity: () => where(is('quantity', 1 + random.integer(24))),
    'quantity >': () => where(is('quantity', random.integer(24), '>')),
    'total >': () => where(is('total', 20 + random.integer(9_990), '>')),
    'total <': () => where(is('total', 20 + random.integer(1_000), '<')),
    total: () => where(is('total', 20 + random.integer(1_000))),
    email: () => where(is('email', emailOf(person()))),
    phone: () => where(is('phone', phoneOf(person()))),
    last_name: () => where(is('last_name', lastNameOf(skewed(random, LAST_NAMES)))),
    'last_name is_null': () => where(is('last_name', random.fraction() < 0.5, 'is_null')),
    tag: pick('tag', ['vip', 'late', 'school', 'refund-asked']),
    has: pick('has', ['parked_ping', 'note', 'replacement', 'refund']),
    'not status': () => where({ not: is('status', 'confirmed') }),
    'status and placed_at': () =>
      where({
        and: [
          is('status', random.pick(['pending', 'confirmed', 'rejected', 'exception'])),
          is('placed_at', day(), '<'),
        ],
      }),
    'client_id and status': () =>
      where({ and: [is('client_id', client()), is('status', random.pick(['pending', 'rejected', 'exception']))] }),
    'event_id and status': () =>
      where({ and: [is('event_id', event()), is('status', random.pick(['confirmed', 'rejected', 'exception']))] }),
    'assignee and status': () =>
      where({
        and: [is('assignee', `opr_${random.integer(40)}`), is('status', random.pick(['confirmed', 'rejected']))],
      }),
    'last_name and event_id': () =>
      where({ and: [is('last_name', lastNameOf(skewed(random, LAST_NAMES))), is('event_id', event())] }),
    'tag and queue': () => where({ and: [is('tag', 'vip'), is('queue', 'exceptions')] }),
    'q, a ref_id': () => ({ q: refIdOf(person()).slice(0, 8 + random.integer(4)) }),
    'q, an e-mail address': () => ({ q: emailOf(person()) }),
    'q, a phone number': () => ({ q: phoneOf(person()) }),
    'q, a last name': () => ({ q: lastNameOf(skewed(random, LAST_NAMES)) }),
    'q, the beginning of an id': () => ({ q: 'ord_' }),
  };
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
