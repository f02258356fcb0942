import { forgetPeak, memoryIsKnown, peakMb } from '../setup/memory.js';
import { CONNECTIONS, Load } from '../setup/load.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import type { Service } from '../setup/service.js';
import { startWireCounter, type WireCounter } from '../setup/wire-counter.js';
import { median } from '../statistics.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';
import { npmStart } from './npm-start.js';

export const footprint: Measurement = {
  name: 'footprint',
  about: 'round trips and WAL of a purchase, memory under load, what npm start takes',
  async run(options) {
    const marketplace = await createMarketplace();
    const load = new Load();
    try {
      const trips = await roundTrips(marketplace, load);
      const api = await marketplace.startApi();
      const run: Run = { marketplace, load, api };
      const written = await wal(run, options);
      const resident = memoryIsKnown ? [await underLoad(run, options)] : [];
      await api.stop();
      if (!memoryIsKnown) options.say('memory left out: it is read from /proc of Linux');
      return [...trips, written, ...resident, ...(memoryIsKnown ? await npmStart(load, options) : [])];
    } finally {
      await load.stop();
      await marketplace.database.remove();
    }
  },
};

type Run = Readonly<{ marketplace: Marketplace; load: Load; api: Service }>;

type Kind = 'wholesale' | 'payment';

let runs = 0;

async function buy({ marketplace, load, api }: Run, kind: Kind, count: number): Promise<number> {
  runs += 1;
  const { clients, listingIds } = marketplace;
  const plan = { kind, count, listingIds, signer: clients[kind], run: `footprint-${Date.now()}-${runs}` };
  const { seconds } = await load.run({ port: api.port, connections: CONNECTIONS, plan, status: 201 });
  return count / seconds;
}

/** Counted on the wire, when each connection of the pool has prepared its statements. */
async function roundTrips(marketplace: Marketplace, load: Load): Promise<Figure[]> {
  const counter = await startWireCounter(marketplace.database.url);
  const api = await marketplace.startApi({ environment: { DATABASE_URL: counter.url } });
  try {
    const run = { marketplace, load, api };
    return [await countTrips(run, counter, 'wholesale'), await countTrips(run, counter, 'payment')];
  } finally {
    await api.stop();
    counter.stop();
  }
}

async function countTrips(run: Run, counter: WireCounter, kind: Kind): Promise<Figure> {
  const count = 500;
  await buy(run, kind, count);
  counter.take();
  await buy(run, kind, count);
  const trips = counter.take();
  const writes = trips.filter((trip) => trip.some((text) => /\b(insert|update|delete|begin|commit)\b/i.test(text)));
  const others = trips.length - writes.length;
  return {
    name: `POST /purchases, ${kind}: its write`,
    value: writes.length / count,
    unit: 'round trips',
    ...(kind === 'wholesale' ? { target: { atMost: 1 } } : {}),
    detail:
      `${(writes.flat().length / count).toFixed(2)} statements; beside them ${(others / count).toFixed(2)} round trips ` +
      `that only read; on the wire, of ${count} purchases with all statements prepared`,
  };
}

/** No worker runs, so only the purchases write. */
async function wal(run: Run, { quick }: RunOptions): Promise<Figure> {
  const count = quick ? 500 : 2_000;
  const position = async () => {
    const { rows } = await run.marketplace.database.owner.query<{ at: string }>(
      "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as at",
    );
    return Number(rows[0]?.at);
  };
  const bytes: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    // After a checkpoint, the first change of each page writes the whole page. So all rounds start alike.
    await run.marketplace.database.owner.query('checkpoint');
    const before = await position();
    await buy(run, 'wholesale', count);
    bytes.push(((await position()) - before) / count);
  }
  return {
    name: 'POST /purchases, wholesale: its WAL',
    value: median(bytes),
    unit: 'bytes',
    detail:
      `each of ${bytes.length} times ${count} purchases after a checkpoint, from ${Math.round(Math.min(...bytes))} to ` +
      `${Math.round(Math.max(...bytes))}; with whole pages, without a worker`,
  };
}

async function underLoad(run: Run, { quick, say }: RunOptions): Promise<Figure> {
  const count = quick ? 1_000 : 10_000;
  forgetPeak(run.api.pid);
  const wholesale = await buy(run, 'wholesale', count);
  const payment = await buy(run, 'payment', count / 2);
  const peak = peakMb(run.api.pid);
  say(`api: ${Math.round(peak)} MB`);
  return {
    name: 'api under load, most resident',
    value: peak,
    unit: 'MB',
    target: { atMost: 250 },
    detail:
      `${count} wholesale purchases at ${Math.round(wholesale)} a second and ${count / 2} with payment at ` +
      `${Math.round(payment)}, ${CONNECTIONS} connections`,
  };
}
