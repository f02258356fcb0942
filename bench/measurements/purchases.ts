import type { RunOptions, Figure, Measurement } from '../measurement.js';
import { Load, CONNECTIONS } from '../setup/load.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { startBare } from '../setup/bare.js';
import type { Service } from '../setup/service.js';
import { interleaved, comparisonText } from '../interleaved.js';

export const purchases: Measurement = {
  name: 'purchases',
  about: 'POST /checkout/v1/purchases against a bare POST that writes the rows of a wholesale one',
  async run(options) {
    const marketplace = await createMarketplace();
    const api = await marketplace.startApi();
    const load = new Load();
    try {
      // The bare server copies a real purchase.
      await submit(marketplace, load, api, { kind: 'wholesale', count: CONNECTIONS });
      const bare = await startBare(marketplace.database);
      const wholesale = await compare(marketplace, load, { api, bare }, 'wholesale', options);
      const payment = await compare(marketplace, load, { api, bare }, 'payment', options);
      await bare.stop();
      return [wholesale, payment];
    } finally {
      await load.stop();
      await api.stop();
      await marketplace.database.remove();
    }
  },
};

const AT_LEAST = { wholesale: 0.55, payment: 0.35 };

type Kind = 'wholesale' | 'payment';

async function compare(
  marketplace: Marketplace,
  load: Load,
  { api, bare }: Readonly<{ api: Service; bare: Service }>,
  kind: Kind,
  { quick, say }: RunOptions,
): Promise<Figure> {
  const count = quick ? 1_000 : 8_000;
  const comparison = await interleaved(
    quick ? 3 : 7,
    () => submit(marketplace, load, bare, { kind: 'wholesale', count }),
    async () => {
      const rate = await submit(marketplace, load, api, { kind, count });
      say(`${kind}: ${Math.round(rate)} a second`);
      return rate;
    },
  );
  return {
    name: `POST /purchases, ${kind}`,
    value: comparison.ratio,
    unit: 'of the limit',
    target: { atLeast: AT_LEAST[kind] },
    detail: comparisonText(comparison),
  };
}

let runs = 0;

async function submit(
  { clients, listingIds }: Marketplace,
  load: Load,
  { port }: Service,
  { kind, count }: Readonly<{ kind: Kind; count: number }>,
): Promise<number> {
  runs += 1;
  const plan = { kind, count, listingIds, signer: clients[kind], run: `${Date.now()}-${runs}` };
  const { seconds } = await load.run({ port, connections: CONNECTIONS, plan, status: 201 });
  return count / seconds;
}
