import type { Vocabulary } from '../text/vocabulary.js';
import { InvertedIndex } from '../text/inverted-index.js';
import { Column } from './column.js';
import { Slots } from './slots.js';
import { SortKeys } from './sort-keys.js';

/** An event may refer to an entity whose row is not loaded. Such an entity has a slot, but is not present. */
export abstract class EntityTable {
  readonly slots = new Slots();
  readonly keys = new SortKeys(this.slots, (slot) => this.isPresent(slot));
  readonly words: InvertedIndex;
  protected readonly present = Column.ofIntegers();

  constructor(vocabulary: Vocabulary) {
    this.words = new InvertedIndex(vocabulary);
  }

  isPresent(slot: number): boolean {
    return this.present.get(slot) === 1;
  }

  remove(id: number): void {
    const slot = this.slots.find(id);
    if (slot === undefined || !this.isPresent(slot)) return;
    this.keys.remove(slot);
    this.words.remove(slot);
    this.removeNames(slot);
    // The slot stays in use, because events may still refer to it.
    this.present.set(slot, 0);
  }

  /** Marks a row as present, sets its sort keys, and returns its slot. */
  protected putKeys({ id, score }: Readonly<{ id: number; score: number }>, bulk: boolean): number {
    const slot = this.slots.claim(id);
    const isNew = !this.isPresent(slot);
    this.present.set(slot, 1);
    this.keys.put(slot, { id, score }, { isNew, bulk });
    return slot;
  }

  protected abstract removeNames(slot: number): void;
}
