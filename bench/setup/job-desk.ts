import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Pool as HttpPool } from 'undici';
import type { ListingBody } from '#listings/listing.contract';
import { Listings } from '#listings/listings';
import { fillWorkItems } from '#desk/work-item-filling';
import { SystemClock } from '#base/clock';
import { type DeskClient, deskClient } from './desk-client.js';
import { CONNECTIONS, Load } from './load.js';
import { createMarketplace, LISTING, type Marketplace } from './marketplace.js';
import { eventIdOf, listingIdOf, LISTINGS } from './order-histories.js';
import { loadOrders } from './order-loading.js';
import { PingReceiver } from './ping-receiver.js';
import type { Service } from './service.js';

const TOKEN = randomBytes(16).toString('hex');
const LISTINGS_OF_EVENT = 20;
// As on a server that has been running for a day: the tables are in memory, and no checkpoint of the load falls into what is measured.
const SERVER = { shared_buffers: '5GB', max_wal_size: '8GB' };

type Job = Readonly<{ id: string; state: string; done: number }>;

/** A desk with many old orders. An api and a worker run, and the platform takes every ping. */
export class JobDesk {
  private constructor(
    readonly marketplace: Marketplace,
    readonly api: Service,
    readonly receiver: PingReceiver,
    private readonly http: HttpPool,
    private readonly worker: Service,
  ) {}

  /** Loads the old orders first. */
  static async start(oldOrders: number, say: (line: string) => void): Promise<JobDesk> {
    const marketplace = await createMarketplace(SERVER);
    const { owner } = marketplace.database;
    await loadOrders(owner, marketplace.sealer, oldOrders, say);
    await putListings(
      marketplace,
      Array.from({ length: LISTINGS }, (_, number) => ({ id: listingIdOf(number), eventId: eventIdOf(number) })),
    );
    await fillWorkItems(owner, new SystemClock());
    const receiver = await PingReceiver.start();
    const environment = { BACKOFFICE_TOKEN: TOKEN, APPROVAL_FROM_ORDERS: '1000000' };
    const api = await marketplace.startApi({ environment });
    const worker = await marketplace.startWorker({ environment: { PLATFORM_URL: receiver.url } });
    const http = new HttpPool(`http://127.0.0.1:${api.port}`, { connections: 1 });
    await settled(owner);
    return new JobDesk(marketplace, api, receiver, http, worker);
  }

  async stop(): Promise<void> {
    await this.http.close();
    await this.worker.stop();
    await this.api.stop();
    await this.receiver.stop();
    await this.marketplace.database.remove();
  }

  /** Sells so many orders of a new event, and waits until the platform has been told of each. The listings are `LISTING` but for `body`. */
  async sellEvent(eventId: string, orders: number, body: Partial<ListingBody> = {}): Promise<void> {
    const { database, clients } = this.marketplace;
    const listingIds = Array.from({ length: LISTINGS_OF_EVENT }, (_, index) => `${eventId}-${index + 1}`);
    await putListings(
      this.marketplace,
      listingIds.map((id) => ({ id, eventId })),
      body,
    );
    await this.receiver.forget();
    const plan = { kind: 'wholesale', count: orders, listingIds, eventId, signer: clients.wholesale } as const;
    const load = new Load();
    const run = `event-${eventId}-${Date.now()}`;
    await load.run({ port: this.api.port, connections: CONNECTIONS, plan: { ...plan, run }, status: 201 });
    await load.stop();
    await this.receiver.pinged(orders);
    await database.owner.query('vacuum analyze');
  }

  /** Starts a job, and returns when it has changed so many orders, by `performance.now()`. */
  async runJob(body: object, orders: number): Promise<number> {
    const desk: DeskClient = deskClient(this.http, TOKEN);
    let job = await desk.post<Job>('jobs', { ...body, dry_run: false });
    while (job.state === 'running') {
      await pause(100);
      job = await desk.get<Job>(`jobs/${job.id}`);
    }
    if (job.state !== 'done' || job.done !== orders) throw new Error(`The job ended as ${JSON.stringify(job)}.`);
    return performance.now();
  }
}

async function putListings(
  { database }: Marketplace,
  listings: readonly Readonly<{ id: string; eventId: string }>[],
  body: Partial<ListingBody> = {},
): Promise<void> {
  const rows = listings.map(({ id, eventId }) => ({ id, body: { ...LISTING, ...body, event_id: eventId } }));
  await new Listings(database.owner, new SystemClock()).putAll(rows);
}

/** Waits until the worker has done what is due of the old orders, and told the platform. */
async function settled(pool: Pool): Promise<void> {
  for (let before = ''; ; await pause(5_000)) {
    const { rows } = await pool.query('select max(position), (select sum(attempts) from pings) as attempts from feed');
    const now = JSON.stringify(rows);
    if (now === before) return;
    before = now;
  }
}
