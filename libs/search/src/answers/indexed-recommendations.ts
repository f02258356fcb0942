import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { IndexedSearch } from './indexed-search.js';
import type { Found } from '../query/paging.js';
import { type RecommendationSearch, Recommendations } from '../query/recommendation-search.js';
import { WireDocument } from '../query/wire-document.js';
import { boughtTogetherWith } from '#catalogue/bought-together';
import { seededPerformers } from '../recommendations/profile.js';
import { scoredEvents } from '../recommendations/scored-events.js';
import { TimeSlicer } from '../recommendations/time-slicer.js';

const NOTHING = { total: 0, documents: [] };

/** Recommends out of the index in memory, with what the same people buy read from the database (docs/recommendations.md). */
@Injectable()
export class IndexedRecommendations extends Recommendations {
  private readonly slicer = new TimeSlicer();

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
    const { total, page } = await this.slicer.run((pause) => scoredEvents(index, asked, others, pause));
    if (page.length === 0) return { ...NOTHING, total };
    const documents = await this.search.eventDocuments(page.map(({ id }) => id));
    const shown = page.flatMap(({ id, score }) => {
      const event = documents.get(id);
      return event === undefined ? [] : [WireDocument.of(`{"score":${score},"event":${event.json}}`)];
    });
    return { total, documents: shown };
  }
}
