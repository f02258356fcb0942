import type { EventSearch, PerformerClause, Specificity } from '#discovery/search/query/event-search';
import { COUNTED_FIELDS } from '#discovery/search/query/event-search';
import type { DateBound, Operator, TaxonomyFilter, VenueFilter } from '#discovery/search/query/filters';
import type { Paging } from '#discovery/search/query/paging';
import type { PerformerSearch } from '#discovery/search/query/performer-search';
import type { Near } from '#discovery/search/query/place';
import { SORT_FIELDS, type Sort } from '#discovery/search/query/sort';
import type { VenueSearch } from '#discovery/search/query/venue-search';
import type { EventDocument, CatalogueDocuments, VenueDocument } from './catalogue-model.js';
import { pick } from './generated-catalogue.js';

const OPERATORS: readonly Operator[] = ['eq', 'gt', 'gte', 'lt', 'lte'];
const SPECIFICITIES: readonly Specificity[] = ['any', 'any', 'primary', 'home_team', 'away_team'];

/** Random searches for existing documents, so that most of them find something. */
export class RandomSearches {
  constructor(
    private readonly documents: CatalogueDocuments,
    private readonly random: () => number,
  ) {}

  /** Most conditions come from one event, so that they often match at least that one. */
  events(): EventSearch {
    const { random } = this;
    const target = pick(this.documents.events, random);
    const event = () => (random() < 0.8 ? target : pick(this.documents.events, random));
    return {
      ...this.paging(),
      sort: this.maybe(0.6, () => this.sort()),
      ids: this.maybe(0.05, () => [event().id, pick(this.documents.events, random).id, 999_999_999]),
      performers: this.maybe(0.25, () => [this.clause(event()), ...(random() < 0.2 ? [this.clause(event())] : [])]),
      venue: this.maybe(0.35, () => this.venueFilter(event().venue)),
      near: this.maybe(0.2, () => this.near(event().venue)),
      datetimeUtc: this.maybe(0.3, () => this.bounds(event().datetime_utc)),
      datetimeLocal: this.maybe(0.15, () => this.bounds(event().datetime_local)),
      taxonomies: this.maybe(0.3, () => this.taxonomyFilter()),
      types: this.maybe(0.1, () => [event().type.toUpperCase()]),
      numbers: this.maybe(0.25, () => [
        this.numberBound(event()),
        ...(random() < 0.5 ? [this.numberBound(event())] : []),
      ]),
      visibleAt: this.maybe(0.2, () => Date.parse(`${event().visible_until ?? '2026-12-01T00:00:00'}Z`)),
    };
  }

  performers(): PerformerSearch {
    const { random } = this;
    const { genres, performers } = this.documents;
    const performer = pick(performers, random);
    return {
      ...this.paging(),
      sort: this.maybe(0.5, () => this.sort()),
      ids: this.maybe(0.1, () => [performer.id, pick(performers, random).id]),
      slugs: this.maybe(0.1, () => [performer.slug]),
      types: this.maybe(0.2, () => [performer.type]),
      taxonomies: this.maybe(0.4, () => this.taxonomyFilter()),
      genres: this.maybe(0.4, () => {
        const own = performer.genres ?? [];
        const slug = (own.length > 0 && random() < 0.8 ? pick(own, random) : pick(genres, random)).slug;
        const another = random() < 0.3 ? [{ slug: pick(genres, random).slug, primary: false }] : [];
        return [{ slug, primary: random() < 0.4 }, ...another];
      }),
    };
  }

  venues(): VenueSearch {
    const { random } = this;
    const venue = pick(this.documents.venues, random);
    return {
      ...this.paging(),
      ...(random() < 0.6 ? this.venueFilter(venue) : {}),
      sort: this.maybe(0.5, () => this.sort()),
      near: this.maybe(0.4, () => this.near(venue)),
    };
  }

  private maybe<Value>(probability: number, value: () => Value): Value | undefined {
    return this.random() < probability ? value() : undefined;
  }

  private paging(): Paging {
    return { page: 1 + Math.floor(this.random() ** 3 * 6), perPage: pick([1, 3, 10, 10, 50, 5000], this.random) };
  }

  private sort(): Sort {
    return { field: pick(SORT_FIELDS, this.random), direction: this.random() < 0.5 ? 'asc' : 'desc' };
  }

  private clause({ performers }: EventDocument): PerformerClause {
    const performer =
      performers.length > 0 ? pick(performers, this.random) : pick(this.documents.performers, this.random);
    const specificity = pick(SPECIFICITIES, this.random);
    if (this.random() < 0.5) return { specificity, slug: performer.slug };
    return { specificity, ids: [performer.id, pick(this.documents.performers, this.random).id] };
  }

  private venueFilter({ id, city, state, country, postal_code: code, name }: VenueDocument): VenueFilter {
    const other = pick(this.documents.venues, this.random);
    const one = (own: string | null, another: string | null) =>
      this.maybe(0.3, () => [own ?? 'nowhere', another ?? 'nowhere'].slice(0, 1 + Number(this.random() < 0.3)));
    return {
      ids: this.maybe(0.1, () => [id, other.id]),
      cities: one(city?.toUpperCase() ?? null, other.city),
      states: one(state?.toLowerCase() ?? null, other.state),
      countries: one(country?.toLowerCase() ?? null, other.country),
      postalCodes: this.random() < 0.2 ? one(code, other.postal_code) : undefined,
      names: this.maybe(0.05, () => [name]),
    };
  }

  private near({ location }: VenueDocument): Near {
    const { lat, lon } = location ?? { lat: 0, lon: 180 };
    const rangeMetres = pick([1_000, 48_280, 48_280, 320_000, 9_000_000, 30_000_000], this.random);
    return { lat: lat + this.random() / 5, lon: lon + this.random() / 5, rangeMetres };
  }

  private bounds(iso: string): DateBound[] {
    const at = Date.parse(`${iso}Z`);
    const later = at + Math.floor(this.random() * 90) * 86_400_000;
    if (this.random() < 0.15) return [{ operator: 'eq', at }];
    const from: DateBound = { operator: this.random() < 0.5 ? 'gte' : 'gt', at };
    const to: DateBound = { operator: this.random() < 0.5 ? 'lte' : 'lt', at: later };
    return pick([[from], [to], [from, to], [from, to]], this.random);
  }

  private taxonomyFilter(): TaxonomyFilter {
    const taxonomy = () => pick(this.documents.taxonomies, this.random);
    return pick<TaxonomyFilter>(
      [
        { names: [taxonomy().name] },
        { ids: [taxonomy().id, taxonomy().id] },
        { parentIds: [taxonomy().parent_id ?? taxonomy().id] },
        { names: [taxonomy().name], ids: [taxonomy().id], parentIds: [taxonomy().id] },
      ],
      this.random,
    );
  }

  private numberBound({ stats }: EventDocument) {
    const field = pick(COUNTED_FIELDS, this.random);
    return { field, operator: pick(OPERATORS, this.random), value: stats[field] ?? 50 };
  }
}
