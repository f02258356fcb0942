import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { Catalogue } from '#catalogue/catalogue';
import { Popularity } from '#catalogue/popularity';
import { BoughtTogether } from '#catalogue/bought-together';
import { StockStats } from '#catalogue/stock-stats';
import { Settings } from '#config/settings';
import { errorLog } from '#delivery/queues/error-log';
import { Repeater } from '#runtime/repeater';

// The stats of an event are to follow its listings within a second, of which the feed takes some.
const STATS_EVERY_MS = 200;

/** Keeps what discovery shows to what is for sale, what is bought, and the time. */
@Injectable()
export class CatalogueWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly repeaters: readonly Repeater[];

  constructor(pool: Pool, clock: Clock, settings: Settings) {
    const stats = new StockStats(pool);
    const popularity = new Popularity(pool, clock, settings.POPULARITY_DAYS);
    const catalogue = new Catalogue(pool, clock);
    const boughtTogether = new BoughtTogether(pool, clock);
    this.repeaters = [
      new Repeater(
        async () => {
          while (await stats.step());
        },
        STATS_EVERY_MS,
        errorLog('stats of events'),
      ),
      new Repeater(
        async () => {
          await popularity.refresh();
          await catalogue.refreshUpcoming();
        },
        settings.POPULARITY_EVERY_MS,
        errorLog('popularity'),
      ),
      new Repeater(
        async () => void (await boughtTogether.refresh()),
        settings.POPULARITY_EVERY_MS,
        errorLog('performers bought together'),
      ),
    ];
  }

  onApplicationBootstrap(): void {
    for (const repeater of this.repeaters) repeater.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.repeaters.map((repeater) => repeater.stop()));
  }
}
