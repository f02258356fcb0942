import { Command, Option } from 'commander';
import { listListings, type ListedListing, type ListingState } from '#listings/listing-list';
import { importCommand } from './import-listings.js';
import { safeJson, table } from './terminal/text-table.js';
import { wholeNumber } from './terminal/whole-number.js';
import { poolFor, type UsePool } from './database/with-pool.js';

const MAX_LISTED = 10_000;
const STATES: readonly ListingState[] = ['on_sale', 'sold_out', 'withdrawn'];

type ListOptions = Readonly<{ event?: string; state?: ListingState; limit: number; after?: string; json?: boolean }>;

export function listingsCommand(use: UsePool = poolFor('listings')): Command {
  return new Command('listings')
    .description('the tickets that are for sale')
    .addCommand(importCommand())
    .addCommand(listCommand(use));
}

function listCommand(use: UsePool): Command {
  return new Command('list')
    .description('lists listings, ordered by id')
    .option('--event <id>', 'for this event')
    .addOption(new Option('--state <state>', 'only listings in this state').choices(STATES))
    .option('--limit <n>', 'the number of listings to show', wholeNumber(1, MAX_LISTED), 100)
    .option('--after <listing id>', 'continue after this listing')
    .option('--json', 'print JSON')
    .action(async ({ event, state, limit, after, json }: ListOptions) => {
      const page = { limit: limit + 1, ...(after !== undefined && { after }) };
      const found = await use((pool) => listListings(pool, { event_id: event, state }, page));
      const listings = found.slice(0, limit);
      const more = found.length > limit;
      if (json) return console.log(safeJson({ listings, more }));
      const next = more ? ['and more: see --limit and --after'] : [];
      console.log(listings.length === 0 ? 'No listings.' : [asTable(listings), ...next].join('\n'));
    });
}

function asTable(listings: readonly ListedListing[]): string {
  const rows = listings.map(({ listing_id, event_id, section, row, state, quantity, held, price, fees }) => {
    const dollars = [price, fees].map((amount) => amount.toFixed(2));
    return [listing_id, event_id, section, row, state.replace('_', ' '), String(quantity), String(held), ...dollars];
  });
  return table(['listing', 'event', 'section', 'row', 'state', 'for sale', 'in orders', 'price', 'fees'], rows);
}
