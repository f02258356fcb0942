import type { Clock } from '#base/clock';
import { ListingBody } from './listing.contract.js';
import type { Listings } from './listings.js';
import { sampleEvents } from '#web/sample-events.contract';
import { sampleDeliveries, type SampleListing, sampleListings, sampleTaxes } from './sample-listings.data.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Replaces earlier sample listings. Returns their number. */
export async function putSampleListings(listings: Listings, clock: Clock): Promise<number> {
  const samples = sampleListingsOn(clock);
  await listings.putAll(samples);
  return samples.length;
}

/** With dates around today. The result is the same all day. */
export function sampleListingsOn(clock: Clock): { id: string; body: ListingBody }[] {
  const midnight = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  return sampleListings.map((sample) => ({ id: sample[0], body: bodyOf(sample, midnight) }));
}

function bodyOf(sample: SampleListing, midnight: number): ListingBody {
  const [, event, section, row, quantity, splitRule, [price, fees, wholesalePrice], deliveries, taxes, more] = sample;
  const { title, venue, daysAhead, utcHour } = sampleEvents[event];
  return ListingBody.parse({
    event_id: event,
    section,
    row,
    quantity,
    split_rule: splitRule,
    price,
    fees,
    wholesale_price: wholesalePrice,
    ...sampleTaxes[taxes],
    delivery_methods: deliveries.map((delivery) => sampleDeliveries[delivery]),
    ...more,
    market_specific_fields: {
      event: title,
      venue,
      starts_at: new Date(midnight + daysAhead * DAY_MS + utcHour * HOUR_MS).toISOString(),
    },
  });
}
