import { rebuild } from '#orders/rebuild';
import { fillLog } from '../../test/support/orders/bulk-log.js';
import { createDatabase } from '../setup/database.js';
import { median } from '../statistics.js';
import type { Measurement } from '../measurement.js';

/** Rebuilds `orders` from the log as `willcall projections rebuild orders` does: fill, index, swap. */
export const rebuilds: Measurement = {
  name: 'rebuild',
  about: 'rebuild of the read model orders from the log',
  async run({ quick, say }) {
    const database = await createDatabase();
    try {
      const events = await fillLog(database.owner, quick ? 5_000 : 60_000);
      say(`the log has ${events} events`);
      const rates: number[] = [];
      const filling: number[] = [];
      for (let round = 0; round < (quick ? 2 : 5); round += 1) {
        const report = await rebuild(database.owner, 'orders');
        rates.push((report.events / report.totalMs) * 1_000);
        filling.push((report.events / report.fillMs) * 1_000);
        say(`${Math.round(rates.at(-1) ?? 0)} events a second`);
      }
      const [lowest, highest] = [Math.min(...rates), Math.max(...rates)].map((rate) => Math.round(rate));
      const detail = `${events} events; ${lowest} to ${highest}; ${Math.round(median(filling))} without indexes and exchange`;
      return [
        { name: 'Rebuild of orders', value: median(rates), unit: 'a second', target: { atLeast: 50_000 }, detail },
      ];
    } finally {
      await database.remove();
    }
  },
};
