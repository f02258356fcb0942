import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { SortKeys } from '../columns/sort-keys.js';
import type { Slots } from '../columns/slots.js';
import type { Paging } from '../query/paging.js';
import type { PerformerSearch } from '../query/performer-search.js';
import type { Sort } from '../query/sort.js';
import { type TextQuery, parseTextQuery } from '../text/text-query.js';
import { slotOf, type InvertedIndex, weightOf } from '../text/inverted-index.js';
import type { VenueSearch } from '../query/venue-search.js';
import type { MatchingIds } from './event-engine.js';
import { byMask, byTable, type Filter, Scratch } from './filter.js';
import { kindFilters } from './kind-filters.js';
import { type Compare, type MatchedSlots, pageOf } from './page.js';
import { termVariants } from './term-matches.js';

const BY_POPULARITY: Sort = { field: 'score', direction: 'desc' };
const EXACT_NAME = 3;
// By text of the inverted index: name (venues have two), place, kind.
const FIELD_WEIGHTS = [255, 255, 100, 60] as const;

type Table = Readonly<{ slots: Slots; keys: SortKeys; words: InvertedIndex }>;
type EntitySearch = Paging &
  Readonly<{ ids?: readonly number[] | undefined; q?: string | undefined; sort?: Sort | undefined }>;

/** There are so few performers and venues that a scan of all of them is fast enough. */
export class EntityEngine {
  private readonly scratch = new Scratch();

  constructor(private readonly index: CatalogueIndex) {}

  performers(search: PerformerSearch): MatchingIds {
    const { performers: table, taxonomies } = this.index;
    const filters = kindFilters(table, taxonomies, search);
    const { slugs, genres } = search;
    if (slugs) {
      const mask = new Uint8Array(table.slots.limit);
      for (const slug of slugs) for (const slot of table.withSlug(slug)) mask[slot] = 1;
      filters.push(byMask(mask));
    }
    if (genres) filters.push(byTable(table.genreSet.data, Uint8Array.from(table.genreSetsWith(genres), Number)));
    const hasName = (key: string) => (slot: number) => table.withName(key).has(slot);
    return this.find(table, search, filters, hasName);
  }

  venues(search: VenueSearch): MatchingIds {
    const { venues: table } = this.index;
    const filters = [byMask(table.matching(search))];
    if (search.near) filters.push(byMask(table.near(search.near)));
    return this.find(table, search, filters, (key) => (slot) => table.hasName(slot, key));
  }

  /** `hasName(key)` returns a test for an exact name. */
  private find(
    table: Table,
    search: EntitySearch,
    filters: readonly Filter[],
    hasName: (key: string) => (slot: number) => boolean,
  ): MatchingIds {
    const orderedBy = search.sort?.field ?? 'score';
    const all = table.keys.order(orderedBy).all();
    const applyAll = (use: readonly Filter[]): MatchedSlots => ({ slots: this.scratch.run(use, all), orderedBy });
    const page = (matched: MatchedSlots, sort: Sort | Compare) => ({
      total: matched.slots.length,
      ids: Array.from(pageOf(matched, sort, table, search), (slot) => table.slots.ids[slot] ?? 0),
    });
    const sort = search.sort ?? BY_POPULARITY;
    if (search.ids) return page(applyAll([byMask(maskOf(table, search.ids))]), sort);
    if (search.q === undefined) return page(applyAll(filters), sort);
    const query = parseTextQuery(search.q, { isName: () => true, isPlace: () => false });
    for (const fuzzy of [false, true]) {
      const weights = this.weigh(table, query, fuzzy);
      const matched = applyAll([byMask(weights), ...filters]);
      if (matched.slots.length === 0 && !fuzzy) continue;
      return page(matched, search.sort ?? byWeight(table, weights, hasName(query.key)));
    }
    return { total: 0, ids: [] };
  }

  /** By slot: a weight above 0 if the slot has all terms. */
  private weigh({ slots, words }: Table, { terms }: TextQuery, fuzzy: boolean): Uint8Array {
    const sums = new Float64Array(slots.limit).fill(terms.length === 0 ? 1 : 0);
    for (const [at, term] of terms.entries()) {
      const termWeights = new Uint8Array(slots.limit);
      for (const { term: word, similarity } of termVariants(this.index.vocabulary, term, fuzzy)) {
        for (const posting of words.get(word)) {
          const slot = slotOf(posting);
          termWeights[slot] = Math.max(termWeights[slot] ?? 0, (FIELD_WEIGHTS[weightOf(posting)] ?? 0) * similarity);
        }
      }
      for (let slot = 0; slot < sums.length; slot++) {
        const sum = sums[slot] ?? 0;
        sums[slot] = termWeights[slot] === 0 || (at > 0 && sum === 0) ? 0 : sum + (termWeights[slot] ?? 0);
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

/** The best match first; ties by ascending id. */
function byWeight({ slots, keys }: Table, weights: Uint8Array, hasExactName: (slot: number) => boolean): Compare {
  const score = keys.column('score').data;
  const relevance = (slot: number) =>
    ((weights[slot] ?? 0) / 255) * (0.5 + (score[slot] ?? 0) / 2) + (hasExactName(slot) ? EXACT_NAME : 0);
  return (a, b) => relevance(b) - relevance(a) || (slots.ids[a] ?? 0) - (slots.ids[b] ?? 0);
}
