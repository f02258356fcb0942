import { LRUCache } from 'lru-cache';
import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { Term } from '../text/text-query.js';
import type { SlotWeightsPool } from './slot-weights.js';
import { matchTerm, termVariants, type TermMatches } from './term-matches.js';

// Over 200,000 events some 40 of the commonest words (a large city, a genre), or a thousand words of names.
const KEPT_BYTES = 24_000_000;

/** The matches of the terms used last, because most queries share words. A change of any text clears it. */
export class TermCache {
  private readonly known = new LRUCache<string, TermMatches>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ slots, weights }) => slots.byteLength + weights.byteLength + ENTRY_BYTES,
  });
  private textVersion = -1;

  constructor(
    private readonly index: CatalogueIndex,
    private readonly pool: SlotWeightsPool,
  ) {}

  /** `fuzzy`: also the matches of terms that the word may be a misspelling of. */
  find(term: Pick<Term, 'word' | 'term'>, fuzzy: boolean): TermMatches {
    const { index, pool, known } = this;
    if (this.textVersion !== index.textVersion) known.clear();
    this.textVersion = index.textVersion;
    const key = fuzzy ? `like ${term.word}` : term.term;
    const kept = known.get(key);
    if (kept) return kept;
    const found = matchTerm(index, pool.take(index.events.slots.limit), termVariants(index.vocabulary, term, fuzzy));
    known.set(key, found);
    return found;
  }
}

// A term without matches takes memory, too.
const ENTRY_BYTES = 500;
