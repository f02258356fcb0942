import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#base/clock';
import { Catalogue } from '#discovery/catalogue';
import type { CatalogueKind, CatalogueLine } from '#discovery/catalogue.contract';
import { generateCatalogue } from '../../test/support/discovery/generated-catalogue.js';
import type { FloodRequest, FloodResult } from '../setup/flood.process.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { PacedBuyer } from '../setup/paced-buyer.js';
import type { Service } from '../setup/service.js';
import { SideProcess } from '../setup/side-process.js';
import { inMs, median, quantile } from '../statistics.js';
import type { Figure, Measurement, RunOptions } from '../measurement.js';

const KEY = 'bench';
const A_SECOND = 50;
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 20;
const EVENTS = 2_000;

const PAGE = `/2/events?per_page=5000&client_id=${KEY}`;

const FLOODS: Readonly<Record<string, readonly string[]>> = {
  'one public key': [PAGE, `${PAGE}&format=xml`, `${PAGE}&aid=1`, `/2/events?q=tonight&client_id=${KEY}`],
  'a stranger': ['/openapi.json', '/openapi.yaml', '/metrics', '/e', '/2/events', '/nowhere', '/backoffice/v1/orders'],
};

/** Purchases while somebody asks for the most expensive documents as fast as they come. */
export const flood: Measurement = {
  name: 'flood',
  about: `${A_SECOND} purchases a second while a stranger or one public key sends all that ${CONNECTIONS} connections take`,
  async run(options) {
    const marketplace = await createMarketplace();
    await writeCatalogue(marketplace);
    const environment = { DISCOVERY_CLIENT_ID: KEY, DOCS: 'true' };
    const api = await marketplace.startApi({ environment });
    const buyer = new PacedBuyer(marketplace, api);
    const attacker = new SideProcess<FloodRequest, FloodResult>('setup/flood.process.ts');
    try {
      return await measure({ api, buyer, attacker }, options);
    } finally {
      await attacker.stop();
      await buyer.stop();
      await api.stop();
      await marketplace.database.remove();
    }
  },
};

type Stage = Readonly<{ api: Service; buyer: PacedBuyer; attacker: SideProcess<FloodRequest, FloodResult> }>;

async function measure(stage: Stage, { quick, say }: RunOptions): Promise<Figure[]> {
  const seconds = quick ? 4 : SECONDS;
  await purchases(stage, WARM_UP_SECONDS);
  const figures: Figure[] = [];
  for (const [who, paths] of Object.entries(FLOODS)) {
    const [alone, beside]: [number[][], number[][]] = [[], []];
    for (let round = 1; round <= (quick ? 1 : 3); round += 1) {
      alone.push(await purchases(stage, seconds));
      const { port } = stage.api;
      const flooding = stage.attacker.run({ port, paths, connections: CONNECTIONS, seconds: seconds + 3 });
      await sleep(1_500);
      beside.push(await purchases(stage, seconds));
      const { perSecond, mbPerSecond, statuses } = await flooding;
      say(`${who}: ${Math.round(perSecond)} answers a second, ${Math.round(mbPerSecond)} MB (${statuses})`);
      say(`purchases ${inMs(beside.at(-1) ?? [])}, alone ${inMs(alone.at(-1) ?? [])}`);
    }
    const p99 = (rounds: number[][]) => median(rounds.map((round) => quantile(round, 0.99)));
    figures.push({
      name: `purchases beside ${who} at full tilt, p99`,
      value: p99(beside) / p99(alone),
      unit: 'times',
      target: { atMost: 2 },
      detail: `p99 ${p99(beside).toFixed(1)} against ${p99(alone).toFixed(1)} ms; all rounds ${inMs(beside.flat())}, alone ${inMs(alone.flat())}`,
    });
  }
  return figures;
}

/** The duration of each purchase, in milliseconds. */
async function purchases({ buyer }: Stage, seconds: number): Promise<number[]> {
  const bought = await buyer.buy({ count: A_SECOND * seconds, perSecond: A_SECOND });
  return bought.map(({ sentAt, answeredAt }) => answeredAt - sentAt);
}

async function writeCatalogue({ database }: Marketplace): Promise<void> {
  const catalogue = new Catalogue(database.owner, new SystemClock());
  const size = { events: EVENTS, performers: 200, venues: 50 };
  const set = generateCatalogue({ ...size, seed: 4, from: new Date().toISOString().slice(0, 10), days: 60 });
  const write = async <Kind extends CatalogueKind>(kind: Kind, lines: Iterable<unknown>) => {
    const errors = await catalogue.write(kind, [...lines] as CatalogueLine<Kind>[]);
    if (errors.length > 0) throw new Error(`${kind}: ${JSON.stringify(errors.slice(0, 3))}`);
  };
  await write('taxonomies', set.taxonomies);
  await write('genres', set.genres);
  await write('venues', set.venues);
  await write('performers', set.performers);
  await write('events', set.events());
}
