import type { EventSearch } from '../query/event-search.js';
import type { MatchingIds } from '../engine/event-engine.js';

// Results depend on the clock (past events, today). One second of error is acceptable.
const MAX_AGE_MS = 1_000;
const MAX_ENTRIES = 500;
// A long page costs more memory than it saves time.
const MAX_IDS = 100;

type CachedAnswer = Readonly<{ found: MatchingIds; generation: number; at: number }>;

/** Many clients send the same search at the same time. A change of the catalogue invalidates the cache. */
export class RecentAnswers {
  private readonly answers = new Map<string, CachedAnswer>();

  /** `generation` is that of the index, `now` is in milliseconds. */
  find(search: EventSearch, generation: number, now: number, answer: () => MatchingIds): MatchingIds {
    const visibleAt = search.visibleAt === undefined ? undefined : Math.floor(search.visibleAt / MAX_AGE_MS);
    const key = JSON.stringify({ ...search, visibleAt });
    const cached = this.answers.get(key);
    if (cached && cached.generation === generation && Math.abs(now - cached.at) < MAX_AGE_MS) return cached.found;
    const found = answer();
    if (this.answers.size >= MAX_ENTRIES) this.answers.clear();
    if (found.ids.length <= MAX_IDS) this.answers.set(key, { found, generation, at: now });
    return found;
  }
}
