import { CONNECTIONS, Load } from '../setup/load.js';
import { createMarketplace, type Marketplace } from '../setup/marketplace.js';
import { startBare } from '../setup/bare.js';
import type { Service } from '../setup/service.js';
import { interleaved, comparisonText } from '../interleaved.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

const ORDERS = 1_000;

export const reads: Measurement = {
  name: 'reads',
  about: 'GET /purchases/{id} and GET /listings/{id} against a bare GET with one prepared select by key',
  async run(options) {
    const marketplace = await createMarketplace();
    const api = await marketplace.startApi();
    const load = new Load();
    const services = { api, bare: await startBare(marketplace.database), load };
    try {
      const figures: Figure[] = [];
      for (const variant of ['wholesale', 'payment'] as const) {
        const paths = await placeOrders(marketplace, services, variant);
        figures.push(
          await compare(marketplace, services, { name: `GET /purchases/{id}, ${variant}`, variant, paths }, options),
        );
      }
      const paths = marketplace.seatIds.map((id) => `/checkout/v1/listings/${id}`);
      figures.push(
        await compare(marketplace, services, { name: 'GET /listings/{id}', variant: 'payment', paths }, options),
      );
      return figures;
    } finally {
      await load.stop();
      await services.bare.stop();
      await api.stop();
      await marketplace.database.remove();
    }
  },
};

type Variant = 'wholesale' | 'payment';
type Services = Readonly<{ api: Service; bare: Service; load: Load }>;
type Read = Readonly<{ name: string; variant: Variant; paths: readonly string[] }>;

async function placeOrders(
  { clients, listingIds, database }: Marketplace,
  { api, load }: Services,
  variant: Variant,
): Promise<string[]> {
  const plan = { kind: variant, count: ORDERS, listingIds, signer: clients[variant], run: `${Date.now()}` };
  await load.run({ port: api.port, connections: CONNECTIONS, plan, status: 201 });
  // Autovacuum would have done this by the time a purchase is read.
  await database.owner.query('vacuum analyze');
  const { rows } = await database.owner.query<{ id: string }>('select id from orders where variant = $1', [variant]);
  return rows.map(({ id }) => `/checkout/v1/purchases/${id}`);
}

async function compare(
  { clients }: Marketplace,
  { api, bare, load }: Services,
  { name, variant, paths }: Read,
  { quick, say }: RunOptions,
): Promise<Figure> {
  const count = quick ? 2_000 : 20_000;
  const read = async ({ port }: Service) => {
    const plan = { kind: 'get' as const, paths, count, signer: clients[variant], run: '' };
    const { seconds } = await load.run({ port, connections: CONNECTIONS, plan, status: 200 });
    return count / seconds;
  };
  const comparison = await interleaved(
    quick ? 3 : 7,
    () => read(bare),
    async () => {
      const rate = await read(api);
      say(`${name}: ${Math.round(rate)} a second`);
      return rate;
    },
  );
  return {
    name,
    value: comparison.ratio,
    unit: 'of the limit',
    target: { atLeast: 0.75 },
    detail: comparisonText(comparison),
  };
}
