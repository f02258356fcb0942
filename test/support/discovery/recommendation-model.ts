import type { RecommendationSearch } from '#discovery/search/query/recommendation-search';
import {
  CatalogueModel,
  type EventDocument,
  type CatalogueDocuments,
  type PerformerDocument,
} from './catalogue-model.js';

export type Sale = Readonly<{ buyer: string; eventId: number }>;
type Scored = Readonly<{ id: number; score: number }>;

const FAR = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** A model of recommendations: computes docs/recommendations.md from every document and every sale. */
export class RecommendationModel {
  private readonly catalogue: CatalogueModel;
  /** Events by performer and buyer. */
  private readonly bought = new Map<number, Map<string, Set<number>>>();
  private readonly kinds = new Map<object, Record<string, number>>();

  constructor(
    private readonly documents: CatalogueDocuments,
    sales: readonly Sale[],
  ) {
    this.catalogue = new CatalogueModel(documents);
    for (const { buyer, eventId } of sales) {
      for (const { id } of documents.events.find((event) => event.id === eventId)?.performers ?? []) {
        const buyers = this.bought.get(id) ?? new Map<string, Set<number>>();
        this.bought.set(id, buyers.set(buyer, (buyers.get(buyer) ?? new Set()).add(eventId)));
      }
    }
  }

  /** All recommendations, by id. */
  find(search: RecommendationSearch): Scored[] {
    const { venueIds, venueSlugs, taxonomyIds, taxonomyNames } = search;
    const found = this.catalogue.events({
      ...search,
      page: 1,
      perPage: Number.MAX_SAFE_INTEGER,
      venue: { ids: venueIds, slugs: venueSlugs },
      taxonomies: taxonomyIds || taxonomyNames ? { ids: taxonomyIds, names: taxonomyNames } : undefined,
    });
    const ids = new Set(found.ids);
    const candidates = this.documents.events.filter(({ id }) => ids.has(id));
    return candidates
      .map((event) => ({ id: event.id, score: this.affinity(event, search) * nearness(event, search) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => one.id - other.id);
  }

  /** The part `together` of docs/recommendations.md. */
  boughtTogether(one: number, other: number): number {
    const [mine, theirs] = [this.bought.get(one), this.bought.get(other)];
    if (!mine || !theirs) return 0;
    const both = [...mine].filter(([buyer, events]) =>
      [...events].some((event) => [...(theirs.get(buyer) ?? [])].some((second) => second !== event)),
    ).length;
    return (both / Math.sqrt(mine.size * theirs.size)) * (both / (both + 2));
  }

  private affinity(event: EventDocument, { seed }: RecommendationSearch): number {
    const seedEvent = 'eventId' in seed ? this.documents.events.find(({ id }) => id === seed.eventId) : undefined;
    if (event.id === seedEvent?.id) return 0;
    const liked =
      'eventId' in seed
        ? (seedEvent?.performers ?? [])
        : this.documents.performers.filter(({ id }) => seed.performerIds.includes(id));
    const isLiked = ({ id }: PerformerDocument) => liked.some((other) => other.id === id);
    const others = event.performers.filter((performer) => !isLiked(performer));
    const pairs = (
      performers: readonly PerformerDocument[],
      value: (one: PerformerDocument, other: PerformerDocument) => number,
    ) => Math.max(0, ...performers.flatMap((performer) => liked.map((other) => value(other, performer))));
    const kinds = seedEvent ? [seedEvent] : liked;
    return (
      1 -
      0.3 ** event.performers.filter(isLiked).length *
        (1 - 0.35 * pairs(others, (one, other) => this.boughtTogether(one.id, other.id))) *
        (1 - 0.3 * pairs(event.performers, (one, other) => common(genresOf(one), genresOf(other)))) *
        (1 - 0.3 * Math.max(0, ...kinds.map((kind) => common(this.kindsOf(kind), this.kindsOf(event)))))
    );
  }

  private kindsOf(document: Pick<EventDocument, 'taxonomies'>): Record<string, number> {
    const known = this.kinds.get(document);
    if (known) return known;
    const line = document.taxonomies.flatMap(({ id }) => this.lineOf(id));
    const kinds = Object.fromEntries(line.map((id) => [id, 2 ** (this.lineOf(id).length - 1)]));
    this.kinds.set(document, kinds);
    return kinds;
  }

  private lineOf(id: number | null): number[] {
    const taxonomy = this.documents.taxonomies.find((other) => other.id === id);
    return taxonomy ? [taxonomy.id, ...this.lineOf(taxonomy.parent_id)] : [];
  }
}

const genresOf = ({ genres }: PerformerDocument): Record<string, number> =>
  Object.fromEntries((genres ?? []).map(({ slug, primary }) => [slug, primary ? 2 : 1]));

function common(one: Record<string, number>, other: Record<string, number>): number {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const sum = (of: (key: string) => number) => keys.reduce((total, key) => total + of(key), 0);
  const both = sum((key) => Math.min(one[key] ?? 0, other[key] ?? 0));
  return both === 0 ? 0 : both / sum((key) => Math.max(one[key] ?? 0, other[key] ?? 0));
}

function nearness({ venue }: EventDocument, { near }: RecommendationSearch): number {
  const { lat, lon } = venue.location ?? { lat: 0, lon: 0 };
  const [one, other, east] = [radians(near.lat), radians(lat), radians(lon - near.lon)];
  const cosine = Math.sin(one) * Math.sin(other) + Math.cos(one) * Math.cos(other) * Math.cos(east);
  return 0.5 ** ((Math.acos(Math.min(1, cosine)) * FAR) / near.rangeMetres);
}
