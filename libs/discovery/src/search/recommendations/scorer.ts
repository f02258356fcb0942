import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { Near } from '../query/place.js';
import { genresOf, kindsOf, type Profile } from './profile.js';
import { similarity, nearness, scoreOf } from './score.js';

/** Values that many events share are computed once. */
export class Scorer {
  private readonly kinds: Memoized;
  private readonly genres: Memoized;
  private readonly nearness: Memoized;
  private readonly isSeed: Uint8Array;
  private readonly boughtTogether: Float64Array;

  constructor(
    private readonly index: CatalogueIndex,
    private readonly profile: Profile,
    /** By performer id: how often the same people buy tickets for it and for a seed performer. */
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
    this.isSeed = new Uint8Array(performers.slots.limit);
    for (const slot of profile.performers) this.isSeed[slot] = 1;
    this.boughtTogether = new Float64Array(performers.slots.limit);
    for (const [id, weight] of boughtTogether) {
      const slot = performers.slots.find(id);
      if (slot !== undefined && this.isSeed[slot] === 0) this.boughtTogether[slot] = weight;
    }
  }

  /** 0 for the seed event and for an event that shares nothing with the profile. */
  score(event: number): number {
    if (event === this.profile.event) return 0;
    const { events, performers } = this.index;
    const features = {
      sharedPerformers: 0,
      boughtTogether: 0,
      genres: 0,
      kinds: this.kinds.get(events.taxonomySet.get(event)),
    };
    const performerLinks = events.performers;
    const end = performerLinks.end(event);
    for (let at = performerLinks.start(event); at < end; at++) {
      const performer = performerLinks.at(at) >>> 3;
      features.sharedPerformers += this.isSeed[performer] ?? 0;
      features.boughtTogether = Math.max(features.boughtTogether, this.boughtTogether[performer] ?? 0);
      if (performers.isPresent(performer)) {
        features.genres = Math.max(features.genres, this.genres.get(performers.genreSet.get(performer)));
      }
    }
    return scoreOf(features, this.nearness.get(events.venue.get(event)));
  }
}

class Memoized {
  private readonly values: Float64Array;

  constructor(
    size: number,
    private readonly compute: (key: number) => number,
  ) {
    this.values = new Float64Array(size).fill(Number.NaN);
  }

  get(key: number): number {
    let value = this.values[key] ?? Number.NaN;
    if (Number.isNaN(value)) {
      value = this.compute(key);
      this.values[key] = value;
    }
    return value;
  }
}
