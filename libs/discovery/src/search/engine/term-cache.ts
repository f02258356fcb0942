import { LRUCache } from 'lru-cache';
import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { Term } from '../text/text-query.js';
import type { SlotWeightsPool } from './slot-weights.js';
import { matchTerm, termVariants, type TermMatches } from './term-matches.js';

// With 200,000 events: about 40 very common words (a large city, a genre) or a thousand words of names.
const CACHE_BYTES = 24_000_000;

/** Most queries share words. A change of any text clears the cache. */
export class TermCache {
  private readonly cache = new LRUCache<string, TermMatches>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ slots, weights }) => slots.byteLength + weights.byteLength + ENTRY_BYTES,
  });
  private textVersion = -1;

  constructor(
    private readonly index: CatalogueIndex,
    private readonly pool: SlotWeightsPool,
  ) {}

  /** `fuzzy` includes the terms that the word may be a misspelling of. */
  find(term: Pick<Term, 'word' | 'term'>, fuzzy: boolean): TermMatches {
    const { index, pool, cache } = this;
    if (this.textVersion !== index.textVersion) cache.clear();
    this.textVersion = index.textVersion;
    const key = fuzzy ? `like ${term.word}` : term.term;
    const cached = cache.get(key);
    if (cached) return cached;
    const found = matchTerm(index, pool.take(index.events.slots.limit), termVariants(index.vocabulary, term, fuzzy));
    cache.set(key, found);
    return found;
  }
}

// A term without matches also takes memory.
const ENTRY_BYTES = 500;
