import type { Vocabulary } from '../text/vocabulary.js';
import { InvertedIndex } from '../text/inverted-index.js';
import { Column } from './column.js';
import { Slots } from './slots.js';
import { SortKeys } from './sort-keys.js';

/**
 * What tables of venues and of performers have in common: events speak of both. One that is only spoken of has a slot, but is
 * not present.
 */
export abstract class EntityTable {
  readonly slots = new Slots();
  readonly keys = new SortKeys(this.slots, (slot) => this.isPresent(slot));
  readonly words: InvertedIndex;
  /** By slot, 1 or 0. */
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
    this.forgetNames(slot);
    // The slot is kept: events may still speak of it.
    this.present.set(slot, 0);
  }

  /** Makes a row present under its sort keys; answers with its slot. */
  protected putKeys({ id, score }: Readonly<{ id: number; score: number }>, bulk: boolean): number {
    const slot = this.slots.claim(id);
    const isNew = !this.isPresent(slot);
    this.present.set(slot, 1);
    this.keys.put(slot, { id, score }, { isNew, bulk });
    return slot;
  }

  protected abstract forgetNames(slot: number): void;
}
