import type { EventTable } from './event-table.js';
import type { TaxonomyTree } from './taxonomy-tree.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { InvertedIndex } from '../text/inverted-index.js';
import { tokenize } from '../text/tokenizer.js';

/** The words of taxonomies and types: few texts that many events share. */
export class KindIndex {
  private sets: InvertedIndex;
  private types: InvertedIndex;
  private knownSets = 0;
  private knownTypes = 0;

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly events: EventTable,
    private readonly taxonomies: TaxonomyTree,
  ) {
    this.forget();
  }

  /** To be called when taxonomies have other names or parents. */
  forget(): void {
    this.sets = new InvertedIndex(this.vocabulary);
    this.types = new InvertedIndex(this.vocabulary);
    this.knownSets = 0;
    this.knownTypes = 0;
  }

  /** Over the numbers of sets of taxonomies: their names, and those of all above them. */
  ofSets(): InvertedIndex {
    const { texts } = this.events.taxonomySets;
    for (; this.knownSets < texts.length; this.knownSets++) {
      const ids = (texts[this.knownSets] ?? '').split(',').map(Number);
      const names = [...this.taxonomies.withAncestors(ids)].map((id) => this.taxonomies.name(id));
      this.sets.set(this.knownSets, [{ words: names.flatMap(tokenize), weight: 0 }]);
    }
    return this.sets;
  }

  /** Over the numbers of types. */
  ofTypes(): InvertedIndex {
    const { texts } = this.events.types;
    for (; this.knownTypes < texts.length; this.knownTypes++) {
      this.types.set(this.knownTypes, [{ words: tokenize(texts[this.knownTypes] ?? ''), weight: 0 }]);
    }
    return this.types;
  }
}
