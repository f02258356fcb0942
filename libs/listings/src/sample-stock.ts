import { SeededRandomness } from '#base/seeded-randomness';
import { ListingBody } from './listing.contract.js';
import type { SampleCatalogue } from '#discovery/sample-catalogue';

type Event = SampleCatalogue['events'][number];

// The events up to this one have handwritten listings.
const LAST_WITH_LISTINGS = 1_006;
// Every so many events have nothing for sale.
const EVERY_WITHOUT = 12;

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  arena: ['Floor', '101', '112', '208', '221', 'Club Level'],
  stage: ['Orchestra', 'Mezzanine', 'Balcony', 'Box'],
  standing: ['General Admission', 'Balcony Rail', 'Early Entry'],
};

/** A few listings for each upcoming event, always the same for the same events. */
export function sampleStockFor(events: readonly Event[], now: number): { id: string; body: ListingBody }[] {
  const random = new SeededRandomness(42);
  return events.flatMap((event, at) => {
    const isPast = Date.parse(`${event.datetime_utc}Z`) < now;
    if (event.id <= LAST_WITH_LISTINGS || isPast || at % EVERY_WITHOUT === 0) return [];
    const dollars = 18 + Math.round((event.score ?? 0) * 120);
    const count = 2 + random.integer(4);
    return Array.from({ length: count }, (_, listing) => ({
      id: `sample-${event.id}-${listing + 1}`,
      body: bodyOf(event, dollars, random),
    }));
  });
}

function bodyOf(event: Event, dollars: number, random: SeededRandomness): ListingBody {
  const price = Math.round(dollars * (0.6 + random.fraction() * 1.6));
  return ListingBody.parse({
    event_id: String(event.id),
    section: random.pick(sectionsOf(event)),
    row: random.pick(['A', 'C', 'F', 'K', '7', '14']),
    quantity: 2 + random.integer(7),
    split_rule: random.pick(['any', 'pairs', 'no_single_left', 'all_together'] as const),
    price,
    fees: Math.round(price * 15) / 100,
    wholesale_price: Math.round(price * 86) / 100,
    delivery_methods: [
      { type: 'download', name: 'E-tickets', cost: 0 },
      { type: 'transfer', name: 'Mobile transfer', cost: 0 },
    ],
    market_specific_fields: { event: event.title, starts_at: `${event.datetime_utc}Z` },
  });
}

function sectionsOf({ type, performers }: Event): readonly string[] {
  if (performers?.some(({ home_team: isHome }) => isHome)) return SECTIONS['arena'] ?? [];
  return SECTIONS[type === 'concert' || type === 'music_festival' ? 'standing' : 'stage'] ?? [];
}
