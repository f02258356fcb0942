import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { BoughtTogether } from './bought-together.js';
import { CatalogueRefresh } from './catalogue/catalogue-refresh.js';
import { StockStats } from './stock-stats.js';

export const CATALOGUE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'stats of events',
    does: 'Brings the listing counts and prices of events up to date with their listings.',
    seen: '`stats` in `GET /2/events`',
    // The stats of an event are to follow its listings within a second, of which the feed takes some.
    wokenBy: 'feed leader',
    everyMs: 200,
    idleMs: 500,
    handler: StockStats,
    async run(stats) {
      while (await stats.step());
    },
  }),
  repeatedTask({
    name: 'popularity',
    does: 'Recalculates scores from recent sales, and `has_upcoming_events` from the time.',
    seen: '`score` in `GET /2/events`',
    everyMs: 'POPULARITY_EVERY_MS',
    handler: CatalogueRefresh,
    run: (work) => work.refresh(),
  }),
  repeatedTask({
    name: 'performers bought together',
    does: 'Recalculates which performers are bought by the same buyers.',
    seen: '`GET /2/recommendations`; `willcall projections rebuild`',
    everyMs: 'POPULARITY_EVERY_MS',
    handler: BoughtTogether,
    run: (boughtTogether) => boughtTogether.refresh(),
  }),
];
