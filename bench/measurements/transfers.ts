import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { EventArchive } from '#event-store/event-archive';
import { CardDataPolicy } from '#orders/card-data-policy';
import { OrderRules } from '#orders/order-changes';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { OrderFinder } from '#orders/order-finder';
import { OrderExport } from '#desk/files/order-export';
import { OrderImport, orderLineSplitter } from '#desk/files/order-import';
import { FolderObjectStore } from '#platform/storage/folder-object-store';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { linesText, orderLines } from '../../test/support/orders/order-lines.js';
import type { Figure, Measurement } from '../measurement.js';
import { createDatabase } from '../setup/database.js';

const BATCH = 500;
const ORIGIN = { job: 'job_bench', actor: 'token:bench' };
const MEBIBYTE = 2 ** 20;

/** Imports orders, and exports them in each format. */
export const transfers: Measurement = {
  name: 'transfers',
  about: 'export and import of orders',
  async run({ quick, say }) {
    const database = await createDatabase();
    try {
      const orders = quick ? 5_000 : 50_000;
      const clock = new SystemClock();
      const sealer = new Sealer(randomBytes(32), new SystemRandomness());
      const policy = new CardDataPolicy({ CARD_DATA_IN_FREE_FIELDS: 'mask' } as Settings);
      const importing = new OrderImport(
        sealer,
        new OrderRules(loadStatusCatalogue()),
        policy,
        clock,
        new TimeOrderedIds(),
      );
      const finder = new OrderFinder(database.owner, clock, sealer);
      const archive = new EventArchive(new FolderObjectStore(tmpdir()));
      const exporting = new OrderExport(database.owner, finder, sealer, archive);

      const splitter = orderLineSplitter();
      const lines = [...splitter.split(linesText(orderLines(orders))), ...splitter.end()];
      const beganAt = performance.now();
      // As the worker does it: while one batch is written, the next one is read.
      let next = importing.read(lines.slice(0, BATCH), ORIGIN);
      for (let from = BATCH; from < orders + BATCH; from += BATCH) {
        const read = await next;
        next = importing.read(lines.slice(from, from + BATCH), ORIGIN);
        await importing.write(database.owner, read);
      }
      const rate = (orders / (performance.now() - beganAt)) * 1_000;
      say(`imported ${orders} orders, ${Math.round(rate)} a second`);
      lines.length = 0;
      await database.owner.query('analyze');

      const figures: Figure[] = [
        {
          name: 'Orders imported',
          value: rate,
          unit: 'a second',
          target: { atLeast: 5_000 },
          detail: `${orders} orders`,
        },
      ];
      for (const format of ['csv', 'xlsx', 'ndjson'] as const) {
        const { perSecond, memory } = await exported(exporting, format, orders);
        say(`${format}: ${Math.round(perSecond)} orders a second, ${Math.round(memory)} MiB more memory`);
        const detail = `${orders} orders, ${Math.round(memory)} MiB more memory`;
        figures.push({
          name: `Orders exported as ${format}`,
          value: perSecond,
          unit: 'a second',
          target: { atLeast: 20_000 },
          detail,
        });
      }
      return figures;
    } finally {
      await database.remove();
    }
  },
};

async function exported(exporting: OrderExport, format: 'csv' | 'xlsx' | 'ndjson', orders: number) {
  const request = { format, selection: {}, access: { sellers: undefined, buyers: true }, isMasked: false };
  const before = process.memoryUsage().rss;
  const beganAt = performance.now();
  let most = before;
  for await (const piece of exporting.bytes(request)) {
    if (piece.length > 0) most = Math.max(most, process.memoryUsage().rss);
  }
  const perSecond = (orders / (performance.now() - beganAt)) * 1_000;
  return { perSecond, memory: (most - before) / MEBIBYTE };
}
