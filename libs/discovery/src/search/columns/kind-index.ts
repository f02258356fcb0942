import type { EventTable } from './event-table.js';
import type { TaxonomyTree } from './taxonomy-tree.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { InvertedIndex } from '../text/inverted-index.js';
import { tokenize } from '../../tokenizer.js';

/** Taxonomies and types have few texts that many events share. */
export class KindIndex {
  private sets: InvertedIndex;
  private types: InvertedIndex;
  private indexedSets = 0;
  private indexedTypes = 0;

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly events: EventTable,
    private readonly taxonomies: TaxonomyTree,
  ) {
    this.reset();
  }

  /** Call this when names or parents of taxonomies change. */
  reset(): void {
    this.sets = new InvertedIndex(this.vocabulary);
    this.types = new InvertedIndex(this.vocabulary);
    this.indexedSets = 0;
    this.indexedTypes = 0;
  }

  /** Indexes sets of taxonomies by their number, with the names of all ancestors. */
  ofSets(): InvertedIndex {
    const { texts } = this.events.taxonomySets;
    for (; this.indexedSets < texts.length; this.indexedSets++) {
      const ids = (texts[this.indexedSets] ?? '').split(',').map(Number);
      const names = [...this.taxonomies.withAncestors(ids)].map((id) => this.taxonomies.name(id));
      this.sets.set(this.indexedSets, [{ words: names.flatMap(tokenize), weight: 0 }]);
    }
    return this.sets;
  }

  ofTypes(): InvertedIndex {
    const { texts } = this.events.types;
    for (; this.indexedTypes < texts.length; this.indexedTypes++) {
      this.types.set(this.indexedTypes, [{ words: tokenize(texts[this.indexedTypes] ?? ''), weight: 0 }]);
    }
    return this.types;
  }
}
