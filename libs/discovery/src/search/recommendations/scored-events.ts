import type { CatalogueIndex } from '../columns/catalogue-index.js';
import { sortedWindow } from '../columns/window.js';
import { EventEngine } from '../engine/event-engine.js';
import type { RecommendationSearch } from '../query/recommendation-search.js';
import { profileOf } from './profile.js';
import { Scorer } from './scorer.js';
import type { Pause } from './time-slicer.js';

export type ScoredEvent = Readonly<{ id: number; score: number }>;

// About a quarter of a millisecond of work.
const CHUNK_SIZE = 1_024;

/**
 * Returns one page, the best first. The index may change during a pause: an event counts as it is when the loop reaches it, and an event
 * that is added meanwhile does not count.
 */
export async function scoredEvents(
  index: CatalogueIndex,
  search: RecommendationSearch,
  boughtTogether: ReadonlyMap<number, number>,
  pause: Pause,
): Promise<{ total: number; page: readonly ScoredEvent[] }> {
  const profile = profileOf(index, search.seed);
  if (!profile) return { total: 0, page: [] };
  const scorer = new Scorer(index, profile, boughtTogether, search.near);
  const { slots } = index.events;
  const matching = maskOf(new EventEngine(index).matching(filtersOf(search)), slots.limit);
  const ids = slots.ids.slice(0, slots.limit);
  const scores = new Float64Array(ids.length);
  const candidates = new Uint32Array(ids.length);
  let total = 0;
  // Memory order: twice as fast when there are many.
  for (let slot = 0; slot < ids.length; slot++) {
    if (slot % CHUNK_SIZE === 0) await pause();
    // The slot of a removed event may have been reused.
    if (matching[slot] !== 1 || slots.ids[slot] !== ids[slot]) continue;
    const score = scorer.score(slot);
    if (score === 0) continue;
    scores[slot] = score;
    candidates[total++] = slot;
  }
  await pause();
  const byScore = (a: number, b: number) => (scores[b] ?? 0) - (scores[a] ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0);
  const from = (search.page - 1) * search.perPage;
  const page = sortedWindow(candidates.subarray(0, total), from, from + search.perPage, byScore);
  return { total, page: Array.from(page, (slot) => ({ id: ids[slot] ?? 0, score: scores[slot] ?? 0 })) };
}

function maskOf(slots: Uint32Array, limit: number): Uint8Array {
  const mask = new Uint8Array(limit);
  for (const slot of slots) mask[slot] = 1;
  return mask;
}

function filtersOf(search: RecommendationSearch) {
  const { venueIds, venueSlugs, taxonomyIds, taxonomyNames } = search;
  const { page, perPage, near, datetimeUtc, datetimeLocal, visibleAt } = search;
  return {
    page,
    perPage,
    near,
    datetimeUtc,
    datetimeLocal,
    visibleAt,
    venue: venueIds || venueSlugs ? { ids: venueIds, slugs: venueSlugs } : undefined,
    taxonomies: taxonomyIds || taxonomyNames ? { ids: taxonomyIds, names: taxonomyNames } : undefined,
  };
}
