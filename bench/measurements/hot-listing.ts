import { CONNECTIONS, Load } from '../setup/load.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import type { Service } from '../setup/service.js';
import { comparisonText, interleaved } from '../interleaved.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

/** All buyers want one listing, as when a show goes on sale, against buyers of many listings. */
export const hotListing: Measurement = {
  name: 'hot-listing',
  about: `purchases of one listing against those of many, at ${CONNECTIONS} connections`,
  async run(options) {
    const marketplace = await createMarketplace();
    const api = await marketplace.startApi();
    const load = new Load();
    try {
      return [await measure(marketplace, api, load, options)];
    } finally {
      await load.stop();
      await api.stop();
      await marketplace.database.remove();
    }
  },
};

async function measure(
  { clients, listingIds }: Marketplace,
  { port }: Service,
  load: Load,
  { quick, say }: RunOptions,
): Promise<Figure> {
  const count = quick ? 1_000 : 4_000;
  let runs = 0;
  const rateOf = async (ids: readonly string[]) => {
    const run = `hot-${Date.now()}-${(runs += 1)}`;
    const plan = { kind: 'wholesale', count, listingIds: ids, signer: clients.wholesale, run } as const;
    const { seconds } = await load.run({ port, connections: CONNECTIONS, plan, status: 201 });
    return count / seconds;
  };
  const comparison = await interleaved(
    quick ? 3 : 7,
    () => rateOf(listingIds),
    async () => {
      const rate = await rateOf(listingIds.slice(0, 1));
      say(`one listing: ${Math.round(rate)} a second`);
      return rate;
    },
  );
  return {
    name: 'purchases of one listing, to those of many',
    value: comparison.ratio,
    unit: 'times',
    target: { atLeast: 0.6 },
    detail: comparisonText(comparison),
  };
}
