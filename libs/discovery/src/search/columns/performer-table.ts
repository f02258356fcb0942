import { parseJson } from '#base/json';
import type { PerformerSearch } from '../query/performer-search.js';
import { nameKey, tokenize } from '../../tokenizer.js';
import { Column } from './column.js';
import { EntityTable } from './entity-table.js';
import { Dictionary } from './dictionary.js';
import type { PerformerRow } from './rows.js';
import { SlotsByName } from './slots-by-name.js';

type Genre = NonNullable<PerformerSearch['genres']>[number];
type GenreSet = Readonly<{ all: readonly string[]; primary: readonly string[] }>;

const NO_GENRES = '{"all":[],"primary":[]}';

export class PerformerTable extends EntityTable {
  readonly types = new Dictionary();
  readonly type = Column.ofIntegers();
  readonly taxonomySets = new Dictionary();
  readonly taxonomySet = Column.ofIntegers();
  readonly genreSet = Column.ofIntegers();
  private readonly genreSets = new Dictionary();
  private readonly bySlug = new SlotsByName();
  private readonly byName = new SlotsByName();

  put(row: PerformerRow, bulk: boolean): void {
    const slot = this.putKeys(row, bulk);
    this.type.set(slot, this.types.encode(nameKey(row.type)));
    this.taxonomySet.set(slot, this.taxonomySets.encode(row.taxonomy_ids.toSorted((a, b) => a - b).join()));
    const genres: GenreSet = { all: row.genre_slugs, primary: row.primary_genre_slugs };
    this.genreSet.set(slot, this.genreSets.encode(JSON.stringify(genres)));
    this.bySlug.set(slot, [row.slug.toLowerCase()]);
    this.byName.set(slot, Array.from(new Set([row.name, row.short_name, row.slug].map(nameKey))));
    this.words.set(slot, [
      { words: tokenize(`${row.name} ${row.short_name} ${row.slug}`), weight: 0 },
      { words: tokenize(row.kind_text), weight: 3 },
    ]);
  }

  /** Decodes a number of the column `genreSet`. */
  genresOfSet(set: number): GenreSet {
    return parseJson(this.genreSets.texts[set] ?? NO_GENRES) as GenreSet;
  }

  withSlug(slug: string): Iterable<number> {
    return this.bySlug.get(slug.toLowerCase());
  }

  /** Slots with this name key as name, short name or slug. */
  withName(key: string): ReadonlySet<number> {
    return this.byName.get(key);
  }

  /** For each number of `genreSet`, whether that set contains all of `genres`. */
  genreSetsWith(genres: readonly Genre[]): boolean[] {
    return this.genreSets.texts.map((_, code) => {
      const set = this.genresOfSet(code);
      return genres.every(({ slug, primary }) => (primary ? set.primary : set.all).includes(slug));
    });
  }

  protected override removeNames(slot: number): void {
    this.bySlug.remove(slot);
    this.byName.remove(slot);
  }
}
