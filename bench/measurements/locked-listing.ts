import { setTimeout as sleep } from 'node:timers/promises';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import { sendPaced } from '../setup/paced-requests.js';
import { buildRequests } from '../setup/requests.js';
import type { Service } from '../setup/service.js';
import { inMs, median, quantile } from '../statistics.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

const A_SECOND = 100;
const WARM_UP_SECONDS = 3;

const LOCKED_SECONDS = 13;

// More than the api has connections, so they would fill its pool if it let them.
const LOCKED_A_SECOND = 20;
const LOCKED_BUYERS = 40;

/** Purchases of other listings while one listing is locked and buyers want that one too. */
export const lockedListing: Measurement = {
  name: 'locked-listing',
  about: `${A_SECOND} purchases a second of other listings while one listing is locked for ${LOCKED_SECONDS} s`,
  async run(options) {
    const marketplace = await createMarketplace();
    const [locked = '', ...listingIds] = marketplace.listingIds;
    const api = await marketplace.startApi();
    const buyer = new PacedBuyer({ ...marketplace, listingIds }, api);
    try {
      return [await measure({ marketplace, locked, api, buyer }, options)];
    } finally {
      await buyer.stop();
      await api.stop();
      await marketplace.database.remove();
    }
  },
};

type Stage = Readonly<{ marketplace: Marketplace; locked: string; api: Service; buyer: PacedBuyer }>;

async function measure(stage: Stage, { quick, say }: RunOptions): Promise<Figure> {
  const seconds = quick ? 4 : LOCKED_SECONDS;
  await others(stage, WARM_UP_SECONDS);
  const [alone, beside]: [number[][], number[][]] = [[], []];
  for (let round = 1; round <= (quick ? 1 : 3); round += 1) {
    alone.push(await others(stage, seconds));
    say(`nothing locked: ${inMs(alone.at(-1) ?? [])}`);
    const release = await lock(stage);
    const refused = buyLocked(stage, seconds);
    beside.push(await others(stage, seconds));
    await release();
    say(`one listing locked: ${inMs(beside.at(-1) ?? [])}; of its own purchases ${await refused}`);
  }
  const p99 = (rounds: number[][]) => median(rounds.map((round) => quantile(round, 0.99)));
  return {
    name: 'purchases beside a locked listing, p99',
    value: p99(beside) / p99(alone),
    unit: 'times',
    target: { atMost: 2 },
    detail: `p99 ${p99(beside).toFixed(1)} against ${p99(alone).toFixed(1)} ms; all rounds ${inMs(beside.flat())}, without the lock ${inMs(alone.flat())}`,
  };
}

/** The duration of each purchase of a listing that is not locked, in milliseconds. */
async function others({ buyer }: Stage, seconds: number): Promise<number[]> {
  const bought = await buyer.buy({ count: A_SECOND * seconds, perSecond: A_SECOND });
  return bought.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
}

async function lock({ marketplace, locked }: Stage): Promise<() => Promise<void>> {
  const client = await marketplace.database.owner.connect();
  await client.query('begin');
  await client.query('select from listings where id = $1 for update', [locked]);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** Counts the statuses of the purchases of the locked listing, e.g. `260 503`. */
async function buyLocked({ marketplace, locked, api }: Stage, seconds: number): Promise<string> {
  const { wholesale: signer } = marketplace.clients;
  const count = LOCKED_A_SECOND * seconds;
  const run = `locked-${Date.now()}`;
  const requests = buildRequests({ kind: 'wholesale', signer, count, run, listingIds: [locked] });
  // The other purchases start a second later too.
  await sleep(1_000);
  const { statuses } = await sendPaced(requests, {
    port: api.port,
    connections: LOCKED_BUYERS,
    perSecond: LOCKED_A_SECOND,
  });
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, times]) => `${times} ${status}`).join(', ');
}
