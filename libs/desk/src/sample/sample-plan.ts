import { ListingBody } from '#listings/listing.contract';
import type { Randomness } from '#base/randomness';
import type { SeededRandomness } from '#base/seeded-randomness';
import type { GivenListing } from '#listings/listings';
import { sampleDeliveries } from '#listings/sample-listings.data';
import { sampleSellers } from './sample-buyers.data.js';
import { sampleListingId } from '#listings/sample-ids';
import { type SampleStep, sampleStories, type SampleStory } from './sample-stories.data.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

// Nobody buys tickets later than this before a show.
const SALE_ENDS_MS = 12 * 60 * MINUTE_MS;
// Enough for a varied page of orders, and few enough that each show has several orders.
const MOST_SHOWS = 48;

/** A show of the sample catalogue. `datetime_utc` has no zone. */
export type SampleShow = Readonly<{ id: number; title: string; datetime_utc: string }>;

/** Times are milliseconds since the epoch. The steps are after `placedAt`, in order. */
export type PlannedOrder = Readonly<{
  story: SampleStory;
  placedAt: number;
  listingId: string;
  quantity: number;
  steps: readonly Readonly<{ at: number; step: SampleStep }>[];
}>;

export type SamplePlan = Readonly<{
  listings: readonly GivenListing[];
  /** Their shows are over. */
  withdrawn: readonly string[];
  orders: readonly PlannedOrder[];
}>;

type ListingSales = { show: SampleShow; story: SampleStory; sold: number };

/** What is sold to whom and when, in the weeks before `now`. Equal for equal shows, time and seed. */
export function samplePlan(catalogue: readonly SampleShow[], now: number, random: SeededRandomness): SamplePlan {
  const shows = soldShows(catalogue, random);
  const sales = new Map<string, ListingSales>();
  const orders = sampleStories.flatMap((story) =>
    Array.from({ length: story.orders }, (): PlannedOrder => {
      const { placedAt, steps } = timesOf(story, now, random);
      const onSale = shows.filter((show) => startOf(show) > placedAt + SALE_ENDS_MS);
      // Squared: a few shows sell most tickets.
      const show = onSale[Math.floor(random.fraction() ** 2 * onSale.length)];
      if (!show) throw new Error('The sample has no show after this order.');
      const listingId = sampleListingId(show.id, story.confirmWithin);
      const quantity = random.pick([1, 2, 2, 2, 2, 3, 4, 4]);
      const sale = sales.get(listingId) ?? { show, story, sold: 0 };
      sales.set(listingId, { ...sale, sold: sale.sold + quantity });
      return { story, placedAt, listingId, quantity, steps };
    }),
  );
  const listings = [...sales].map(([id, sale]) => ({ id, body: listingOf(sale, random) }));
  const withdrawn = [...sales].filter(([, { show }]) => startOf(show) < now).map(([id]) => id);
  return { listings, withdrawn, orders };
}

const startOf = ({ datetime_utc }: SampleShow): number => Date.parse(`${datetime_utc}Z`);

/** Some shows all over the weeks, the ones that sell best first. */
function soldShows(catalogue: readonly SampleShow[], random: SeededRandomness): SampleShow[] {
  const every = Math.max(1, Math.floor(catalogue.length / MOST_SHOWS));
  const shows = catalogue.filter((_, at) => at % every === 0);
  return shows
    .map((show) => ({ show, place: random.fraction() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ show }) => show);
}

function timesOf({ daysAgo: [least, most], steps }: SampleStory, now: number, random: Randomness) {
  const between = (low: number, high: number) => low + random.fraction() * (high - low);
  let after = 0;
  const planned = steps.map((step) => {
    const [[shortest, longest]] = step;
    after += between(shortest, longest) * MINUTE_MS;
    return { after, step };
  });
  // All of it has already happened.
  const ageMs = Math.max(between(least, most) * DAY_MS, after + 5 * MINUTE_MS);
  const placedAt = Math.floor(now - ageMs);
  return { placedAt, steps: planned.map((each) => ({ at: Math.floor(placedAt + each.after), step: each.step })) };
}

function listingOf({ show, story, sold }: ListingSales, random: SeededRandomness): ListingBody {
  const price = 24 + random.integer(170);
  return ListingBody.parse({
    event_id: String(show.id),
    section: random.pick(['101', '112', '208', 'Balcony', 'Floor', 'Mezzanine', 'Orchestra']),
    row: random.pick(['A', 'C', 'F', 'H', 'K', '7', '14']),
    quantity: sold + random.pick([0, 0, 2, 3, 5, 8]),
    split_rule: 'any',
    price,
    fees: Math.round(price * 15) / 100,
    wholesale_price: Math.round(price * 86) / 100,
    delivery_methods: [sampleDeliveries.download, sampleDeliveries.ship],
    ...(story.confirmWithin && { confirmation: 'manual', confirm_within_minutes: story.confirmWithin }),
    market_specific_fields: { event: show.title, starts_at: `${show.datetime_utc}Z` },
    seller: random.pick(sampleSellers),
  });
}
