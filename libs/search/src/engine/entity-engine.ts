import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { SortKeys } from '../columns/sort-keys.js';
import type { Slots } from '../columns/slots.js';
import type { Paging } from '../query/paging.js';
import type { PerformerSearch } from '../query/performer-search.js';
import type { Sort } from '../query/sort.js';
import { type Question, readQuestion } from '../text/text-query.js';
import { slotOf, type WordIndex, weightOf } from '../text/inverted-index.js';
import type { VenueSearch } from '../query/venue-search.js';
import type { FoundIds } from './event-engine.js';
import { byMark, byTable, type Filter, Scratch } from './filter.js';
import { kindFilters } from './kind-filters.js';
import { type Compare, type Matched, pageOf } from './page.js';
import { meanings } from './term-matches.js';

const MOST_POPULAR: Sort = { field: 'score', direction: 'desc' };
const EXACT_NAME = 3;
// By the places of a word index: name (two ways to say so), where it is, what it is.
const WEIGHTS = [255, 255, 100, 60] as const;

type Table = Readonly<{ slots: Slots; keys: SortKeys; words: WordIndex }>;
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
      const marks = new Uint8Array(table.slots.limit);
      for (const slug of slugs) for (const slot of table.withSlug(slug)) marks[slot] = 1;
      filters.push(byMark(marks));
    }
    if (genres) filters.push(byTable(table.genreSet.data, Uint8Array.from(table.genreSetsWith(genres), Number)));
    const called = (key: string) => (slot: number) => table.called(key).has(slot);
    return this.find(table, search, filters, called);
  }

  venues(search: VenueSearch): FoundIds {
    const { venues: table } = this.index;
    const filters = [byMark(table.matching(search))];
    if (search.near) filters.push(byMark(table.near(search.near)));
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
    if (search.ids) return page(run([byMark(marked(table, search.ids))]), sort);
    if (search.q === undefined) return page(run(filters), sort);
    const question = readQuestion(search.q, { isName: () => true, isPlace: () => false });
    for (const loosely of [false, true]) {
      const weights = this.weigh(table, question, loosely);
      const matched = run([byMark(weights), ...filters]);
      if (matched.slots.length === 0 && !loosely) continue;
      return page(matched, search.sort ?? byWeight(table, weights, called(question.key)));
    }
    return { total: 0, ids: [] };
  }

  /** A weight above 0 for what has all the terms. */
  private weigh({ slots, words }: Table, { terms }: Question, loosely: boolean): Uint8Array {
    const sums = new Float64Array(slots.limit).fill(terms.length === 0 ? 1 : 0);
    for (const [at, term] of terms.entries()) {
      const own = new Uint8Array(slots.limit);
      for (const { term: word, closeness } of meanings(this.index.vocabulary, term, loosely)) {
        for (const posting of words.get(word)) {
          const slot = slotOf(posting);
          own[slot] = Math.max(own[slot] ?? 0, (WEIGHTS[weightOf(posting)] ?? 0) * closeness);
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

function marked({ slots }: Table, ids: readonly number[]): Uint8Array {
  const marks = new Uint8Array(slots.limit);
  for (const id of ids) marks[slots.find(id) ?? marks.length] = 1;
  return marks;
}

/** The best match first; of equal ones that with the lower id. */
function byWeight({ slots, keys }: Table, weights: Uint8Array, isCalledSo: (slot: number) => boolean): Compare {
  const score = keys.column('score').data;
  const relevance = (slot: number) =>
    ((weights[slot] ?? 0) / 255) * (0.5 + (score[slot] ?? 0) / 2) + (isCalledSo(slot) ? EXACT_NAME : 0);
  return (a, b) => relevance(b) - relevance(a) || (slots.ids[a] ?? 0) - (slots.ids[b] ?? 0);
}
