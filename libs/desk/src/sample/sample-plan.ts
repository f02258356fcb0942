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

// Nobody buys tickets later than this before an event.
const SALE_ENDS_MS = 12 * 60 * MINUTE_MS;
// Enough for a varied page of orders, and few enough that each event has several orders.
const MOST_EVENTS = 48;

/** An event of the sample catalogue. `datetime_utc` has no zone. */
export type SampleEvent = Readonly<{ id: number; title: string; datetime_utc: string }>;

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
  /** Their events are over. */
  withdrawn: readonly string[];
  orders: readonly PlannedOrder[];
}>;

type ListingSales = { event: SampleEvent; story: SampleStory; sold: number };

/** What is sold to whom and when, in the weeks before `now`. Equal for equal events, time and seed. */
export function samplePlan(events: readonly SampleEvent[], now: number, random: SeededRandomness): SamplePlan {
  const shows = showsOf(events, random);
  const sales = new Map<string, ListingSales>();
  const orders = sampleStories.flatMap((story) =>
    Array.from({ length: story.orders }, (): PlannedOrder => {
      const { placedAt, steps } = timesOf(story, now, random);
      const onSale = shows.filter((event) => startOf(event) > placedAt + SALE_ENDS_MS);
      // Squared: a few events sell most tickets.
      const event = onSale[Math.floor(random.fraction() ** 2 * onSale.length)];
      if (!event) throw new Error('The sample has no event after this order.');
      const listingId = sampleListingId(event.id, story.confirmWithin);
      const quantity = random.pick([1, 2, 2, 2, 2, 3, 4, 4]);
      const sale = sales.get(listingId) ?? { event, story, sold: 0 };
      sales.set(listingId, { ...sale, sold: sale.sold + quantity });
      return { story, placedAt, listingId, quantity, steps };
    }),
  );
  const listings = [...sales].map(([id, sale]) => ({ id, body: listingOf(sale, random) }));
  const withdrawn = [...sales].filter(([, { event }]) => startOf(event) < now).map(([id]) => id);
  return { listings, withdrawn, orders };
}

const startOf = ({ datetime_utc }: SampleEvent): number => Date.parse(`${datetime_utc}Z`);

/** Some events all over the weeks, the ones that sell best first. */
function showsOf(events: readonly SampleEvent[], random: SeededRandomness): SampleEvent[] {
  const every = Math.max(1, Math.floor(events.length / MOST_EVENTS));
  const shows = events.filter((_, at) => at % every === 0);
  return shows
    .map((event) => ({ event, place: random.fraction() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ event }) => event);
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

function listingOf({ event, story, sold }: ListingSales, random: SeededRandomness): ListingBody {
  const price = 24 + random.integer(170);
  return ListingBody.parse({
    event_id: String(event.id),
    section: random.pick(['101', '112', '208', 'Balcony', 'Floor', 'Mezzanine', 'Orchestra']),
    row: random.pick(['A', 'C', 'F', 'H', 'K', '7', '14']),
    quantity: sold + random.pick([0, 0, 2, 3, 5, 8]),
    split_rule: 'any',
    price,
    fees: Math.round(price * 15) / 100,
    wholesale_price: Math.round(price * 86) / 100,
    delivery_methods: [sampleDeliveries.download, sampleDeliveries.ship],
    ...(story.confirmWithin && { confirmation: 'manual', confirm_within_minutes: story.confirmWithin }),
    market_specific_fields: { event: event.title, starts_at: `${event.datetime_utc}Z` },
    seller: random.pick(sampleSellers),
  });
}
