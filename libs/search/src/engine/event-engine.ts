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
import { type Compare, type Matched, pageOf } from './page.js';

export type FoundIds = Readonly<{ total: number; ids: readonly number[] }>;

const DAY_MS = 86_400_000;

const EARLIEST: Sort = { field: 'datetime_utc', direction: 'asc' };
const ROLES: Readonly<Record<Specificity, number>> = { any: 0, primary: PRIMARY, home_team: HOME, away_team: AWAY };

/** Slots to look at, as a view that nobody writes to. */
type Source = Readonly<{
  size: number;
  slots: () => Uint32Array;
  /** The sort field in whose order they stand already. */
  orderedBy?: Sort['field'] | undefined;
  /** What all of them pass. */
  meets?: Filter;
}>;

/** Answers searches for events out of the index. */
export class EventEngine {
  private readonly pool = new SlotWeightsPool();
  private readonly scratch = new Scratch();
  private readonly terms: TermCache;
  private weights = new Float32Array(1024);

  constructor(private readonly index: CatalogueIndex) {
    this.terms = new TermCache(index, this.pool);
  }

  find(search: EventSearch, now: number): FoundIds {
    const { slots: table, keys } = this.index.events;
    try {
      const {
        matched,
        ranking,
        total = matched.slots.length,
      } = search.ids ? this.byIds(search) : this.search(search, now);
      const sort = search.sort ?? ranking ?? EARLIEST;
      const page = pageOf(matched, sort, { slots: table, keys }, search);
      return { total, ids: Array.from(page, (slot) => table.ids[slot] ?? 0) };
    } finally {
      this.pool.giveBack();
    }
  }

  /** The slots of all that match, in no order; free text and ids are not looked at. */
  matching(search: EventSearch): Uint32Array {
    try {
      const { filters, sources } = this.plan(search);
      return this.run(filters, this.cheapest(sources, undefined)).slots.slice();
    } finally {
      this.pool.giveBack();
    }
  }

  private byIds({ ids = [], visibleAt }: EventSearch): Answer {
    const { slots } = this.index.events;
    const known = Array.from(new Set(ids), (id) => slots.find(id)).filter((slot) => slot !== undefined);
    return {
      matched: this.run(this.visible(visibleAt), { size: known.length, slots: () => Uint32Array.from(known) }),
    };
  }

  private search(search: EventSearch, now: number): Answer {
    const { filters, sources } = this.plan(search);
    if (search.q === undefined) {
      const sort = search.sort ?? EARLIEST;
      return (
        this.alongOrder({ filters, sources }, sort, search.page * search.perPage) ?? {
          matched: this.run(filters, this.cheapest(sources, sort)),
        }
      );
    }
    const query = parseTextQuery(search.q, {
      isName: (key) => this.index.isName(key),
      isPlace: (key) => this.index.venues.isPlace(key),
    });
    let answer: Answer | undefined;
    let hasRareTerm = true;
    for (const ask of readings(query)) {
      if (ask.fuzzy && !hasRareTerm) break;
      const text = this.ask(ask.query, ask.fuzzy, now);
      const source = this.cheapest([...sources, ...this.sourcesOf(text)], search.sort);
      const matched = this.run([...text.filters, ...filters], source);
      answer = search.sort ? { matched } : ranked(matched, text, search.page * search.perPage);
      if (matched.slots.length > 0) break;
      hasRareTerm = text.hasRareTerm;
    }
    return answer ?? { matched: { slots: new Uint32Array() } };
  }

  /** Of a single condition it is known how many meet it: where they are many, the first of them are soon met on the way along the order. */
  private alongOrder({ filters, sources }: Plan, { field, direction }: Sort, needed: number): Answer | undefined {
    const { keys, slots } = this.index.events;
    const [[filter, ...others], [source, another]] = [filters, sources];
    // Those of a stretch of time stand together.
    const isSpread = source && source.orderedBy === undefined;
    if (!filter || !isSpread || others.length > 0 || another || direction === 'desc') return undefined;
    if (needed * slots.count >= source.size ** 2) return undefined;
    const first = this.scratch.first(filter, keys.order(field).all(), needed);
    return { matched: { slots: first, orderedBy: field }, total: source.size };
  }

  private ask(query: TextQuery, fuzzy: boolean, now: number): EventTextQuery {
    const { limit } = this.index.events.slots;
    if (this.weights.length < limit) this.weights = new Float32Array(limit * 2);
    const { index, terms, pool, weights } = this;
    return eventTextQuery({ index, terms, pool, now, weights }, query, fuzzy);
  }

  private sourcesOf({ venues, days, candidates }: EventTextQuery): Source[] {
    return [
      ...(venues ? [this.atVenues(venues)] : []),
      ...days.map(({ from, to }) => this.inRange('datetime_local', { low: from * DAY_MS, high: to * DAY_MS - 1 })),
      ...(candidates ? [{ size: candidates.length, slots: () => candidates }] : []),
    ];
  }

  /** The filters of all arguments but `q`, and what each alone would leave to look at. */
  private plan(search: EventSearch): Plan {
    const { index } = this;
    const { events } = index;
    const filters: Filter[] = this.visible(search.visibleAt);
    const sources: Source[] = [];
    const venues = venueMask(index, search);
    if (venues) {
      const meets = byTable(events.venue.data, venues);
      filters.push(meets);
      sources.push({ ...this.atVenues(venues), meets });
    }
    for (const clause of search.performers ?? []) {
      const slotWeights = this.withPerformer(clause);
      const meets = byMask(slotWeights.weights);
      filters.push(meets);
      sources.push({ size: slotWeights.count, slots: () => slotWeights.slots(), meets });
    }
    for (const [field, bounds] of [
      ['datetime_utc', search.datetimeUtc],
      ['datetime_local', search.datetimeLocal],
    ] as const) {
      if (!bounds?.length) continue;
      const range = rangeOf(bounds.map(({ operator, at }) => ({ operator, value: at })));
      const meets = byRange(events.keys.column(field).data, range);
      filters.push(meets);
      sources.push({ ...this.inRange(field, range), meets });
    }
    filters.push(...kindFilters(events, index.taxonomies, search));
    for (const { field, ...bound } of search.numbers ?? []) {
      filters.push(byRange(events.counted[field].data, rangeOf([bound])));
    }
    return { filters, sources };
  }

  private visible(at: number | undefined): Filter[] {
    if (at === undefined) return [];
    const until = this.index.events.visibleUntil.data;
    // What is not known to end is visible for ever.
    return [byTest((slot) => !((until[slot] ?? Number.NaN) < at))];
  }

  private atVenues(mask: Uint8Array): Source {
    const { atVenue } = this.index.events;
    const venues: number[] = [];
    let size = 0;
    for (let venue = 0; venue < mask.length; venue++) {
      if (mask[venue] !== 1) continue;
      venues.push(venue);
      size += atVenue.get(venue).length;
    }
    const slots = () => {
      const all = new Uint32Array(size);
      let at = 0;
      for (const venue of venues) for (const slot of atVenue.get(venue)) all[at++] = slot;
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
      for (const part of events.ofPerformer.get(performer)) {
        if (role === 0 || (part & role) !== 0) slotWeights.raise(part >>> 3, 1);
      }
    }
    return slotWeights;
  }

  private inRange(field: 'datetime_utc' | 'datetime_local', { low, high }: Range): Source {
    const order = this.index.events.keys.order(field);
    const from = order.countBelow(low, false);
    const to = Math.max(from, order.countBelow(high, true));
    return { size: to - from, orderedBy: field, slots: () => order.all().subarray(from, to) };
  }

  /** Sorting what was found costs more than looking at it. */
  private cheapest(sources: readonly Source[], sort: Sort | undefined): Source {
    const { events } = this.index;
    const everything: Source = {
      size: events.slots.count,
      orderedBy: sort?.field,
      slots: () => (sort ? events.keys.order(sort.field) : events.keys.order('id')).all(),
    };
    const cost = ({ size, orderedBy }: Source) => (!sort || orderedBy === sort.field ? size : size * 3);
    return sources.reduce((best, source) => (cost(source) < cost(best) ? source : best), everything);
  }

  private run(filters: readonly Filter[], { slots, orderedBy, meets }: Source): Matched {
    const left = filters.filter((filter) => filter !== meets);
    // What is found may be reordered.
    if (meets && left.length === 0) return { slots: slots().slice(), orderedBy };
    return { slots: this.scratch.run(left, slots()), orderedBy };
  }
}

type Plan = Readonly<{ filters: readonly Filter[]; sources: readonly Source[] }>;
/** `total` when `matched` are only the first of them. */
type Answer = Readonly<{ matched: Matched; total?: number; ranking?: Compare | undefined }>;

function ranked({ slots }: Matched, { ranking }: EventTextQuery, needed: number): Answer {
  const total = slots.length;
  const { slots: best, compare } = ranking(slots, needed);
  return { matched: { slots: best }, total, ranking: compare };
}

/** As it is read; should that find nothing, a place as part of a name; then words as what they may have been meant as. */
function readings(query: TextQuery): readonly Readonly<{ query: TextQuery; fuzzy: boolean }>[] {
  const plain = withoutPlace(query);
  return [
    { query, fuzzy: false },
    ...(query.place === undefined ? [] : [{ query: plain, fuzzy: false }]),
    ...(query.terms.length > 0 ? [{ query, fuzzy: true }] : []),
  ];
}

function venueMask({ venues }: CatalogueIndex, { venue, near }: EventSearch): Uint8Array | undefined {
  const mask = venue && venues.matching(venue);
  if (!near) return mask;
  const around = venues.near(near);
  return mask ? around.map((is, slot) => is & (mask[slot] ?? 0)) : around;
}
