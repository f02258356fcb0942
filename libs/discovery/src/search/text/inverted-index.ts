import { PackedLists } from './packed-lists.js';
import type { Vocabulary } from './vocabulary.js';

/** The words of one text of a slot. `weight` is an index into a list of term weights. */
export type WeightedText = Readonly<{ words: readonly string[]; weight: 0 | 1 | 2 | 3 }>;

/** A slot that has a term: slot * 4 + weight, so that a posting list is a plain array of small integers. */
export type Posting = number;
export const slotOf = (posting: Posting): number => posting >>> 2;
export const weightOf = (posting: Posting): number => posting & 3;

const NO_POSTINGS: readonly Posting[] = [];

/** Posting lists by term. If several texts of a slot have a term, the lowest weight number counts. */
export class InvertedIndex {
  version = 0;
  private readonly termNumbers = new Map<string, number>();
  private readonly postings: Posting[][] = [];
  /** By slot: term number * 4 + weight. */
  private readonly entries = new PackedLists();

  constructor(private readonly vocabulary: Vocabulary) {}

  set(slot: number, texts: readonly WeightedText[]): void {
    const weights = new Map<number, number>();
    for (const { words, weight } of texts) {
      for (const term of this.vocabulary.add(words)) {
        const number = this.numberOfTerm(term);
        weights.set(number, Math.min(weight, weights.get(number) ?? weight));
      }
    }
    const entries = Array.from(weights, ([number, weight]) => number * 4 + weight);
    if (this.entries.isSame(slot, entries)) return;
    this.remove(slot);
    for (const one of entries) this.postings[one >>> 2]?.push(slot * 4 + (one & 3));
    this.entries.set(slot, entries);
    this.version++;
  }

  remove(slot: number): void {
    if (!this.has(slot)) return;
    this.version++;
    for (const entry of this.entries.get(slot)) {
      const list = this.postings[entry >>> 2] ?? [];
      const at = list.indexOf(slot * 4 + (entry & 3));
      const last = list.pop();
      if (at < list.length && last !== undefined) list[at] = last;
    }
    this.entries.delete(slot);
  }

  has(slot: number): boolean {
    return this.entries.has(slot);
  }

  get(term: string): readonly Posting[] {
    return this.postings[this.termNumbers.get(term) ?? -1] ?? NO_POSTINGS;
  }

  private numberOfTerm(term: string): number {
    const existing = this.termNumbers.get(term);
    if (existing !== undefined) return existing;
    this.termNumbers.set(term, this.postings.length);
    return this.postings.push([]) - 1;
  }
}
