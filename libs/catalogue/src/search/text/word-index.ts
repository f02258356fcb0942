import type { Vocabulary } from './vocabulary.js';

/** How much a term says about what it stands in: a place in a list of weights, at most 3. */
export type Weighted = Readonly<{ text: string; weight: 0 | 1 | 2 | 3 }>;

/** Where a term stands: slot * 4 + weight, so that a list of them is a plain array of small integers. */
export type Posting = number;
export const slotOf = (posting: Posting): number => posting >>> 2;
export const weightOf = (posting: Posting): number => posting & 3;

const NOWHERE: readonly Posting[] = [];

/** Which slots have a term. A term that stands in several texts of a slot counts with the lowest weight number. */
export class WordIndex {
  private readonly postings = new Map<string, Posting[]>();
  private readonly entries: (readonly (readonly [string, Posting])[] | undefined)[] = [];

  constructor(private readonly vocabulary: Vocabulary) {}

  /** Also the terms of a text that no slot has are learnt. */
  set(slot: number, texts: readonly Weighted[]): void {
    this.remove(slot);
    const weights = new Map<string, number>();
    for (const { text, weight } of texts) {
      for (const term of this.vocabulary.learn(text)) {
        weights.set(term, Math.min(weight, weights.get(term) ?? weight));
      }
    }
    const entries = Array.from(weights, ([term, weight]) => [term, slot * 4 + weight] as const);
    for (const [term, posting] of entries) {
      const list = this.postings.get(term);
      if (list) list.push(posting);
      else this.postings.set(term, [posting]);
    }
    this.entries[slot] = entries;
  }

  remove(slot: number): void {
    for (const [term, posting] of this.entries[slot] ?? []) {
      const list = this.postings.get(term) ?? [];
      const last = list.pop();
      const at = last === posting ? -1 : list.indexOf(posting);
      if (at >= 0 && last !== undefined) list[at] = last;
      if (list.length === 0) this.postings.delete(term);
    }
    this.entries[slot] = undefined;
  }

  has(slot: number): boolean {
    return this.entries[slot] !== undefined;
  }

  get(term: string): readonly Posting[] {
    return this.postings.get(term) ?? NOWHERE;
  }
}
