import { Pool as HttpPool } from 'undici';
import { FolderObjectStore } from '#platform/storage/folder-object-store';
import { archiveOrders } from '#upkeep/archiving';
import { makePartitions } from '#database/partitions';
import { rebuildPingStream } from '#upkeep/maintenance/rebuild-ping-stream';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { Figure, Measurement, RunOptions } from '../measurement.js';
import { deskClient } from '../setup/desk-client.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { loadOrders } from '../setup/order-loading.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { inMs, median, quantile } from '../statistics.js';

const A_SECOND = 30;
const AT_MOST_TIMES = 1.2;
const AT_MOST_MORE_MS = 50;
const ROUNDS = 5;
const TOKEN = 'token-of-the-bench';

type Desk = Readonly<{ marketplace: Marketplace; buyer: PacedBuyer; http: HttpPool; stop(): Promise<void> }>;

/** Milliseconds of each answer, by what was asked. */
type Latencies = Record<'purchase' | 'read' | 'list' | 'feed', number[]>;

/** The same questions to ten times the orders, in turns, and purchases while partitions come and go. */
export const growth: Measurement = {
  name: 'growth',
  about: 'purchase, read, list and feed with 1,000,000 orders against 100,000, and beside changes of partitions',
  async run(options) {
    const orders = options.quick ? 2_000 : 100_000;
    const small = await openDesk(orders, options);
    const large = await openDesk(10 * orders, options);
    try {
      const [few, many] = [empty(), empty()];
      await Promise.all([ask(small, empty(), options), ask(large, empty(), options)]);
      for (let round = 0; round < (options.quick ? 1 : ROUNDS); round += 1) {
        await ask(small, few, options);
        await ask(large, many, options);
      }
      const figures = (Object.keys(few) as (keyof Latencies)[]).map((what): Figure => {
        const [one, ten] = [few[what], many[what]];
        const detail = `of ${ten.length}; with ${10 * orders} orders ${inMs(ten)}; with ${orders} ${inMs(one)}`;
        options.say(`${what}: ${detail}`);
        const value = median(ten) / median(one);
        return {
          name: `${what} with ten times the orders`,
          value,
          unit: 'times',
          target: { atMost: AT_MOST_TIMES },
          detail,
        };
      });
      return [...figures, await besidePartitions(large, options)];
    } finally {
      await small.stop();
      await large.stop();
    }
  },
};

async function openDesk(orders: number, { say }: RunOptions): Promise<Desk> {
  const marketplace = await createMarketplace({ shared_buffers: '2GB', max_wal_size: '4GB' });
  const { database, sealer } = marketplace;
  await loadOrders(database.owner, sealer, orders, say);
  await rebuildPingStream(database.owner);
  await database.owner.query('vacuum analyze');
  await database.owner.query('checkpoint');
  const api = await marketplace.startApi({ environment: { BACKOFFICE_TOKEN: TOKEN } });
  const buyer = new PacedBuyer(marketplace, api);
  const http = new HttpPool(`http://127.0.0.1:${api.port}`, { connections: 4 });
  const stop = async () => {
    await http.close();
    await buyer.stop();
    await api.stop();
    await database.remove();
  };
  return { marketplace, buyer, http, stop };
}

const empty = (): Latencies => ({ purchase: [], read: [], list: [], feed: [] });

async function ask({ buyer, http, marketplace }: Desk, into: Latencies, { quick }: RunOptions): Promise<void> {
  const bought = await buyer.buy({ count: quick ? 60 : 300, perSecond: A_SECOND });
  into.purchase.push(...bought.map(({ sentAt, answeredAt }) => answeredAt - sentAt));
  const desk = deskClient(http, TOKEN);
  const { rows } = await marketplace.database.owner.query<{ id: string; position: string }>(RANDOM_ORDERS);
  for (const { id, position } of rows) {
    into.read.push(await timed(() => desk.get(`orders/${id}`)));
    into.list.push(await timed(() => desk.get('orders?limit=50')));
    const page = { method: 'GET', path: `/stream/v1/pings?after=${position}&limit=100`, headers: BEARER } as const;
    into.feed.push(await timed(async () => (await http.request(page)).body.text()));
  }
}

const BEARER = { authorization: `Bearer ${TOKEN}` };

/** Orders of all times, and where each is in the stream. */
const RANDOM_ORDERS = `
  select order_id as id, position from ping_stream where position in (
    select (random() * (select max(position) from ping_stream))::bigint from generate_series(1, 400))
  limit 100`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** How much longer the slowest of a hundred purchases takes while partitions are made, archived and dropped. */
async function besidePartitions({ marketplace, buyer }: Desk, { quick, say }: RunOptions): Promise<Figure> {
  const plan = { count: quick ? 100 : 900, perSecond: A_SECOND };
  const p99 = async () => {
    const bought = await buyer.buy(plan);
    return quantile(
      bought.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
      0.99,
    );
  };
  const alone = await p99();
  const work = { now: true, turns: 0 };
  const changing = (async () => {
    const { owner } = marketplace.database;
    const files = new FolderObjectStore(temporaryFolder('bench-archive'));
    while (work.now) {
      await owner.query(NEWEST_DROPPED);
      await makePartitions(owner);
      await archiveOrders(owner, files, { before: new Date(), onSegment: stopAfterOne }).catch((error: unknown) => {
        if (error !== ENOUGH) throw error;
      });
      work.turns += 1;
    }
  })();
  const beside = await p99();
  work.now = false;
  await changing;
  say(`p99 ${beside.toFixed(1)} ms beside ${work.turns} changes, ${alone.toFixed(1)} alone`);
  return {
    name: 'Purchase beside changes of partitions, p99 more',
    value: beside - alone,
    unit: 'ms',
    target: { atMost: AT_MOST_MORE_MS },
    detail: `${work.turns} times a partition of each kind was dropped and made, and 16 MB archived; p99 ${beside.toFixed(1)} against ${alone.toFixed(1)}`,
  };
}

const ENOUGH = new Error('one file is enough');
const stopAfterOne = () => {
  throw ENOUGH;
};

/** As retention does: the partition leaves its table, and then goes. */
const NEWEST_DROPPED = `
  do $$
  declare part record;
  begin
    set local lock_timeout = '25ms';
    for part in select inhparent::regclass as parent, max(inhrelid::regclass::text) as name from pg_inherits
      where inhparent in ('events'::regclass, 'ping_attempts'::regclass) and inhrelid::regclass::text ~ '\\d$' group by 1 loop
      execute format('alter table %s detach partition %s', part.parent, part.name);
      execute format('drop table %s', part.name);
    end loop;
  exception when lock_not_available then null;
  end $$`;
