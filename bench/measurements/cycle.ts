import { redisAvailable, startRedis, type TestRedis } from '../../test/support/redis.js';
import { until } from '../../test/support/until.js';
import type { QueueRequest, QueueResult } from '../bare/queue.js';
import { comparisonText, interleaved } from '../interleaved.js';
import type { Figure, Measurement, RunOptions } from '../measurement.js';
import { startBare } from '../setup/bare.js';
import { CONNECTIONS, Load } from '../setup/load.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { memoryIsKnown } from '../setup/memory.js';
import { buyOne, pendingPings } from '../setup/ping-drain.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import { processorTimes } from '../setup/processor-time.js';
import type { Service } from '../setup/service.js';
import { SideProcess } from '../setup/side-process.js';
import { median } from '../statistics.js';

/** What an order costs all processes together, from the signed purchase to the platform's read after its ping. */
export const cycle: Measurement = {
  name: 'cycle',
  about: 'processor time of a whole order against that of a bare POST, a bare GET and an empty job',
  async run(options) {
    if (!redisAvailable || !memoryIsKnown) {
      options.say('left out: it needs a redis-server on the PATH, and /proc of Linux');
      return [];
    }
    const redis = await startRedis();
    const load = new Load();
    const parts = await startParts(redis);
    try {
      const figures = [];
      for (const queue of ['Redis', 'PostgreSQL'] as const) {
        figures.push(...(await compare({ parts, load, redis, queue }, options)));
      }
      return figures;
    } finally {
      await parts.stop();
      await load.stop();
      await redis.stop();
    }
  },
};

const AT_MOST = { Redis: 2, PostgreSQL: 3.5 };

type Stage = Readonly<{ parts: Parts; load: Load; redis: TestRedis; queue: keyof typeof AT_MOST }>;

/** The bare parts have a database of their own: a worker would send the pings that they write. */
type Parts = Readonly<{
  marketplace: Marketplace;
  bare: Service;
  jobs: SideProcess<QueueRequest, QueueResult>;
  stop(): Promise<void>;
}>;

async function startParts(redis: TestRedis): Promise<Parts> {
  const marketplace = await createMarketplace();
  await buyOne(marketplace);
  const bare = await startBare(marketplace.database);
  const jobs = new SideProcess<QueueRequest, QueueResult>('bare/queue.js');
  await jobs.run({ redisUrl: redis.url, jobs: 1 });
  const stop = async () => {
    await jobs.stop();
    await bare.stop();
    await marketplace.database.remove();
  };
  return { marketplace, bare, jobs, stop };
}

type Micros = Readonly<Record<string, number>>;

async function compare(stage: Stage, { quick, say }: RunOptions): Promise<Figure[]> {
  const { parts, load, redis, queue } = stage;
  const marketplace = await createMarketplace();
  const receiver = await PingReceiver.start();
  const queues: Record<string, string> = queue === 'Redis' ? { REDIS_URL: redis.url } : {};
  const api = await marketplace.startApi({ environment: queues });
  const worker = await marketplace.startWorker({ environment: { PLATFORM_URL: receiver.url, ...queues } });
  const count = quick ? 1_000 : 6_000;
  const [ofParts, ofOrders]: [Micros[], Micros[]] = [[], []];
  try {
    const rates = await interleaved(
      quick ? 2 : 5,
      () => runParts({ parts, load, redis }, count, (micros) => ofParts.push(micros)),
      async () => {
        const order = { marketplace, receiver, api, worker, load, redis };
        const rate = await runOrders(order, count, (micros) => ofOrders.push(micros));
        say(`on ${queue}: ${text(ofOrders.at(-1) ?? {})}; ${Math.round(rate)} a second`);
        return rate;
      },
    );
    // Without the warm-up.
    const [limit, order] = [medians(ofParts.slice(1)), medians(ofOrders.slice(1))];
    return [
      {
        name: `processor time of an order, queue on ${queue}`,
        value: sum(order) / sum(limit),
        unit: 'times',
        target: { atMost: AT_MOST[queue] },
        detail: `${text(order)} against ${text(limit)}`,
      },
      {
        name: `POST /purchases while pings go out, queue on ${queue}`,
        value: rates.ratio,
        unit: 'of the limit',
        ...(queue === 'Redis' && { target: { atLeast: 0.45 } }),
        detail: comparisonText(rates),
      },
    ];
  } finally {
    await worker.stop();
    await api.stop();
    await receiver.stop();
    await marketplace.database.remove();
  }
}

/** Returns how many POSTs a second. */
async function runParts(
  { parts: { marketplace, bare, jobs }, load, redis }: Pick<Stage, 'parts' | 'load' | 'redis'>,
  count: number,
  took: (micros: Micros) => void,
): Promise<number> {
  const pids = { server: bare.pid, PostgreSQL: marketplace.database.pid };
  let rate = 0;
  const post = await processorTimes(pids, count, async () => {
    rate = await buy(marketplace, load, bare, count);
  });
  const paths = await newestPurchases(marketplace, count);
  const get = await processorTimes(pids, count, () => read(marketplace, load, bare, paths));
  let job = 0;
  const queue = await processorTimes({ redis: redis.pid() }, count, async () => {
    job = (await jobs.run({ redisUrl: redis.url, jobs: count })).cpuMicros;
  });
  took({ POST: sum(post), GET: sum(get), job: job + queue.redis });
  return rate;
}

type Order = Readonly<{
  marketplace: Marketplace;
  receiver: PingReceiver;
  api: Service;
  worker: Service;
  load: Load;
  redis: TestRedis;
}>;

/** Returns how many purchases a second were accepted while pings went out. */
async function runOrders(
  { marketplace, receiver, api, worker, load, redis }: Order,
  count: number,
  took: (micros: Micros) => void,
): Promise<number> {
  await receiver.forget();
  const { pid, owner } = marketplace.database;
  const pids = { api: api.pid, worker: worker.pid, PostgreSQL: pid, Redis: redis.pid() };
  let rate = 0;
  const micros = await processorTimes(pids, count, async () => {
    rate = await buy(marketplace, load, api, count);
    await receiver.pinged(count);
    await until(async () => (await pendingPings(owner)) === 0, { withinMs: 60_000 });
    await read(marketplace, load, api, await newestPurchases(marketplace, count));
  });
  took(micros);
  return rate;
}

let runs = 0;

async function buy(
  { clients, listingIds }: Marketplace,
  load: Load,
  { port }: Service,
  count: number,
): Promise<number> {
  runs += 1;
  const plan = { kind: 'wholesale' as const, count, listingIds, signer: clients.wholesale, run: `cycle-${runs}` };
  const { seconds } = await load.run({ port, connections: CONNECTIONS, plan, status: 201 });
  return count / seconds;
}

async function read({ clients }: Marketplace, load: Load, { port }: Service, paths: readonly string[]): Promise<void> {
  const plan = { kind: 'get' as const, paths, count: paths.length, signer: clients.wholesale, run: '' };
  await load.run({ port, connections: CONNECTIONS, plan, status: 200 });
}

async function newestPurchases({ database }: Marketplace, count: number): Promise<string[]> {
  const { rows } = await database.owner.query<{ id: string }>('select id from orders order by id desc limit $1', [
    count,
  ]);
  return rows.map(({ id }) => `/checkout/v1/purchases/${id}`);
}

const sum = (micros: Micros) => Object.values(micros).reduce((all, each) => all + each, 0);

function medians(rounds: readonly Micros[]): Micros {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name] ?? 0))]));
}

/** `api 310, worker 240 µs`. */
function text(micros: Micros): string {
  return `${Object.entries(micros)
    .map(([name, value]) => `${name} ${Math.round(value)}`)
    .join(', ')} µs`;
}
