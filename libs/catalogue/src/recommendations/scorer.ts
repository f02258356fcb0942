import type { CatalogueIndex } from '../search/catalogue-index.js';
import type { Near } from '../search/place.js';
import { genresOf, kindsOf, type Liking } from './liking.js';
import { likeness, nearness, scoreOf } from './score.js';

/** Scores events by what somebody likes. What many events have in common is worked out once. */
export class Scorer {
  private readonly kinds = new Map<number, number>();
  private readonly genres = new Map<number, number>();
  private readonly nearness = new Map<number, number>();

  constructor(
    private readonly index: CatalogueIndex,
    private readonly liking: Liking,
    /** How much others are bought together with those who are liked, by slot of the performer. */
    private readonly boughtTogether: ReadonlyMap<number, number>,
    private readonly near: Near,
  ) {}

  /** 0 for an event that has nothing to do with it, and for the one that all are to be like. */
  of(event: number): number {
    const { events, venues } = this.index;
    if (event === this.liking.event) return 0;
    const { sharedPerformers, boughtTogether, genres } = this.tiesOfPerformers(events.performers[event] ?? []);
    const kinds = known(this.kinds, events.taxonomySet.get(event), (set) => {
      const own = kindsOf(this.index, events.taxonomySets.texts[set]);
      return Math.max(0, ...this.liking.kinds.map((liked) => likeness(liked, own)));
    });
    const near = known(this.nearness, events.venue.get(event), (venue) =>
      nearness(venues.metresFrom(this.near, venue), this.near.rangeMetres),
    );
    return scoreOf({ sharedPerformers, boughtTogether, genres, kinds }, near);
  }

  private tiesOfPerformers(parts: readonly number[]) {
    let [sharedPerformers, boughtTogether, genres] = [0, 0, 0];
    for (const part of parts) {
      const performer = part >>> 3;
      if (this.liking.performers.has(performer)) sharedPerformers++;
      else boughtTogether = Math.max(boughtTogether, this.boughtTogether.get(performer) ?? 0);
      if (this.index.performers.isPresent(performer)) genres = Math.max(genres, this.genresOf(performer));
    }
    return { sharedPerformers, boughtTogether, genres };
  }

  private genresOf(performer: number): number {
    return known(this.genres, this.index.performers.genreSet.get(performer), (set) => {
      const own = genresOf(this.index, set);
      return Math.max(0, ...this.liking.genres.map((liked) => likeness(liked, own)));
    });
  }
}

function known(values: Map<number, number>, key: number, workOut: (key: number) => number): number {
  let value = values.get(key);
  if (value === undefined) {
    value = workOut(key);
    values.set(key, value);
  }
  return value;
}
