import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { CatalogueIndex } from '../search/catalogue-index.js';
import { sortedWindow } from '../search/columns/window.js';
import { EventEngine } from '../search/engine/event-engine.js';
import { IndexedSearch } from '../search/indexed-search.js';
import type { Found } from '../search/paging.js';
import { type RecommendationSearch, Recommendations } from '../search/recommendation-search.js';
import { boughtTogetherWith } from './bought-together.js';
import { likingOf, seededPerformers } from './liking.js';
import { Scorer } from './scorer.js';

type Scored = Readonly<{ id: number; score: number }>;

const NOTHING = { total: 0, documents: [] };

/** Recommends out of the index in memory, with what the same people buy read from the database (docs/recommendations.md). */
@Injectable()
export class IndexedRecommendations extends Recommendations {
  constructor(
    private readonly search: IndexedSearch,
    private readonly pool: Pool,
  ) {
    super();
  }

  async find(asked: RecommendationSearch): Promise<Found> {
    const index = await this.search.current();
    const ids = seededPerformers(index, asked.seed).map((slot) => index.performers.slots.ids[slot] ?? 0);
    const others = await boughtTogetherWith(this.pool, ids);
    const { total, page } = scored(index, asked, others);
    if (page.length === 0) return { ...NOTHING, total };
    const documents = await this.search.eventDocuments(page.map(({ id }) => id));
    const shown = page.flatMap(({ id, score }) => {
      const event = documents.get(id);
      return event === undefined ? [] : [`{"score":${score},"event":${event}}`];
    });
    return { total, documents: shown };
  }
}

/** Nothing is awaited here: the index stays as it is meanwhile. */
function scored(
  index: CatalogueIndex,
  asked: RecommendationSearch,
  boughtTogether: ReadonlyMap<number, number>,
): { total: number; page: readonly Scored[] } {
  const liking = likingOf(index, asked.seed);
  if (!liking) return { total: 0, page: [] };
  const { slots } = index.events;
  const scorer = new Scorer(index, liking, boughtTogether, asked.near);
  const scores = new Float64Array(slots.limit);
  // In the order in which they lie in memory: half the time for many.
  const matching = new EventEngine(index).matching(filtersOf(asked)).sort();
  const candidates = matching.filter((slot) => {
    scores[slot] = scorer.of(slot);
    return scores[slot] > 0;
  });
  const byScore = (a: number, b: number) =>
    (scores[b] ?? 0) - (scores[a] ?? 0) || (slots.ids[a] ?? 0) - (slots.ids[b] ?? 0);
  const from = (asked.page - 1) * asked.perPage;
  const page = sortedWindow(candidates, from, from + asked.perPage, byScore);
  return {
    total: candidates.length,
    page: Array.from(page, (slot) => ({ id: slots.ids[slot] ?? 0, score: scores[slot] ?? 0 })),
  };
}

function filtersOf(asked: RecommendationSearch) {
  const { venueIds, venueSlugs, taxonomyIds, taxonomyNames } = asked;
  const { page, perPage, near, datetimeUtc, datetimeLocal, visibleAt } = asked;
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
