import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Listings } from '#orders/listings/listings';
import { SystemClock } from '#runtime/clock';
import { Pool as HttpPool } from 'undici';
import type { Figure, Measurement, RunOptions } from '../measurement.js';
import { type DeskClient, deskClient } from '../setup/desk-client.js';
import { CONNECTIONS, Load } from '../setup/load.js';
import { createMarketplace, LISTING, type Marketplace } from '../setup/marketplace.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import type { Service } from '../setup/service.js';
import { inMs, quantile } from '../statistics.js';

const A_SECOND = 100;
const EVENT = '5513';
const LISTINGS_OF_EVENT = 20;
const BUYING_SECONDS = 2;
const TOKEN = randomBytes(16).toString('hex');

type Job = Readonly<{ id: string; state: string; done: number }>;
type Stage = Readonly<{ buyer: PacedBuyer; desk: DeskClient }>;

/** An event with thousands of orders is cancelled while purchases of another event go on. All pings are sent meanwhile. */
export const eventRun: Measurement = {
  name: 'event-run',
  about: `a cancelled event of 10,000 orders beside ${A_SECOND} purchases a second`,
  async run(options) {
    const marketplace = await createMarketplace();
    const receiver = await PingReceiver.start();
    const api = await marketplace.startApi({
      environment: { BACKOFFICE_TOKEN: TOKEN, APPROVAL_FROM_ORDERS: '1000000' },
    });
    const worker = await marketplace.startWorker({ environment: { PLATFORM_URL: receiver.url } });
    const buyer = new PacedBuyer(marketplace, api);
    const http = new HttpPool(`http://127.0.0.1:${api.port}`, { connections: 1 });
    try {
      const orders = options.quick ? 1_000 : 10_000;
      await sellTheEvent(marketplace, api, orders);
      await receiver.pinged(orders);
      return await measure({ buyer, desk: deskClient(http, TOKEN) }, orders, options);
    } finally {
      await http.close();
      await buyer.stop();
      await worker.stop();
      await api.stop();
      await receiver.stop();
      await marketplace.database.remove();
    }
  },
};

async function sellTheEvent({ database, clients }: Marketplace, api: Service, count: number): Promise<void> {
  const listingIds = Array.from({ length: LISTINGS_OF_EVENT }, (_, index) => `gone-${index + 1}`);
  const listings = new Listings(database.owner, new SystemClock());
  await listings.putAll(listingIds.map((id) => ({ id, body: { ...LISTING, event_id: EVENT } })));
  const load = new Load();
  const run = `event-${Date.now()}`;
  const plan = { kind: 'wholesale', count, listingIds, eventId: EVENT, signer: clients.wholesale, run } as const;
  await load.run({ port: api.port, connections: CONNECTIONS, plan, status: 201 });
  await load.stop();
  await database.owner.query('vacuum analyze');
}

async function measure({ buyer, desk }: Stage, orders: number, { quick, say }: RunOptions): Promise<Figure[]> {
  const buy = async (seconds: number) =>
    (await buyer.buy({ count: A_SECOND * seconds, perSecond: A_SECOND })).map((one) => one.answeredAt - one.sentAt);
  await buy(quick ? 2 : 10);
  const alone = await buy(quick ? 4 : 20);
  const began = performance.now();
  const { id } = await desk.post<Job>('jobs', { kind: 'cancel_event', event_id: EVENT, arguments: {}, dry_run: false });
  const end = finished(desk, id);
  const beside: number[] = [];
  for (let running = true; running; running = await Promise.race([end.then(() => false), pause(0, true)])) {
    beside.push(...(await buy(BUYING_SECONDS)));
  }
  const { job, at } = await end;
  if (job.state !== 'done' || job.done !== orders) throw new Error(`The run ended as ${JSON.stringify(job)}.`);
  const p99 = (latencies: readonly number[]) => quantile(latencies, 0.99);
  say(`alone: ${inMs(alone)}`);
  say(`beside the run: ${inMs(beside)}`);
  return [
    {
      name: 'purchases beside a cancelled event, p99',
      value: p99(beside) / p99(alone),
      unit: 'times',
      target: { atMost: 2 },
      detail: `${A_SECOND} purchases a second of another event, all pings sent; beside ${inMs(beside)}; alone ${inMs(alone)}`,
    },
    {
      name: 'orders of a cancelled event',
      value: (orders / (at - began)) * 1_000,
      unit: 'a second',
      detail: `${orders} orders of ${LISTINGS_OF_EVENT} listings beside those purchases`,
    },
  ];
}

async function finished(desk: DeskClient, id: string): Promise<{ job: Job; at: number }> {
  for (;;) {
    const job = await desk.get<Job>(`jobs/${id}`);
    if (job.state !== 'running') return { job, at: performance.now() };
    await pause(100);
  }
}
