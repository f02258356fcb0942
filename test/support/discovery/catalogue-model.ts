import type { EventSearch, PerformerClause } from '#discovery/search/query/event-search';
import type { DateBound, Operator, TaxonomyFilter, VenueFilter } from '#discovery/search/query/filters';
import type { Paging } from '#discovery/search/query/paging';
import type { PerformerSearch } from '#discovery/search/query/performer-search';
import type { Near } from '#discovery/search/query/place';
import type { Sort, SortField } from '#discovery/search/query/sort';
import type { VenueSearch } from '#discovery/search/query/venue-search';

/** The fields that the model reads. */
export type VenueDocument = Readonly<{
  id: number;
  name: string;
  city: string | null;
  state: string | null;
  country: string | null;
  postal_code: string | null;
  location: Readonly<{ lat: number; lon: number }> | null;
  score: number;
}>;
export type PerformerDocument = Readonly<{
  id: number;
  slug: string;
  type: string;
  score: number;
  taxonomies: readonly Readonly<{ id: number }>[];
  genres: readonly Readonly<{ slug: string; primary: boolean }>[] | null;
  primary?: boolean;
  home_team?: boolean;
  away_team?: boolean;
}>;
export type EventDocument = Readonly<{
  id: number;
  type: string;
  datetime_utc: string;
  datetime_local: string;
  announce_date: string | null;
  visible_until: string | null;
  score: number;
  stats: Readonly<Record<'listing_count' | 'average_price' | 'lowest_price' | 'highest_price', number | null>>;
  performers: readonly PerformerDocument[];
  venue: VenueDocument;
  taxonomies: readonly Readonly<{ id: number }>[];
}>;
/** All documents of a catalogue. */
export type CatalogueDocuments = Readonly<{
  taxonomies: readonly Taxonomy[];
  genres: readonly Readonly<{ slug: string }>[];
  venues: readonly VenueDocument[];
  performers: readonly PerformerDocument[];
  events: readonly EventDocument[];
}>;
type Taxonomy = Readonly<{ id: number; name: string; parent_id: number | null }>;
type Answer = Readonly<{ total: number; ids: readonly number[] }>;

/** A model of search without free text. It looks at every document, so it is slow and simple. */
export class CatalogueModel {
  constructor(private readonly documents: CatalogueDocuments) {}

  events(search: EventSearch): Answer {
    const isShown = ({ visible_until: until }: EventDocument) =>
      search.visibleAt === undefined || until === null || msOf(until) >= search.visibleAt;
    const matches = (event: EventDocument) =>
      search.ids ? search.ids.includes(event.id) : this.matches(event, search);
    const found = this.documents.events.filter((event) => isShown(event) && matches(event));
    return pageOf(found, search.sort ?? { field: 'datetime_utc', direction: 'asc' }, search);
  }

  performers(search: PerformerSearch): Answer {
    const found = this.documents.performers.filter((performer) => {
      if (search.ids) return search.ids.includes(performer.id);
      const { slugs, types, taxonomies, genres = [] } = search;
      return (
        (slugs?.includes(performer.slug) ?? true) &&
        (types?.some((type) => same(type, performer.type)) ?? true) &&
        (!taxonomies || this.isAny(performer.taxonomies, taxonomies)) &&
        genres.every(({ slug, primary }) =>
          performer.genres?.some((genre) => genre.slug === slug && (!primary || genre.primary)),
        )
      );
    });
    return pageOf(found, search.sort ?? { field: 'score', direction: 'desc' }, search);
  }

  venues(search: VenueSearch): Answer {
    const found = this.documents.venues.filter((venue) => {
      if (search.ids) return search.ids.includes(venue.id);
      return isVenue(venue, search) && (!search.near || isNear(venue, search.near));
    });
    return pageOf(found, search.sort ?? { field: 'score', direction: 'desc' }, search);
  }

  private matches(event: EventDocument, search: EventSearch): boolean {
    const { performers = [], venue, near, taxonomies, types, numbers = [] } = search;
    return (
      performers.every((clause) => event.performers.some((performer) => matchesClause(performer, clause))) &&
      (!venue || isVenue(event.venue, venue)) &&
      (!near || isNear(event.venue, near)) &&
      isWithin(event.datetime_utc, search.datetimeUtc) &&
      isWithin(event.datetime_local, search.datetimeLocal) &&
      (!taxonomies || this.isAny(event.taxonomies, taxonomies)) &&
      (types?.some((type) => same(type, event.type)) ?? true) &&
      numbers.every(({ field, operator, value }) => {
        const number = event.stats[field];
        return number !== null && HOLDS[operator](number, value);
      })
    );
  }

  /** Whether one of the taxonomies, or an ancestor of one, matches. */
  private isAny(own: readonly Readonly<{ id: number }>[], filter: TaxonomyFilter): boolean {
    return own.some(({ id }) => this.lineOf(id).some((taxonomy) => isTaxonomy(taxonomy, filter)));
  }

  private lineOf(id: number | null): Taxonomy[] {
    const taxonomy = this.documents.taxonomies.find((other) => other.id === id);
    return taxonomy ? [taxonomy, ...this.lineOf(taxonomy.parent_id)] : [];
  }
}

/** The comparison of each operator. */
export const HOLDS: Readonly<Record<Operator, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

const msOf = (iso: string) => Date.parse(`${iso}Z`);
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const same = (one: string, other: string | null) => other !== null && plain(one) === plain(other);
const slugIn = (name: string) => plain(name).replaceAll(' ', '-');

function isTaxonomy(taxonomy: Taxonomy, { ids = [], names = [], parentIds = [] }: TaxonomyFilter): boolean {
  return (
    ids.includes(taxonomy.id) ||
    names.includes(taxonomy.name) ||
    (taxonomy.parent_id !== null && parentIds.includes(taxonomy.parent_id))
  );
}

function matchesClause(performer: PerformerDocument, clause: PerformerClause): boolean {
  const isPerformer = 'slug' in clause ? performer.slug === clause.slug : clause.ids.includes(performer.id);
  return isPerformer && (clause.specificity === 'any' || performer[clause.specificity] === true);
}

function isVenue(venue: VenueDocument, filter: VenueFilter): boolean {
  const any = (wanted: readonly string[] | undefined, value: string | null) =>
    wanted?.some((each) => same(each, value)) ?? true;
  return (
    (filter.ids?.includes(venue.id) ?? true) &&
    any(filter.cities, venue.city) &&
    any(filter.states, venue.state) &&
    any(filter.countries, venue.country) &&
    any(filter.postalCodes, venue.postal_code) &&
    any(filter.names, venue.name) &&
    any(filter.slugs, slugIn(venue.name))
  );
}

function isNear({ location }: VenueDocument, { lat, lon, rangeMetres }: Near): boolean {
  if (!location) return false;
  const [one, other, between] = [lat, location.lat, location.lon - lon].map((degrees) => (degrees * Math.PI) / 180);
  const cosine =
    Math.sin(one ?? 0) * Math.sin(other ?? 0) + Math.cos(one ?? 0) * Math.cos(other ?? 0) * Math.cos(between ?? 0);
  return Math.acos(Math.min(1, cosine)) * 6_371_008.8 <= rangeMetres;
}

const isWithin = (iso: string, bounds: readonly DateBound[] = []) =>
  bounds.every(({ operator, at }) => HOLDS[operator](msOf(iso), at));

type Sorted = Readonly<{ id: number }> & Partial<Readonly<Record<SortField, number | string | null>>>;

function pageOf(found: readonly Sorted[], { field, direction }: Sort, { page, perPage }: Paging): Answer {
  const sorted = found.toSorted((a, b) => {
    const [one, other] = [a[field] ?? null, b[field] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || a.id - b.id;
    const order = one < other ? -1 : one > other ? 1 : 0;
    return (direction === 'asc' ? order : -order) || a.id - b.id;
  });
  return {
    total: found.length,
    ids: sorted.slice((page - 1) * perPage, page * perPage).map(({ id }) => id),
  };
}
