import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { SortKeys } from '../columns/sort-keys.js';
import type { Slots } from '../columns/slots.js';
import type { Paging } from '../query/paging.js';
import type { PerformerSearch } from '../query/performer-search.js';
import type { Sort } from '../query/sort.js';
import { type TextQuery, parseTextQuery } from '../text/text-query.js';
import { slotOf, type InvertedIndex, weightOf } from '../text/inverted-index.js';
import type { VenueSearch } from '../query/venue-search.js';
import type { FoundIds } from './event-engine.js';
import { byMask, byTable, type Filter, Scratch } from './filter.js';
import { kindFilters } from './kind-filters.js';
import { type Compare, type Matched, pageOf } from './page.js';
import { termVariants } from './term-matches.js';

const MOST_POPULAR: Sort = { field: 'score', direction: 'desc' };
const EXACT_NAME = 3;
// By the places of a word index: name (two ways to say so), where it is, what it is.
const WEIGHTS = [255, 255, 100, 60] as const;

type Table = Readonly<{ slots: Slots; keys: SortKeys; words: InvertedIndex }>;
type Asked = Paging &
  Readonly<{ ids?: readonly number[] | undefined; q?: string | undefined; sort?: Sort | undefined }>;

/** Answers searches for performers and venues out of the index: so few that all are looked at. */
export class EntityEngine {
  private readonly scratch = new Scratch();

  constructor(private readonly index: CatalogueIndex) {}

  performers(search: PerformerSearch): FoundIds {
    const { performers: table, taxonomies } = this.index;
    const filters = kindFilters(table, taxonomies, search);
    const { slugs, genres } = search;
    if (slugs) {
      const mask = new Uint8Array(table.slots.limit);
      for (const slug of slugs) for (const slot of table.withSlug(slug)) mask[slot] = 1;
      filters.push(byMask(mask));
    }
    if (genres) filters.push(byTable(table.genreSet.data, Uint8Array.from(table.genreSetsWith(genres), Number)));
    const called = (key: string) => (slot: number) => table.called(key).has(slot);
    return this.find(table, search, filters, called);
  }

  venues(search: VenueSearch): FoundIds {
    const { venues: table } = this.index;
    const filters = [byMask(table.matching(search))];
    if (search.near) filters.push(byMask(table.near(search.near)));
    return this.find(table, search, filters, (key) => (slot) => table.nameIs(slot, key));
  }

  /** `called` tells of a slot whether that is its very name. */
  private find(
    table: Table,
    search: Asked,
    filters: readonly Filter[],
    called: (key: string) => (slot: number) => boolean,
  ): FoundIds {
    const orderedBy = search.sort?.field ?? 'score';
    const all = table.keys.order(orderedBy).all();
    const run = (use: readonly Filter[]): Matched => ({ slots: this.scratch.run(use, all), orderedBy });
    const page = (matched: Matched, sort: Sort | Compare) => ({
      total: matched.slots.length,
      ids: Array.from(pageOf(matched, sort, table, search), (slot) => table.slots.ids[slot] ?? 0),
    });
    const sort = search.sort ?? MOST_POPULAR;
    if (search.ids) return page(run([byMask(maskOf(table, search.ids))]), sort);
    if (search.q === undefined) return page(run(filters), sort);
    const query = parseTextQuery(search.q, { isName: () => true, isPlace: () => false });
    for (const fuzzy of [false, true]) {
      const weights = this.weigh(table, query, fuzzy);
      const matched = run([byMask(weights), ...filters]);
      if (matched.slots.length === 0 && !fuzzy) continue;
      return page(matched, search.sort ?? byWeight(table, weights, called(query.key)));
    }
    return { total: 0, ids: [] };
  }

  /** A weight above 0 for what has all the terms. */
  private weigh({ slots, words }: Table, { terms }: TextQuery, fuzzy: boolean): Uint8Array {
    const sums = new Float64Array(slots.limit).fill(terms.length === 0 ? 1 : 0);
    for (const [at, term] of terms.entries()) {
      const own = new Uint8Array(slots.limit);
      for (const { term: word, similarity } of termVariants(this.index.vocabulary, term, fuzzy)) {
        for (const posting of words.get(word)) {
          const slot = slotOf(posting);
          own[slot] = Math.max(own[slot] ?? 0, (WEIGHTS[weightOf(posting)] ?? 0) * similarity);
        }
      }
      for (let slot = 0; slot < sums.length; slot++) {
        const before = sums[slot] ?? 0;
        sums[slot] = own[slot] === 0 || (at > 0 && before === 0) ? 0 : before + (own[slot] ?? 0);
      }
    }
    return Uint8Array.from(sums, (sum) => (sum === 0 ? 0 : Math.max(1, sum / Math.max(1, terms.length))));
  }
}

function maskOf({ slots }: Table, ids: readonly number[]): Uint8Array {
  const mask = new Uint8Array(slots.limit);
  for (const id of ids) mask[slots.find(id) ?? mask.length] = 1;
  return mask;
}

/** The best match first; of equal ones that with the lower id. */
function byWeight({ slots, keys }: Table, weights: Uint8Array, isCalledSo: (slot: number) => boolean): Compare {
  const score = keys.column('score').data;
  const relevance = (slot: number) =>
    ((weights[slot] ?? 0) / 255) * (0.5 + (score[slot] ?? 0) / 2) + (isCalledSo(slot) ? EXACT_NAME : 0);
  return (a, b) => relevance(b) - relevance(a) || (slots.ids[a] ?? 0) - (slots.ids[b] ?? 0);
}
