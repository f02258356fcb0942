import { randomBytes } from 'node:crypto';
import { Pool as HttpPool } from 'undici';
import type { Pool } from 'pg';
import { SystemClock } from '#base/clock';
import { Listings } from '#listings/listings';
import { until } from '../../test/support/until.js';
import type { Figure, Measurement, RunOptions } from '../measurement.js';
import { deskClient } from '../setup/desk-client.js';
import { Load } from '../setup/load.js';
import { createMarketplace, LISTING, type Marketplace } from '../setup/marketplace.js';
import { PingReceiver } from '../setup/ping-receiver.js';

const TOKEN = randomBytes(16).toString('hex');
const CONNECTIONS = 4;
// The goal is for these. The other tables are reported: some of them are emptied by age, or grow with the calls of staff.
const KEPT = ['events', 'orders', 'pings', 'feed'];
const AT_MOST_BYTES = 6_000;
// The orders of a round are changed together, so a vacuum after each round does what autovacuum does at a desk: later orders use the space again.
const A_ROUND = 250;

/** What an order takes in the database, with all indexes, when it was bought, accepted and delivered, and the platform was told each time. */
export const size: Measurement = {
  name: 'size',
  about: 'bytes that a whole order takes in the database, by table',
  async run({ quick, say }) {
    const marketplace = await createMarketplace();
    const receiver = await PingReceiver.start();
    const load = new Load();
    const api = await marketplace.startApi({ environment: { BACKOFFICE_TOKEN: TOKEN } });
    const worker = await marketplace.startWorker({ environment: { PLATFORM_URL: receiver.url } });
    const http = new HttpPool(`http://127.0.0.1:${api.port}`, { connections: CONNECTIONS });
    try {
      const body = { ...LISTING, confirmation: 'manual', confirm_within_minutes: 600 } as const;
      const listings = new Listings(marketplace.database.owner, new SystemClock());
      await listings.putAll(ASKED.map((id) => ({ id, body })));
      const seller = { marketplace, load, port: api.port, http };
      const rounds = async (count: number): Promise<Sizes> => {
        for (let round = 0; round < count; round += 1) await sellWhole(seller, A_ROUND);
        return await tableSizes(marketplace.database.owner);
      };
      const [first, counted] = quick ? [1, 2] : [4, 8];
      const before = await rounds(first);
      return figures(before, await rounds(counted), counted * A_ROUND, say);
    } finally {
      await http.close();
      await load.stop();
      await worker.stop();
      await api.stop();
      await receiver.stop();
      await marketplace.database.remove();
    }
  },
};

const ASKED = Array.from({ length: 20 }, (_, index) => `asked-${index + 1}`);

type Seller = Readonly<{ marketplace: Marketplace; load: Load; port: number; http: HttpPool }>;

/** The broker accepts each of the orders, and delivers it. */
async function sellWhole({ marketplace, load, port, http }: Seller, count: number): Promise<void> {
  const { database, clients } = marketplace;
  const run = `size-${Date.now()}`;
  const plan = { kind: 'wholesale', count, listingIds: ASKED, signer: clients.wholesale, run } as const;
  await load.run({ port, connections: CONNECTIONS, plan, status: 201 });
  const { rows } = await database.owner.query<{ id: string }>("select id from orders where status = 'pending'");
  const desk = deskClient(http, TOKEN);
  const ids = rows.map(({ id }) => id);
  const fulfillment = { type: 'download', data: { url: 'https://tickets.example/4711' } };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        await desk.post(`orders/${id}/accept`, {});
        await desk.post(`orders/${id}/fulfillment`, fulfillment);
      }
    }),
  );
  await until(async () => !(await isUnfinished(database.owner)), { withinMs: 120_000 });
  await database.owner.query('vacuum analyze');
}

async function isUnfinished(owner: Pool): Promise<boolean> {
  const { rows } = await owner.query<{ unfinished: boolean }>(
    "select exists (select from pings where state = 'pending') or exists (select from outbox) as unfinished",
  );
  return rows[0]?.unfinished !== false;
}

type Sizes = ReadonlyMap<string, Readonly<{ heap: number; indexes: number }>>;

/** By table, with what belongs to it. A partition counts as its table. */
async function tableSizes(owner: Pool): Promise<Sizes> {
  const { rows } = await owner.query<{ name: string; heap: string; indexes: string }>(SIZES);
  return new Map(rows.map(({ name, heap, indexes }) => [name, { heap: Number(heap), indexes: Number(indexes) }]));
}

const SIZES = `
  select coalesce(pg_partition_root(oid), oid)::regclass::text as name, sum(pg_table_size(oid)) as heap, sum(pg_indexes_size(oid)) as indexes
  from pg_class where relkind in ('r', 'm') and relnamespace = 'public'::regnamespace group by 1`;

function figures(before: Sizes, after: Sizes, count: number, say: RunOptions['say']): Figure[] {
  const tables = [...after].map(([name, { heap, indexes }]) => ({
    name,
    heap: (heap - (before.get(name)?.heap ?? 0)) / count,
    indexes: (indexes - (before.get(name)?.indexes ?? 0)) / count,
  }));
  const grown = tables
    .filter(({ heap, indexes }) => heap + indexes > 10)
    .toSorted((a, b) => b.heap + b.indexes - a.heap - a.indexes);
  for (const { name, heap, indexes } of grown) {
    say(`${name}: ${Math.round(heap)} bytes and ${Math.round(indexes)} of indexes`);
  }
  const sum = (counted: typeof tables) => counted.reduce((bytes, { heap, indexes }) => bytes + heap + indexes, 0);
  const listed = (counted: typeof tables) =>
    counted.map(({ name, heap, indexes }) => `${name} ${Math.round(heap + indexes)}`).join(', ');
  const kept = grown.filter(({ name }) => KEPT.includes(name));
  return [
    {
      name: `a whole order in ${KEPT.join(', ')}`,
      value: sum(kept),
      unit: 'bytes',
      target: { atMost: AT_MOST_BYTES },
      detail: `of ${count} wholesale orders bought, accepted and delivered, four events and three pings each, after a vacuum: ${listed(kept)}`,
    },
    {
      name: 'a whole order in all tables',
      value: sum(tables),
      unit: 'bytes',
      detail: `also ${listed(grown.filter(({ name }) => !KEPT.includes(name)))}`,
    },
  ];
}
