import { type DirectoryEvent, eventPath, performerPath, venuePath } from './directory-documents.js';
import { startDate } from './directory-texts.js';

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/concert|music|band/, 'MusicEvent'],
  [/sport|baseball|mlb|nba|nfl|nhl|mls|basketball|football|hockey|soccer/, 'SportsEvent'],
  [/comedy/, 'ComedyEvent'],
  [/theater|broadway|opera|classical/, 'TheaterEvent'],
];

/** JSON-LD of schema.org for search engines. `<` is escaped, so no text can end the script element. */
export function eventData(event: DirectoryEvent, address: (path: string) => string): string {
  const { title, type, venue, performers, stats } = event;
  const url = address(eventPath(event));
  const data = {
    '@context': 'https://schema.org',
    '@type': TYPES.find(([pattern]) => pattern.test(type))?.[1] ?? 'Event',
    name: title,
    url,
    startDate: startDate(event),
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: venue.name,
      url: address(venuePath(venue)),
      address: {
        '@type': 'PostalAddress',
        ...defined({ streetAddress: venue.address, addressLocality: venue.city, addressRegion: venue.state }),
        ...defined({ postalCode: venue.postal_code, addressCountry: venue.country }),
      },
      ...(venue.location && {
        geo: { '@type': 'GeoCoordinates', latitude: venue.location.lat, longitude: venue.location.lon },
      }),
    },
    performer: performers.map((performer) => {
      return { '@type': 'PerformingGroup', name: performer.name, url: address(performerPath(performer)) };
    }),
    ...(stats.lowest_price !== null && {
      offers: {
        '@type': 'AggregateOffer',
        url,
        priceCurrency: 'USD',
        lowPrice: stats.lowest_price,
        ...defined({ highPrice: stats.highest_price, offerCount: stats.listing_count }),
        availability: 'https://schema.org/InStock',
      },
    }),
  };
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
}

function defined(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}
