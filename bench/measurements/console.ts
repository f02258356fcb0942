import { randomBytes } from 'node:crypto';
import { setPriority } from 'node:os';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { request } from 'undici';
import { Sealer } from '#base/sealing';
import { connectionConfig } from '#database/pool';
import { FeedLeader } from '#event-store/feed-leader';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import { chromium } from '../../test/support/chromium.js';
import { launch, openTab, signIn } from '../../test/support/console/browser.js';
import { until } from '../../test/support/until.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';
import { createDatabase } from '../setup/database.js';
import { longestTask } from '../setup/longest-task.js';
import { loadOrders } from '../setup/order-loading.js';
import { startService } from '../setup/service.js';
import { quantile } from '../statistics.js';

const TOKEN = 'token-of-the-bench';
const PERSON = { email: 'bench@example.com', password: 'a long sentence is a good password' };
const FIRST_LIST_MS = 1_500;
const FIRST_SCREEN_BYTES = 250_000;
const LONGEST_TASK_MS = 50;
const SEEN_WITHIN_MS = 1_000;
const CHANGES_A_SECOND = 60;
const TRACE_SECONDS = 10;
// A tenth of the browser's share while both want the same processor.
const SERVER_PRIORITY = 10;
const CODES = [2001, 2002, 2003, 2004];

type Desk = Readonly<{ url: string; browser: Browser; signedIn: BrowserContext; ids: readonly string[] }>;

/** What a person at the console waits for, in Chromium, with 100,000 orders. */
export const consolePage: Measurement = {
  name: 'console',
  about: 'the console in Chromium with 100,000 orders: first list, and scrolling while 60 orders a second change',
  async run({ quick, say }: RunOptions) {
    if (!chromium) {
      say('skipped: there is no Chromium');
      return [];
    }
    const database = await createDatabase();
    yieldToBrowser(database.pid);
    const encryptionKey = randomBytes(32);
    try {
      const sealer = new Sealer(encryptionKey, new SystemRandomness());
      const { orders } = await loadOrders(database.owner, sealer, quick ? 5_000 : 100_000, say);
      const api = await startService({
        file: 'apps/api/src/main.js',
        environment: (port) => ({
          PORT: `${port}`,
          OPERATIONS_PORT: `${port}`,
          DATABASE_URL: database.url,
          ENCRYPTION_KEY: encryptionKey.toString('base64'),
          BACKOFFICE_TOKEN: TOKEN,
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          REQUIRE_HTTPS: 'false',
          SANDBOX: 'true',
        }),
        readyPath: '/health/ready',
      });
      yieldToBrowser(api.pid);
      // Instead of a worker, which would send the pings of the loaded orders.
      const connection = connectionConfig({ databaseUrl: database.url, applicationName: 'bench', byIndex: true });
      const ignore = () => undefined;
      const feed = new FeedLeader({ connection, clock: new SystemClock(), onMoved: ignore, onError: ignore });
      feed.start();
      const browser = await launch();
      try {
        const desk = await openDesk(`http://127.0.0.1:${api.port}`, browser);
        return [
          ...(await firstList(desk, orders, quick ? 2 : 7)),
          await changeSeen(desk, quick ? 3 : 20),
          await scrolling(desk, quick ? 2 : TRACE_SECONDS),
        ];
      } finally {
        await browser.close();
        await feed.stop();
        await api.stop();
      }
    } finally {
      await database.remove();
    }
  },
};

/**
 * Whoever uses the console has a processor of their own for the browser. Here the server would take it away in the middle of a task, and
 * the longest task would be the server's. Connections of PostgreSQL inherit the priority of the first process.
 */
function yieldToBrowser(pid: number): void {
  setPriority(pid, SERVER_PRIORITY);
}

async function staff(url: string, method: 'GET' | 'POST', path: string, body: object): Promise<unknown> {
  const answer = await request(`${url}/backoffice/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}

async function openDesk(url: string, browser: Browser): Promise<Desk> {
  await staff(url, 'POST', 'operators', { ...PERSON, name: 'Bench', roles: ['administrator'] });
  const { page, context } = await openTab(browser, { url });
  await signIn(page, PERSON);
  await page.close();
  const where = { field: 'status', op: '=', value: 'confirmed' };
  const found = (await staff(url, 'POST', 'orders/search', { where, limit: 200 })) as { orders: { id: string }[] };
  return { url, browser, signedIn: context, ids: found.orders.map(({ id }) => id) };
}

async function openList({ url, browser, signedIn }: Desk): Promise<Page> {
  const { page } = await openTab(browser, { url, from: signedIn });
  await page.addInitScript(NOTE_FIRST_ROW);
  await page.goto('/orders');
  await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().waitFor();
  return page;
}

/** Runs in the page. */
const NOTE_FIRST_ROW = `new MutationObserver((_, observer) => {
  if (!document.querySelector('[role=table] [role=row] a')) return;
  observer.disconnect();
  requestAnimationFrame(() => (window.firstRowAt = performance.now()));
}).observe(document, { childList: true, subtree: true })`;
const READ_FIRST_ROW = 'window.firstRowAt';
const READ_SCRIPTS = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

/** Each round in a new window: nothing is cached. */
async function firstList(desk: Desk, orders: number, rounds: number): Promise<Figure[]> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const page = await openList(desk);
    const at = await until(async () => (await page.evaluate(READ_FIRST_ROW)) as number | undefined);
    bytes = (await page.evaluate(READ_SCRIPTS)) as number;
    // The first round warms up the server.
    if (round > 0) times.push(at);
    await page.context().close();
  }
  return [
    {
      name: 'First list of orders',
      value: quantile(times, 0.5),
      unit: 'ms',
      target: { atMost: FIRST_LIST_MS },
      detail: `from the request of the page to the first rows, median of ${rounds} windows, ${orders} orders`,
    },
    {
      name: 'JavaScript of the first screen',
      value: bytes,
      unit: 'bytes',
      target: { atMost: FIRST_SCREEN_BYTES },
      detail: 'as sent, gzip',
    },
  ];
}

async function changeSeen(desk: Desk, changes: number): Promise<Figure> {
  const page = await openList(desk);
  const [id = ''] = desk.ids;
  await page.goto(`/orders/${id}`);
  const status = page.getByLabel('Status', { exact: true });
  await status.waitFor();
  const times: number[] = [];
  for (let round = 0; round < changes; round += 1) {
    const before = await status.innerText();
    await staff(desk.url, 'POST', `orders/${id}/status`, { status_code: CODES[round % CODES.length] });
    const began = performance.now();
    await until(async () => (await status.innerText()) !== before);
    times.push(performance.now() - began);
  }
  await page.context().close();
  return {
    name: 'Change seen in the console',
    value: quantile(times, 0.95),
    unit: 'ms',
    target: { atMost: SEEN_WITHIN_MS },
    detail: `from the answer to the change until the order's page shows it, p95 of ${changes}`,
  };
}

/** Scrolls up and down while orders of the first pages change. */
async function scrolling(desk: Desk, seconds: number): Promise<Figure> {
  const page = await openList(desk);
  await page.getByRole('region', { name: 'List of orders' }).hover();
  let changes = 0;
  let failed = 0;
  const timer = setInterval(() => {
    const id = desk.ids[changes % desk.ids.length] ?? '';
    const status_code = CODES[Math.floor(changes / desk.ids.length) % CODES.length];
    changes += 1;
    staff(desk.url, 'POST', `orders/${id}/status`, { status_code }).catch(() => (failed += 1));
  }, 1_000 / CHANGES_A_SECOND);
  await desk.browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  const end = performance.now() + seconds * 1_000;
  for (let step = 0; performance.now() < end; step += 1) {
    await page.mouse.wheel(0, step % 40 < 30 ? 300 : -600);
    await page.waitForTimeout(50);
  }
  const { longestMs, mostCpuMs, tasks } = longestTask(await desk.browser.stopTracing());
  clearInterval(timer);
  await page.context().close();
  if (failed > 0) throw new Error(`${failed} of ${changes} changes failed`);
  return {
    name: 'Longest task of the console',
    value: longestMs,
    unit: 'ms',
    target: { atMost: LONGEST_TASK_MS },
    detail:
      `of ${tasks} in a trace of ${seconds} s while scrolling, ${Math.round(changes / seconds)} orders a second changed, ` +
      `the server yields to the browser; no task needs more than ${mostCpuMs.toFixed(0)} ms of processor time`,
  };
}
