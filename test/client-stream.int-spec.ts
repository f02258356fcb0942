import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { livePings, type PingEntry, pings } from '#client/pings';
import { startTestApi, type TestApi } from './support/api.js';
import { STAFF_TOKEN } from './support/callers.js';
import { addEntries, evenPositions } from './support/ping-stream/stream-entries.js';
import { until } from './support/until.js';

const ENTRIES = 3_000;
const BATCH = 100;

let api: TestApi;
let proxy: Server;
let url: string;
const open = new Set<Socket>();

/** A proxy that can cut all connections at any byte. */
beforeAll(async () => {
  api = await startTestApi();
  const { port, hostname } = new URL(api.url);
  proxy = createServer((socket) => {
    const behind = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  cut();
  proxy.close();
  await api.close();
});

function cut(): void {
  for (const socket of open) socket.destroy();
}

async function collect(iterator: AsyncIterable<PingEntry>, into: PingEntry[]): Promise<void> {
  for await (const entry of iterator) into.push(entry);
}

it('feed and live stream return the same entries, each once, over connections that break repeatedly', async () => {
  const stop = new AbortController();
  const reasons = new Set<string>();
  const reading = {
    url,
    token: STAFF_TOKEN,
    signal: stop.signal,
    onInterruption: ({ reason }: { reason: string }) => reasons.add(reason),
    // Waits are cut short, so that the test is quick.
    dependencies: { sleep: (ms: number, signal?: AbortSignal) => sleep(Math.min(ms, 20), undefined, { signal }) },
  };
  const [fed, live, some]: PingEntry[][] = [[], [], []];
  const readers = [
    collect(pings({ ...reading, limit: 70, waitSeconds: 5 }), fed ?? []),
    collect(livePings(reading), live ?? []),
    collect(livePings({ ...reading, filters: { status: ['confirmed', 'rejected'] } }), some ?? []),
  ];
  for (let count = 0; count < ENTRIES; count += BATCH) {
    await addEntries(api.pool, 2 * count, BATCH);
    cut();
  }
  await until(() => [fed, live].every((entries) => entries?.at(-1)?.position === 2 * ENTRIES));
  expect(fed?.map(({ position }) => position)).toEqual(evenPositions(0, 2 * ENTRIES));
  expect(live).toEqual(fed);
  const wanted = fed?.filter(({ status }) => status === 'confirmed' || status === 'rejected');
  await until(() => some?.at(-1)?.position === wanted?.at(-1)?.position);
  expect(some).toEqual(wanted);
  expect(reasons.size).toBeGreaterThan(0);
  stop.abort();
  await Promise.all(readers);
});

it('an invalid token is refused at once', async () => {
  const refused = { name: 'StreamRequestError', status: 401, errors: [{ code: 40100 }] };
  await expect(pings({ url: api.url, token: 'wst_none' }).next()).rejects.toMatchObject(refused);
  await expect(livePings({ url: api.url, token: 'wst_none' }).next()).rejects.toMatchObject(refused);
});
