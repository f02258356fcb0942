import type { CatalogueIndex } from '../columns/catalogue-index.js';
import { AWAY, HOME, PRIMARY } from '../columns/event-table.js';
import type { EventSearch, PerformerClause, Specificity } from '../query/event-search.js';
import { type TextQuery, parseTextQuery, withoutPlace } from '../text/text-query.js';
import type { Sort } from '../query/sort.js';
import { rangeOf } from './bounds.js';
import { type EventTextQuery, eventTextQuery } from './event-text-query.js';
import { byMask, byRange, byTable, byTest, type Filter, type Range, Scratch } from './filter.js';
import { kindFilters } from './kind-filters.js';
import { TermCache } from './term-cache.js';
import { type SlotWeights, SlotWeightsPool } from './slot-weights.js';
import { type Compare, type MatchedSlots, pageOf } from './page.js';

export type MatchingIds = Readonly<{ total: number; ids: readonly number[] }>;

const DAY_MS = 86_400_000;

const BY_DATE: Sort = { field: 'datetime_utc', direction: 'asc' };
const ROLES: Readonly<Record<Specificity, number>> = { any: 0, primary: PRIMARY, home_team: HOME, away_team: AWAY };

/** Candidate slots. The view is read-only. */
type Candidates = Readonly<{
  size: number;
  slots: () => Uint32Array;
  orderedBy?: Sort['field'] | undefined;
  /** A filter that all of them pass. */
  satisfied?: Filter;
}>;

export class EventEngine {
  private readonly pool = new SlotWeightsPool();
  private readonly scratch = new Scratch();
  private readonly terms: TermCache;
  private weights = new Float32Array(1024);

  constructor(private readonly index: CatalogueIndex) {
    this.terms = new TermCache(index, this.pool);
  }

  find(search: EventSearch, now: number): MatchingIds {
    const { slots: table, keys } = this.index.events;
    try {
      const {
        matched,
        ranking,
        total = matched.slots.length,
      } = search.ids ? this.byIds(search) : this.search(search, now);
      const sort = search.sort ?? ranking ?? BY_DATE;
      const page = pageOf(matched, sort, { slots: table, keys }, search);
      return { total, ids: Array.from(page, (slot) => table.ids[slot] ?? 0) };
    } finally {
      this.pool.release();
    }
  }

  matching(search: EventSearch): Uint32Array {
    try {
      const { filters, sources } = this.plan(search);
      return this.run(filters, this.cheapest(sources, undefined)).slots.slice();
    } finally {
      this.pool.release();
    }
  }

  private byIds({ ids = [], visibleAt }: EventSearch): RankedMatches {
    const { slots } = this.index.events;
    const slotsOfIds = Array.from(new Set(ids), (id) => slots.find(id)).filter((slot) => slot !== undefined);
    return {
      matched: this.run(this.visible(visibleAt), {
        size: slotsOfIds.length,
        slots: () => Uint32Array.from(slotsOfIds),
      }),
    };
  }

  private search(search: EventSearch, now: number): RankedMatches {
    const { filters, sources } = this.plan(search);
    if (search.q === undefined) {
      const sort = search.sort ?? BY_DATE;
      return (
        this.scanInOrder({ filters, sources }, sort, search.page * search.perPage) ?? {
          matched: this.run(filters, this.cheapest(sources, sort)),
        }
      );
    }
    const query = parseTextQuery(search.q, {
      isName: (key) => this.index.isName(key),
      isPlace: (key) => this.index.venues.isPlace(key),
    });
    let answer: RankedMatches | undefined;
    let hasRareTerm = true;
    for (const attempt of interpretations(query)) {
      if (attempt.fuzzy && !hasRareTerm) break;
      const text = this.buildTextQuery(attempt.query, attempt.fuzzy, now);
      const source = this.cheapest([...sources, ...this.candidatesOf(text)], search.sort);
      const matched = this.run([...text.filters, ...filters], source);
      answer = search.sort ? { matched } : ranked(matched, text, search.page * search.perPage);
      if (matched.slots.length > 0) break;
      hasRareTerm = text.hasRareTerm;
    }
    return answer ?? { matched: { slots: new Uint32Array() } };
  }

  /** With a single condition the number of matches is known. If there are many, a scan in sort order soon finds the first of them. */
  private scanInOrder(
    { filters, sources }: Plan,
    { field, direction }: Sort,
    pageEnd: number,
  ): RankedMatches | undefined {
    const { keys, slots } = this.index.events;
    const [[filter, ...others], [source, otherSource]] = [filters, sources];
    // Matches of a time range lie next to each other, not spread over the order.
    const isUnordered = source && source.orderedBy === undefined;
    if (!filter || !isUnordered || others.length > 0 || otherSource || direction === 'desc') return undefined;
    if (pageEnd * slots.count >= source.size ** 2) return undefined;
    const first = this.scratch.first(filter, keys.order(field).all(), pageEnd);
    return { matched: { slots: first, orderedBy: field }, total: source.size };
  }

  private buildTextQuery(query: TextQuery, fuzzy: boolean, now: number): EventTextQuery {
    const { limit } = this.index.events.slots;
    if (this.weights.length < limit) this.weights = new Float32Array(limit * 2);
    const { index, terms, pool, weights } = this;
    return eventTextQuery({ index, terms, pool, now, weights }, query, fuzzy);
  }

  private candidatesOf({ venues, days, candidates }: EventTextQuery): Candidates[] {
    return [
      ...(venues ? [this.atVenues(venues)] : []),
      ...days.map(({ from, to }) => this.inRange('datetime_local', { low: from * DAY_MS, high: to * DAY_MS - 1 })),
      ...(candidates ? [{ size: candidates.length, slots: () => candidates }] : []),
    ];
  }

  /** For each argument except `q`, the filter and the candidates that it alone would leave. */
  private plan(search: EventSearch): Plan {
    const { index } = this;
    const { events } = index;
    const filters: Filter[] = this.visible(search.visibleAt);
    const sources: Candidates[] = [];
    const venues = venueMask(index, search);
    if (venues) {
      const meets = byTable(events.venue.data, venues);
      filters.push(meets);
      sources.push({ ...this.atVenues(venues), satisfied: meets });
    }
    for (const clause of search.performers ?? []) {
      const slotWeights = this.withPerformer(clause);
      const meets = byMask(slotWeights.weights);
      filters.push(meets);
      sources.push({ size: slotWeights.count, slots: () => slotWeights.slots(), satisfied: meets });
    }
    for (const [field, bounds] of [
      ['datetime_utc', search.datetimeUtc],
      ['datetime_local', search.datetimeLocal],
    ] as const) {
      if (!bounds?.length) continue;
      const range = rangeOf(bounds.map(({ operator, at }) => ({ operator, value: at })));
      const meets = byRange(events.keys.column(field).data, range);
      filters.push(meets);
      sources.push({ ...this.inRange(field, range), satisfied: meets });
    }
    filters.push(...kindFilters(events, index.taxonomies, search));
    for (const { field, ...bound } of search.numbers ?? []) {
      filters.push(byRange(events.numbers[field].data, rangeOf([bound])));
    }
    return { filters, sources };
  }

  private visible(at: number | undefined): Filter[] {
    if (at === undefined) return [];
    const until = this.index.events.visibleUntil.data;
    // An event without an end is always visible.
    return [byTest((slot) => !((until[slot] ?? Number.NaN) < at))];
  }

  private atVenues(mask: Uint8Array): Candidates {
    const { eventsByVenue } = this.index.events;
    const venues: number[] = [];
    let size = 0;
    for (let venue = 0; venue < mask.length; venue++) {
      if (mask[venue] !== 1) continue;
      venues.push(venue);
      size += eventsByVenue.get(venue).length;
    }
    const slots = () => {
      const all = new Uint32Array(size);
      let at = 0;
      for (const venue of venues) for (const slot of eventsByVenue.get(venue)) all[at++] = slot;
      return all;
    };
    return { size, slots };
  }

  private withPerformer(clause: PerformerClause): SlotWeights {
    const { events, performers } = this.index;
    const role = ROLES[clause.specificity];
    const slotWeights = this.pool.take(events.slots.limit);
    const found =
      'slug' in clause ? performers.withSlug(clause.slug) : clause.ids.map((id) => performers.slots.find(id) ?? -1);
    for (const performer of found) {
      for (const part of events.eventsByPerformer.get(performer)) {
        if (role === 0 || (part & role) !== 0) slotWeights.raise(part >>> 3, 1);
      }
    }
    return slotWeights;
  }

  private inRange(field: 'datetime_utc' | 'datetime_local', { low, high }: Range): Candidates {
    const order = this.index.events.keys.order(field);
    const from = order.countBelow(low, false);
    const to = Math.max(from, order.countBelow(high, true));
    return { size: to - from, orderedBy: field, slots: () => order.all().subarray(from, to) };
  }

  /** A source in another order costs more, because sorting takes longer than filtering. */
  private cheapest(sources: readonly Candidates[], sort: Sort | undefined): Candidates {
    const { events } = this.index;
    const everything: Candidates = {
      size: events.slots.count,
      orderedBy: sort?.field,
      slots: () => (sort ? events.keys.order(sort.field) : events.keys.order('id')).all(),
    };
    const cost = ({ size, orderedBy }: Candidates) => (!sort || orderedBy === sort.field ? size : size * 3);
    return sources.reduce((best, source) => (cost(source) < cost(best) ? source : best), everything);
  }

  private run(filters: readonly Filter[], { slots, orderedBy, satisfied }: Candidates): MatchedSlots {
    const left = filters.filter((filter) => filter !== satisfied);
    // The caller may reorder the result.
    if (satisfied && left.length === 0) return { slots: slots().slice(), orderedBy };
    return { slots: this.scratch.run(left, slots()), orderedBy };
  }
}

type Plan = Readonly<{ filters: readonly Filter[]; sources: readonly Candidates[] }>;
/** `total` is set if `matched` holds only the first matches. */
type RankedMatches = Readonly<{ matched: MatchedSlots; total?: number; ranking?: Compare | undefined }>;

function ranked({ slots }: MatchedSlots, { ranking }: EventTextQuery, needed: number): RankedMatches {
  const total = slots.length;
  const { slots: best, compare } = ranking(slots, needed);
  return { matched: { slots: best }, total, ranking: compare };
}

/** In the order in which they are tried: as parsed; with the place as part of a name; with fuzzy terms. */
function interpretations(query: TextQuery): readonly Readonly<{ query: TextQuery; fuzzy: boolean }>[] {
  const withPlaceAsTerms = withoutPlace(query);
  return [
    { query, fuzzy: false },
    ...(query.place === undefined ? [] : [{ query: withPlaceAsTerms, fuzzy: false }]),
    ...(query.terms.length > 0 ? [{ query, fuzzy: true }] : []),
  ];
}

function venueMask({ venues }: CatalogueIndex, { venue, near }: EventSearch): Uint8Array | undefined {
  const mask = venue && venues.matching(venue);
  if (!near) return mask;
  const nearby = venues.near(near);
  return mask ? nearby.map((is, slot) => is & (mask[slot] ?? 0)) : nearby;
}
