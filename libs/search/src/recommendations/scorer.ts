import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { Near } from '../query/place.js';
import { genresOf, kindsOf, type Profile } from './profile.js';
import { similarity, nearness, scoreOf } from './score.js';

/** Scores events by what somebody likes. What many events have in common is worked out once, when the first of them comes. */
export class Scorer {
  private readonly kinds: Memoized;
  private readonly genres: Memoized;
  private readonly nearness: Memoized;
  /** By slot of the performer. */
  private readonly isLiked: Uint8Array;
  private readonly boughtTogether: Float64Array;

  constructor(
    private readonly index: CatalogueIndex,
    private readonly profile: Profile,
    /** How much others are bought together with those who are liked, by id of the performer. */
    boughtTogether: ReadonlyMap<number, number>,
    near: Near,
  ) {
    const { events, performers, venues } = index;
    this.kinds = new Memoized(events.taxonomySets.texts.length, (set) => {
      const own = kindsOf(index, events.taxonomySets.texts[set]);
      return Math.max(0, ...profile.kinds.map((liked) => similarity(liked, own)));
    });
    this.genres = new Memoized(performers.slots.limit, (set) => {
      const own = genresOf(index, set);
      return Math.max(0, ...profile.genres.map((liked) => similarity(liked, own)));
    });
    this.nearness = new Memoized(venues.slots.limit, (venue) =>
      nearness(venues.metresFrom(near, venue), near.rangeMetres),
    );
    this.isLiked = new Uint8Array(performers.slots.limit);
    for (const slot of profile.performers) this.isLiked[slot] = 1;
    this.boughtTogether = new Float64Array(performers.slots.limit);
    for (const [id, weight] of boughtTogether) {
      const slot = performers.slots.find(id);
      if (slot !== undefined && this.isLiked[slot] === 0) this.boughtTogether[slot] = weight;
    }
  }

  /** 0 for an event that has nothing to do with it, and for the one that all are to be like. */
  of(event: number): number {
    if (event === this.profile.event) return 0;
    const { events, performers } = this.index;
    const ties = {
      sharedPerformers: 0,
      boughtTogether: 0,
      genres: 0,
      kinds: this.kinds.of(events.taxonomySet.get(event)),
    };
    const parts = events.performers;
    const end = parts.end(event);
    for (let at = parts.start(event); at < end; at++) {
      const performer = parts.at(at) >>> 3;
      ties.sharedPerformers += this.isLiked[performer] ?? 0;
      ties.boughtTogether = Math.max(ties.boughtTogether, this.boughtTogether[performer] ?? 0);
      if (performers.isPresent(performer)) {
        ties.genres = Math.max(ties.genres, this.genres.of(performers.genreSet.get(performer)));
      }
    }
    return scoreOf(ties, this.nearness.of(events.venue.get(event)));
  }
}

/** Numbers by number, each worked out when it is first asked for. */
class Memoized {
  private readonly values: Float64Array;

  constructor(
    size: number,
    private readonly workOut: (key: number) => number,
  ) {
    this.values = new Float64Array(size).fill(Number.NaN);
  }

  of(key: number): number {
    let value = this.values[key] ?? Number.NaN;
    if (Number.isNaN(value)) {
      value = this.workOut(key);
      this.values[key] = value;
    }
    return value;
  }
}
