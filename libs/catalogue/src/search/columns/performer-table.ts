import type { PerformerSearch } from '../performer-search.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { WordIndex } from '../text/word-index.js';
import { nameKey, wordsOf } from '../text/words.js';
import { Column } from './column.js';
import { Interned } from './interned.js';
import type { PerformerRow } from './rows.js';
import { Slots } from './slots.js';
import { SortKeys } from './sort-keys.js';

type Genre = NonNullable<PerformerSearch['genres']>[number];
type GenreSet = Readonly<{ all: readonly string[]; primary: readonly string[] }>;

const NO_GENRES = '{"all":[],"primary":[]}';

/** All performers by column. One that is only spoken of (by an event) has a slot, but is not present. */
export class PerformerTable {
  readonly slots = new Slots();
  readonly keys = new SortKeys(this.slots, (slot) => this.present.get(slot) === 1);
  readonly words: WordIndex;
  readonly types = new Interned();
  readonly type = Column.ofIntegers();
  readonly taxonomySets = new Interned();
  readonly taxonomySet = Column.ofIntegers();
  readonly genreSet = Column.ofIntegers();
  private readonly genreSets = new Interned();
  private readonly present = Column.ofIntegers();
  private readonly slugs: string[] = [];
  private readonly bySlug = new Map<string, Set<number>>();
  private readonly names: (readonly string[])[] = [];
  private readonly byName = new Map<string, Set<number>>();

  constructor(vocabulary: Vocabulary) {
    this.words = new WordIndex(vocabulary);
  }

  put(row: PerformerRow, bulk: boolean): void {
    const slot = this.slots.claim(row.id);
    const isNew = this.present.get(slot) === 0;
    this.forgetNames(slot);
    this.present.set(slot, 1);
    this.keys.put(slot, { id: row.id, score: row.score }, { isNew, bulk });
    this.type.set(slot, this.types.number(nameKey(row.type)));
    this.taxonomySet.set(slot, this.taxonomySets.number(row.taxonomy_ids.toSorted((a, b) => a - b).join()));
    const genres: GenreSet = { all: row.genre_slugs, primary: row.primary_genre_slugs };
    this.genreSet.set(slot, this.genreSets.number(JSON.stringify(genres)));
    const slug = row.slug.toLowerCase();
    this.slugs[slot] = slug;
    put(this.bySlug, slug, slot);
    this.names[slot] = Array.from(new Set([row.name, row.short_name, row.slug].map(nameKey)));
    for (const name of this.names[slot] ?? []) put(this.byName, name, slot);
    this.words.set(slot, [
      { words: wordsOf(`${row.name} ${row.short_name} ${row.slug}`), weight: 0 },
      { words: wordsOf(row.kind_text), weight: 3 },
    ]);
  }

  remove(id: number): void {
    const slot = this.slots.find(id);
    if (slot === undefined || this.present.get(slot) === 0) return;
    this.keys.remove(slot);
    this.forgetNames(slot);
    this.words.remove(slot);
    // The slot is kept: events may still speak of it.
    this.present.set(slot, 0);
  }

  isPresent(slot: number): boolean {
    return this.present.get(slot) === 1;
  }

  /** By the number of a set of genres, as it stands in `genreSet`. */
  genresIn(set: number): GenreSet {
    return JSON.parse(this.genreSets.texts[set] ?? NO_GENRES) as GenreSet;
  }

  withSlug(slug: string): Iterable<number> {
    return this.bySlug.get(slug.toLowerCase()) ?? [];
  }

  /** By name, short name or slug, as a name key. */
  called(key: string): ReadonlySet<number> {
    return this.byName.get(key) ?? new Set();
  }

  /** For each number of a set of genres, whether it has them all. */
  genreSetsWith(genres: readonly Genre[]): boolean[] {
    return this.genreSets.texts.map((_, number) => {
      const set = this.genresIn(number);
      return genres.every(({ slug, primary }) => (primary ? set.primary : set.all).includes(slug));
    });
  }

  private forgetNames(slot: number): void {
    for (const name of this.names[slot] ?? []) this.byName.get(name)?.delete(slot);
    this.bySlug.get(this.slugs[slot] ?? '')?.delete(slot);
  }
}

function put(groups: Map<string, Set<number>>, key: string, slot: number): void {
  const group = groups.get(key);
  if (group) group.add(slot);
  else groups.set(key, new Set([slot]));
}
