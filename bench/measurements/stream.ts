import { request } from 'undici';
import { FEED_PAGE } from '#outbound/stream/ping-stream-reader';
import { rebuildPingStream } from '#upkeep/maintenance/rebuild-ping-stream';
import { fillLog } from '../../test/support/orders/bulk-log.js';
import { redisAvailable, startRedis } from '../../test/support/redis.js';
import { until } from '../../test/support/until.js';
import type { ReadersAnswer, ReadersRequest } from '../setup/live-readers.process.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { memoryIsKnown, residentMb } from '../setup/memory.js';
import { readMetric } from '../setup/metrics.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { PingReceiver } from '../setup/ping-receiver.js';
import type { Service } from '../setup/service.js';
import { SideProcess } from '../setup/side-process.js';
import { interleaved, comparisonText } from '../interleaved.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

const TOKEN = 'bench-administrator';
const A_PAGE = 1_000;
const READERS = 500;
const CHANGES_A_SECOND = 200;
const WARM_UP_SECONDS = 3;
const MANY_READERS = 1_000;

/** The ping stream as a feed from position 0 and live: latency, and the cost of a reader. */
export const stream: Measurement = {
  name: 'stream',
  about: 'the ping stream as a feed and live',
  async run(options) {
    return [...(await feed(options)), ...(await live(options))];
  },
};

async function feed({ quick }: RunOptions): Promise<Figure[]> {
  const marketplace = await createMarketplace();
  const { owner } = marketplace.database;
  const events = await fillLog(owner, quick ? 10_000 : 60_000);
  await owner.query(`insert into subscriptions (name, position) values ('ping-stream', $1)`, [events]);
  const { rows: entries } = await rebuildPingStream(owner);
  await owner.query(READ_INSIDE);
  const api = await marketplace.startApi({ environment: { BACKOFFICE_TOKEN: TOKEN } });
  try {
    const inside = async () => {
      const began = performance.now();
      const { rows } = await owner.query<{ read: number }>('select bench_read_all() as read');
      return rateOf(rows[0]?.read, entries, began);
    };
    const overHttp = async () => {
      const began = performance.now();
      return rateOf(await readAll(api), entries, began);
    };
    const compared = await interleaved(quick ? 2 : 5, inside, overHttp);
    const detail = `${entries} entries from position 0 in pages of ${A_PAGE}`;
    return [
      {
        name: 'Feed inside PostgreSQL',
        value: compared.limit,
        unit: 'a second',
        target: { atLeast: 100_000 },
        detail: `${detail}, by the statement of the feed, the JSON made and not sent`,
      },
      {
        name: 'Feed over HTTP',
        value: compared.ours,
        unit: 'a second',
        target: { atLeast: 20_000 },
        detail: `${detail}, one reader that parses them; ${comparisonText(compared)} inside`,
      },
    ];
  } finally {
    await api.stop();
    await marketplace.database.remove();
  }
}

function rateOf(read: number | undefined, entries: number, began: number): number {
  if (read !== entries) throw new Error(`${read} of ${entries} entries were read`);
  return (entries / (performance.now() - began)) * 1_000;
}

async function readAll({ port }: Service): Promise<number> {
  let read = 0;
  for (let after = 0; ;) {
    const { body } = await request(`http://127.0.0.1:${port}/stream/v1/pings?after=${after}&limit=${A_PAGE}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const { pings, next } = (await body.json()) as { pings: object[]; next: number };
    read += pings.length;
    if (next === after) return read;
    after = next;
  }
}

const READ_INSIDE = `
  create function bench_read_all() returns int language plpgsql as $$
  declare page record; position bigint := 0; total int := 0;
  begin
    loop
      execute $page$${FEED_PAGE.replace('FILTER', '')}$page$ into page using position, 9007199254740991, ${A_PAGE};
      exit when page.count = 0;
      total := total + page.count;
      position := page.last;
    end loop;
    return total;
  end $$`;

type Readers = SideProcess<ReadersRequest, ReadersAnswer>;
type Stage = Readonly<{ marketplace: Marketplace; api: Service; buyer: PacedBuyer; readers: Readers }>;

async function live(options: RunOptions): Promise<Figure[]> {
  const marketplace = await createMarketplace({ track_commit_timestamp: 'on' });
  const receiver = await PingReceiver.start();
  const redis = redisAvailable ? await startRedis() : undefined;
  const queues = redis ? { REDIS_URL: redis.url } : {};
  const api = await marketplace.startApi({ environment: { BACKOFFICE_TOKEN: TOKEN } });
  const worker = await marketplace.startWorker({ environment: { PLATFORM_URL: receiver.url, ...queues } });
  const stage: Stage = {
    marketplace,
    api,
    buyer: new PacedBuyer(marketplace, api),
    readers: new SideProcess('setup/live-readers.process.js'),
  };
  try {
    await stage.buyer.buy({ count: CHANGES_A_SECOND * WARM_UP_SECONDS, perSecond: CHANGES_A_SECOND });
    return [...(await latency(stage, options)), ...(memoryIsKnown ? [await memory(stage, options)] : [])];
  } finally {
    await stage.readers.stop();
    await stage.buyer.stop();
    await worker.stop();
    await api.stop();
    await redis?.stop();
    await receiver.stop();
    await marketplace.database.remove();
  }
}

async function latency({ marketplace, api, buyer, readers }: Stage, { quick, say }: RunOptions): Promise<Figure[]> {
  const { owner } = marketplace.database;
  await readers.run({ open: READERS, port: api.port, token: TOKEN });
  await buyer.buy({ count: CHANGES_A_SECOND * WARM_UP_SECONDS, perSecond: CHANGES_A_SECOND });
  const from = new Date();
  const count = CHANGES_A_SECOND * (quick ? 3 : 15);
  await buyer.buy({ count, perSecond: CHANGES_A_SECOND });
  const committed = await until(
    async () => {
      const { rows } = await owner.query<{ position: number; ms: number }>(COMMITTED, [from]);
      return rows.length === count && rows.map(({ position, ms }) => [position, ms] as const);
    },
    { everyMs: 200, withinMs: 30_000 },
  );
  const { missing, seen, p50, p99, longest } = await until(
    async () => {
      const answer = await readers.run({ committed });
      return answer.missing === 0 && answer;
    },
    { everyMs: 500, withinMs: 30_000 },
  );
  say(`p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${missing} missing`);
  const detail =
    `${READERS} readers on one process, ${count} purchases at ${CHANGES_A_SECOND} a second, beside the delivery of their pings; ` +
    `${seen} entries arrived, none was missing, the latest after ${longest.toFixed(1)} ms`;
  return [
    { name: 'Commit to live reader, p50', value: p50, unit: 'ms', detail },
    { name: 'Commit to live reader, p99', value: p99, unit: 'ms', target: { atMost: 100 }, detail },
  ];
}

const COMMITTED = `
  select s.position, extract(epoch from pg_xact_commit_timestamp(e.xmin))::float8 * 1000 as ms
  from ping_stream s join feed f using (position) join events e on e.stream = f.stream and e.position = f.stream_position
  where s.occurred_at >= $1`;

async function memory({ api, readers }: Stage, { say }: RunOptions): Promise<Figure> {
  const setReaders = (count: number) =>
    until(async () => (await readMetric(api, 'willcall_stream_readers{state="live"}')) === count, { withinMs: 30_000 });
  const before = residentMb(api.pid);
  await readers.run({ open: MANY_READERS, port: api.port, token: TOKEN });
  await setReaders(READERS + MANY_READERS);
  const bytes = ((residentMb(api.pid) - before) * 1e6) / MANY_READERS;
  say(`${Math.round(bytes)} bytes a reader`);
  return {
    name: 'A live reader',
    value: bytes,
    unit: 'bytes',
    target: { atMost: 20_000 },
    detail: `resident memory of the api before and after ${MANY_READERS} more readers beside ${READERS}`,
  };
}
