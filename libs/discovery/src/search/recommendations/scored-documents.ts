import type { WireDocument } from '../query/wire-document.js';
import type { ScoredEvent } from './scored-events.js';
import type { Pause } from './time-slicer.js';

// 100 kB of documents or so, which takes a quarter of a millisecond.
const CHUNK_SIZE = 20;

/** The events of a page as they are sent, each with its score. Those that were deleted meanwhile are left out. */
export async function scoredDocuments(
  page: readonly ScoredEvent[],
  events: ReadonlyMap<number, WireDocument>,
  pause: Pause,
): Promise<WireDocument[]> {
  const documents: WireDocument[] = [];
  for (const [at, { id, score }] of page.entries()) {
    if (at % CHUNK_SIZE === 0) await pause();
    const event = events.get(id);
    if (event) documents.push(event.within(`{"score":${score},"event":`, '}'));
  }
  return documents;
}
