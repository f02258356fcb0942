import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { IndexedSearch } from '../../indexed-search.js';
import type { SearchResult } from '../query/paging.js';
import { type RecommendationSearch, Recommendations } from '../query/recommendation-search.js';
import { boughtTogetherWith } from '../../bought-together.js';
import { seededPerformers } from '../recommendations/profile.js';
import { scoredDocuments } from '../recommendations/scored-documents.js';
import { scoredEvents } from '../recommendations/scored-events.js';
import { TimeSlicer } from '../recommendations/time-slicer.js';

const EMPTY = { total: 0, documents: [] };

/** Scores the events of the in-memory index; purchase co-occurrence comes from the database (docs/recommendations.md). */
@Injectable()
export class IndexedRecommendations extends Recommendations {
  private readonly slicer = new TimeSlicer();

  constructor(
    private readonly search: IndexedSearch,
    private readonly pool: Pool,
  ) {
    super();
  }

  async find(asked: RecommendationSearch): Promise<SearchResult> {
    const index = await this.search.current();
    const ids = seededPerformers(index, asked.seed).map((slot) => index.performers.slots.ids[slot] ?? 0);
    const boughtTogether = await boughtTogetherWith(this.pool, ids);
    const { total, page } = await this.slicer.run((pause) => scoredEvents(index, asked, boughtTogether, pause));
    if (page.length === 0) return { ...EMPTY, total };
    const documents = await this.search.eventDocuments(page.map(({ id }) => id));
    return { total, documents: await this.slicer.run((pause) => scoredDocuments(page, documents, pause)) };
  }
}
