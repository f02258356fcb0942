import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestBroker } from '../support/brokers/broker.js';
import { natsAvailable, startNats } from '../support/brokers/nats.js';
import { rabbitMqAvailable, startRabbitMq } from '../support/brokers/rabbitmq.js';
import { wholesaleBody } from '../support/purchase-bodies.js';
import { Stand } from '../support/stand/stand.js';
import { until } from '../support/until.js';

/** `repeats`: whether the broker may store an id twice. */
const BROKERS = [
  { name: 'NATS JetStream', server: 'nats-server', available: natsAvailable, start: startNats, repeats: false },
  { name: 'RabbitMQ', server: 'rabbitmq-server', available: rabbitMqAvailable, start: startRabbitMq, repeats: true },
];

/** The statuses of an order after the initial confirmation. */
const CHANGES = [2001, 4001, 2001];
const ORDERS = 15;

let stand: Stand;
beforeAll(async () => {
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  stand = await Stand.start({ database: 'shared', apis: 1, workers: 2, settings });
  await stand.staff.putListing('lst-1', { quantity: 10_000 });
});
afterAll(() => stand.close());

/** Buys and changes orders in parallel. The changes of one order are in sequence. */
async function load(name: string): Promise<void> {
  const buyAndChange = async (number: number) => {
    const id = await stand.wholesale.bought({ ...wholesaleBody(), ref_id: `${name}-${number}` });
    for (const code of CHANGES) expect((await stand.staff.changeStatus(id, code)).status).toBe(200);
  };
  await Promise.all(Array.from({ length: ORDERS }, (_, number) => buyAndChange(number)));
}

async function entriesAfter(position: number): Promise<readonly Readonly<{ id: string; order_id: string }>[]> {
  const { rows } = await stand.pool.query<{ id: string; order_id: string }>(
    'select id, order_id from ping_stream where position > $1 order by position',
    [position],
  );
  return rows;
}

describe.each(BROKERS)('$name', ({ name, server, available, start, repeats }) => {
  const reason = available ? '' : ` (skipped: there is no ${server} here)`;
  it.skipIf(!available)(
    `gets every ping in the order of its order, whatever is killed${reason}`,
    async () => {
      const broker: TestBroker = await start();
      try {
        const { body } = await stand.staff.send('POST', 'webhooks', { url: broker.url });
        const webhook = body as { id: string; from_position: number };
        expect(JSON.stringify(body)).not.toContain('p%40ss');
        const stored = async () => (await broker.messages()).length;

        await load(`${name}-1`);
        await until(async () => (await stored()) > 5);
        const second = load(`${name}-2`);
        await broker.kill();
        await second;
        const failures = `select count(*)::int as count from webhook_attempts where webhook_id = $1 and error is not null`;
        await until(async () => (await stand.pool.query(failures, [webhook.id])).rows[0]?.count > 0);
        await broker.restart();

        const before = await stored();
        const third = load(`${name}-3`);
        await until(async () => (await stored()) > before);
        await Promise.all([stand.worker(0).kill(), stand.worker(1).kill()]);
        await third;
        await Promise.all([stand.worker(0).start(), stand.worker(1).start()]);

        const wanted = await until(async () => {
          const entries = await entriesAfter(webhook.from_position);
          return entries.length === 3 * ORDERS * (1 + CHANGES.length) && entries;
        });
        const left = `select count(*)::int as count from webhook_deliveries where webhook_id = $1 and state = 'delivered'`;
        const delivered = async () => (await stand.pool.query(left, [webhook.id])).rows[0]?.count === wanted.length;
        await until(delivered, { withinMs: 120_000 });

        const messages = await broker.messages();
        const ids = messages.map(({ id }) => id);
        if (!repeats) expect(ids).toHaveLength(wanted.length);
        const firsts = [...new Set(ids)];
        for (const order of new Set(wanted.map(({ order_id }) => order_id))) {
          const ofOrder = wanted.filter(({ order_id }) => order_id === order).map(({ id }) => id);
          expect(firsts.filter((id) => ofOrder.includes(id))).toEqual(ofOrder);
        }
        for (const { id, subject, body: text } of messages) {
          const { type, data } = JSON.parse(text) as { type: string; data: { id: string; order_id: string } };
          expect([data.id, subject]).toEqual([id, expect.stringMatching(new RegExp(`${type}\\.${data.order_id}$`))]);
        }
        const secrets = await Promise.all(stand.apiUrls.map(() => stand.staff.get('webhooks')));
        expect(secrets.map(({ text }) => text).join()).not.toMatch(/p%40ss|p@ss/);
        for (const { log } of [stand.api(), stand.worker(0), stand.worker(1)]) expect(log()).not.toMatch(/p%40ss|p@ss/);
      } finally {
        await broker.stop();
      }
    },
    400_000,
  );
});
