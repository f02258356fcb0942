import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STAFF_TOKEN } from './support/callers.js';
import { wholesaleBody } from './support/purchase-bodies.js';
import { redisAvailable } from './support/redis.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';
import { isSignedWith, WebhookDouble } from './support/webhooks/webhook-double.js';

const ORDERS = 25;
/** The statuses after the initial confirmation. */
const CHANGES = [2001, 4001, 2001];
const ENTRIES = ORDERS * (1 + CHANGES.length);

type Entry = Readonly<{ id: string; position: number; order_id: string; sequence: number; transaction_id: string }>;

let stand: Stand;
let receiver: WebhookDouble;
beforeAll(async () => {
  const queues = redisAvailable ? 'redis' : 'postgres';
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  [stand, receiver] = await Promise.all([
    Stand.start({ database: 'shared', queues, apis: 2, workers: 2, settings }),
    WebhookDouble.start(),
  ]);
  await stand.staff.putListing('lst-1', { quantity: 1_000 });
});
afterAll(async () => {
  await stand.close();
  await receiver.stop();
});

const authorization = { authorization: `Bearer ${STAFF_TOKEN}` };

async function subscribe(path: string): Promise<string> {
  const answer = await stand.staff.send('POST', 'webhooks', { url: receiver.url + path });
  return (answer.body as { secret: string }).secret;
}

/** Buys and changes orders in parallel. The changes of one order are in sequence. */
async function load(): Promise<void> {
  const buyAndChange = async (number: number) => {
    const id = await stand.wholesale.bought({ ...wholesaleBody(), ref_id: `ways-${number}` });
    for (const code of CHANGES) {
      const { status, text } = await stand.staff.changeStatus(id, code);
      if (status !== 200) throw new Error(text);
    }
  };
  await Promise.all(Array.from({ length: ORDERS }, (_, number) => buyAndChange(number)));
}

async function feed(): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after = -1, next = 0; next > after;) {
    after = next;
    const page = await fetch(`${stand.api().url}/stream/v1/pings?after=${after}&limit=17`, { headers: authorization });
    const answer = (await page.json()) as { pings: Entry[]; next: number };
    entries.push(...answer.pings);
    next = answer.next;
  }
  return entries;
}

/** Reads the live stream of the other api from the first entry on. */
async function follow(entries: Entry[], signal: AbortSignal): Promise<void> {
  const headers = { ...authorization, 'last-event-id': '0' };
  const { body } = await fetch(`${stand.api(1).url}/stream/v1/pings/live`, { headers, signal });
  let text = '';
  for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    const data = lines.filter((line) => line.startsWith('data: '));
    const events = data.map((line) => JSON.parse(line.slice(6)) as Entry | { epoch: string });
    // The first event is `epoch`.
    entries.push(...events.filter((event): event is Entry => 'id' in event));
  }
}

/** What arrived for each order, in order of arrival. Immediate repeats count once. */
function perOrder<T>(list: readonly T[], orderOf: (item: T) => string, valueOf: (item: T) => string) {
  const found: Record<string, string[]> = {};
  for (const item of list) {
    const values = (found[orderOf(item)] ??= []);
    if (values.at(-1) !== valueOf(item)) values.push(valueOf(item));
  }
  return found;
}

describe('the platform, webhooks, the feed and the live stream, under load and with failing receivers', () => {
  it('report the same changes, with the same ids, in the same sequence within an order', async () => {
    const live: Entry[] = [];
    const ends = new AbortController();
    const following = follow(live, ends.signal).catch((error: unknown) => {
      if (!ends.signal.aborted) throw error;
    });
    const secrets = new Map([
      ['/steady', await subscribe('/steady')],
      ['/failing', await subscribe('/failing')],
    ]);
    let count = 0;
    receiver.answering = ({ path }) => ((count += 1) % 3 === 0 && path === '/failing' ? { status: 500 } : {});
    stand.platform.respond = () => (Math.random() < 0.2 ? { status: 503 } : {});

    const loading = load();
    await until(() => receiver.received.length > 20, { withinMs: 30_000 });
    await stand.worker().kill();
    await loading;
    const settled = async () => {
      const { rows } = await stand.pool.query(`
        select (select count(*) from webhook_deliveries where state = 'delivered')::int as delivered,
          (select count(*) from pings where state <> 'delivered')::int as undelivered`);
      return JSON.stringify(rows[0]) === JSON.stringify({ delivered: 2 * ENTRIES, undelivered: 0 });
    };
    await until(settled, { withinMs: 60_000 });
    await until(() => live.length >= ENTRIES, { withinMs: 30_000 });
    ends.abort();
    await following;

    const entries = await feed();
    const wanted = perOrder(
      entries,
      ({ order_id }) => order_id,
      ({ id }) => id,
    );
    expect(entries).toHaveLength(ENTRIES);
    expect(entries.map(({ position }) => position)).toEqual(entries.map((e) => e.position).toSorted((a, b) => a - b));
    expect(live).toEqual(entries);
    for (const path of ['/steady', '/failing']) {
      const received = receiver.received.filter((webhook) => webhook.path === path);
      const ids = perOrder(
        received,
        ({ orderId }) => orderId,
        ({ headers }) => headers['webhook-id'] ?? '',
      );
      expect(ids, path).toEqual(wanted);
      expect(received.every((webhook) => isSignedWith(secrets.get(path) ?? '', webhook))).toBe(true);
      const bodies = received.map(({ body }) => (JSON.parse(body) as { data: Entry }).data);
      for (const data of bodies) expect(entries).toContainEqual(data);
    }
    for (const orderId of Object.keys(wanted)) {
      const transactions = entries.filter((e) => e.order_id === orderId).map((e) => e.transaction_id);
      const pinged = perOrder(
        stand.platform.of(orderId),
        () => orderId,
        ({ transactionId }) => transactionId ?? '',
      );
      expect(pinged[orderId]).toEqual(transactions);
    }
  });
});
