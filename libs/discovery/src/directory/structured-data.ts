import { stringifyJson } from '#base/json';
import {
  type DirectoryEvent,
  type DirectoryPerformer,
  type DirectoryVenue,
  eventPath,
  performerPath,
  venuePath,
} from './directory-documents.js';
import { startDate } from './directory-texts.js';

const TEAM = /sport|baseball|mlb|nba|nfl|nhl|mls|basketball|football|hockey|soccer/;
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/concert|music|band/, 'MusicEvent'],
  [TEAM, 'SportsEvent'],
  [/comedy/, 'ComedyEvent'],
  [/theater|broadway|opera|classical/, 'TheaterEvent'],
];

/** The same as the page, as JSON-LD of schema.org for search engines. `address` makes an address of the path of a page. */
export class StructuredData {
  constructor(private readonly address: (path: string) => string) {}

  event(event: DirectoryEvent): string {
    return scriptText(this.eventItem(event));
  }

  performer(performer: DirectoryPerformer, events: readonly DirectoryEvent[]): string {
    return scriptText({ ...this.performerItem(performer), event: events.map((event) => this.eventItem(event)) });
  }

  venue(venue: DirectoryVenue, events: readonly DirectoryEvent[]): string {
    return scriptText({ ...this.venueItem(venue), event: events.map((event) => this.eventItem(event)) });
  }

  private eventItem(event: DirectoryEvent): object {
    const { title, type, venue, performers, stats } = event;
    const url = this.address(eventPath(event));
    return {
      '@type': TYPES.find(([pattern]) => pattern.test(type))?.[1] ?? 'Event',
      name: title,
      url,
      startDate: startDate(event),
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: this.venueItem(venue),
      performer: performers.map((performer) => this.performerItem(performer)),
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
  }

  private performerItem(performer: DirectoryPerformer): object {
    const type = TEAM.test(performer.type) ? 'SportsTeam' : 'PerformingGroup';
    return { '@type': type, name: performer.name, url: this.address(performerPath(performer)) };
  }

  private venueItem(venue: DirectoryVenue): object {
    return {
      '@type': 'EventVenue',
      name: venue.name,
      url: this.address(venuePath(venue)),
      address: {
        '@type': 'PostalAddress',
        ...defined({ streetAddress: venue.address, addressLocality: venue.city, addressRegion: venue.state }),
        ...defined({ postalCode: venue.postal_code, addressCountry: venue.country }),
      },
      ...(venue.location && {
        geo: { '@type': 'GeoCoordinates', latitude: venue.location.lat, longitude: venue.location.lon },
      }),
    };
  }
}

/** `<` is escaped, so no text can end the script element. */
function scriptText(item: object): string {
  return stringifyJson({ '@context': 'https://schema.org', ...item }).replaceAll('<', String.raw`\u003c`);
}

function defined(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}
