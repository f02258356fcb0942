import type { EventSearch } from '../query/event-search.js';
import type { FoundIds } from '../engine/event-engine.js';

// What is over, or today, is told by the clock: to the second is near enough.
const GOOD_FOR_MS = 1_000;
const KEPT = 500;
// A long page costs more to keep than it is worth.
const MOST_IDS = 100;

type CachedAnswer = Readonly<{ found: FoundIds; generation: number; at: number }>;

/** Answers of the last second: many ask the same at the same time. None outlives a change of the catalogue. */
export class RecentAnswers {
  private readonly answers = new Map<string, CachedAnswer>();

  /** `generation` is that of the index, `now` in milliseconds. */
  find(search: EventSearch, generation: number, now: number, answer: () => FoundIds): FoundIds {
    const visibleAt = search.visibleAt === undefined ? undefined : Math.floor(search.visibleAt / GOOD_FOR_MS);
    const key = JSON.stringify({ ...search, visibleAt });
    const kept = this.answers.get(key);
    if (kept && kept.generation === generation && Math.abs(now - kept.at) < GOOD_FOR_MS) return kept.found;
    const found = answer();
    if (this.answers.size >= KEPT) this.answers.clear();
    if (found.ids.length <= MOST_IDS) this.answers.set(key, { found, generation, at: now });
    return found;
  }
}
