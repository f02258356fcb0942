import type { CatalogueIndex } from '../columns/catalogue-index.js';
import type { Seed } from '../query/recommendation-search.js';
import type { Weights } from './score.js';

export type Profile = Readonly<{
  performers: ReadonlySet<number>;
  /** Weighted taxonomies: one map for each performer, or one for the event. */
  kinds: readonly Weights<number>[];
  genres: readonly Weights<string>[];
  event: number | undefined;
}>;

/** Undefined for an unknown seed. Unknown performers among several are ignored. */
export function profileOf(index: CatalogueIndex, seed: Seed): Profile | undefined {
  const { events, performers: table } = index;
  const event = 'eventId' in seed ? events.slots.find(seed.eventId) : undefined;
  const performers = seededPerformers(index, seed);
  if (event === undefined && performers.length === 0) return undefined;
  const sets =
    event === undefined
      ? performers.map((slot) => table.taxonomySets.texts[table.taxonomySet.get(slot)])
      : [events.taxonomySets.texts[events.taxonomySet.get(event)]];
  return {
    performers: new Set(performers),
    kinds: Array.from(new Set(sets), (ids) => kindsOf(index, ids)),
    genres: Array.from(new Set(performers.map((slot) => table.genreSet.get(slot))), (set) => genresOf(index, set)),
    event,
  };
}

export function seededPerformers({ events, performers }: CatalogueIndex, seed: Seed): number[] {
  const slots =
    'eventId' in seed
      ? Array.from(events.performers.get(events.slots.find(seed.eventId) ?? -1), (part) => part >>> 3)
      : seed.performerIds.map((id) => performers.slots.find(id) ?? -1);
  return slots.filter((slot) => slot >= 0 && performers.isPresent(slot));
}

/** Taxonomies with all ancestors. Each weighs twice as much as its parent, because it is more specific. */
export function kindsOf({ taxonomies }: CatalogueIndex, ids = ''): Weights<number> {
  const own = ids === '' ? [] : ids.split(',').map(Number);
  const ancestors = taxonomies.withAncestors(own);
  return new Map(Array.from(ancestors, (id) => [id, 2 ** (taxonomies.withAncestors([id]).size - 1)]));
}

/** The primary genre weighs as much as two others. */
export function genresOf({ performers }: CatalogueIndex, set: number): Weights<string> {
  const { all, primary } = performers.genresOfSet(set);
  return new Map(all.map((slug) => [slug, primary.includes(slug) ? 2 : 1]));
}
