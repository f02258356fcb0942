import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STAFF_TOKEN } from '../../../../test/support/callers.js';
import { Discovery, DISCOVERY_KEY } from '../../../../test/support/discovery/discovery.js';
import { generateCatalogue } from '../../../../test/support/discovery/generated-catalogue.js';
import { exchange, requestText } from '../../../../test/support/raw-http.js';
import { until } from '../../../../test/support/until.js';

// A page of all of them has about 3 MB.
const EVENTS = 1_500;
const EVERYTHING = `/2/events?per_page=5000&client_id=${DISCOVERY_KEY}`;
const MOST_MORE_MB = 100;
const PIPELINED = 240;
const SEND_TIMEOUT_MS = 2_000;

let discovery: Discovery;
beforeAll(async () => {
  discovery = await Discovery.start({ SEND_TIMEOUT_MS: `${SEND_TIMEOUT_MS}` });
  const size = { events: EVENTS, performers: 30, venues: 20 };
  const set = generateCatalogue({ ...size, seed: 4, from: '2026-12-01', days: 60 });
  await discovery.write('events', [...set.events()] as never);
  // What a first request loads belongs to no attack.
  for (const target of [EVERYTHING, '/openapi.json', '/openapi.yaml']) await (await get(target)).text();
});
afterAll(() => discovery.close());

const get = (target: string) => fetch(`${discovery.api.url}${target}`);

function hungry(count: number, target: string): Socket {
  const { hostname, port } = new URL(discovery.api.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(Buffer.concat(Array.from({ length: count }, () => requestText([`GET ${target} HTTP/1.1`]))));
  return socket;
}

/** How much more memory this process, which has the api, takes at most while the clients do not read. */
async function memoryUnder(
  attack: () => Socket[],
  isOver: (ms: number) => boolean | Promise<boolean>,
): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const sampler = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const sockets = attack();
  const began = performance.now();
  try {
    while (!(await isOver(performance.now() - began))) {
      const answer = await get(`/2/events?per_page=1&client_id=${DISCOVERY_KEY}`);
      expect([200, 503]).toContain(answer.status);
      await answer.text();
    }
  } finally {
    clearInterval(sampler);
    for (const socket of sockets) socket.destroy();
  }
  return (most - before) / 1e6;
}

const ended = async (reason: string) => {
  // Until the api notices, within a second, that nothing is unread any more, it answers 503.
  const text = await until(async () => {
    const answer = await get('/metrics');
    return answer.ok && answer.text();
  });
  return Number(new RegExp(`^willcall_http_connections_ended\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
};

describe('a client that asks and never reads', () => {
  it.each([
    ['expensive pages', EVERYTHING],
    ['expensive pages in XML', `${EVERYTHING}&format=xml`],
    ['the OpenAPI document', '/openapi.json'],
    ['the OpenAPI document in YAML', '/openapi.yaml'],
  ])('of %s costs little memory, on one connection', async (_, target) => {
    expect(
      await memoryUnder(
        () => [hungry(PIPELINED, target)],
        (ms) => ms > 1_500,
      ),
    ).toBeLessThan(MOST_MORE_MB);
  });

  it('costs little memory on sixty connections, which are ended, counted, and give their places back', async () => {
    const before = await ended('stalled');
    const attack = () => Array.from({ length: 60 }, () => hungry(PIPELINED, EVERYTHING));
    // The first bytes of each go to buffers of the system.
    const isOver = async (ms: number) => ms > 40_000 || (ms > 3_000 && (await ended('stalled')) > before);
    expect(await memoryUnder(attack, isOver)).toBeLessThan(MOST_MORE_MB);
    expect(await ended('stalled')).toBeGreaterThan(before);
    await until(async () => (await get(EVERYTHING)).status === 200, { withinMs: 20_000 });
  });

  it('is ended only if it takes nothing: a slow one gets everything', async () => {
    const whole = (await (await get(EVERYTHING)).text()).length;
    const socket = hungry(4, EVERYTHING);
    let received = 0;
    const began = performance.now();
    socket.on('data', (data) => {
      received += data.length;
      socket.pause();
      // Slow enough for several time-outs, were they for the whole answer.
      setTimeout(() => socket.resume(), received < 2 * whole ? 60 : 0);
    });
    socket.resume();
    await until(() => received > 4 * whole, { withinMs: 50_000 });
    expect(performance.now() - began).toBeGreaterThan(SEND_TIMEOUT_MS);
    socket.destroy();
  });
});

it('a long answer rests for a millisecond after each slice while tickets are sold', async () => {
  await discovery.api.payment.lookUp('none');
  const began = performance.now();
  const { byteLength } = await (await get(EVERYTHING)).arrayBuffer();
  expect(performance.now() - began).toBeGreaterThan(byteLength / (64 * 1024));
});

describe('pipelined requests', () => {
  it('are in hand one at a time', async () => {
    const waiting = async () =>
      Number(/^willcall_stream_readers\{state="waiting"\} (\d+)$/m.exec(await (await get('/metrics')).text())?.[1]);
    const { hostname, port } = new URL(discovery.api.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const poll = requestText(['GET /stream/v1/pings?wait=30 HTTP/1.1', `Authorization: Bearer ${STAFF_TOKEN}`]);
    socket.write(Buffer.concat(Array.from({ length: 5 }, () => poll)));
    await until(async () => (await waiting()) > 0);
    // Others on the connection would have begun in the same turn of the event loop.
    expect(await waiting()).toBe(1);
    socket.destroy();
  });

  it('are all answered in their order to a client that reads', async () => {
    const targets = Array.from({ length: 60 }, (_, at) => `/2/events/${at + 1}?client_id=${DISCOVERY_KEY}`);
    const bytes = targets.map((target) => requestText([`GET ${target} HTTP/1.1`]));
    const answers = await exchange(discovery.api.url, Buffer.concat(bytes), { answers: 60, withinMs: 30_000 });
    expect(answers.map(({ body }) => (body as { id: number }).id)).toEqual(targets.map((_, at) => at + 1));
  });

  it('that are far too many on all connections together end those that send more', async () => {
    const before = await ended('pipelining');
    const request = Buffer.from(`GET ${EVERYTHING} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const tiny = Buffer.from('GET / HTTP/1.1\r\nHost:a\r\n\r\n');
    const { hostname, port } = new URL(discovery.api.url);
    const attack = () =>
      Array.from({ length: 12 }, () => {
        const socket = connect(Number(port), hostname).pause();
        socket.on('error', () => undefined);
        socket.write(Buffer.concat([request, ...Array.from({ length: 5_000 }, () => tiny)]));
        return socket;
      });
    expect(await memoryUnder(attack, (ms) => ms > 1_000)).toBeLessThan(MOST_MORE_MB);
    expect(await ended('pipelining')).toBeGreaterThan(before);
  });
});
