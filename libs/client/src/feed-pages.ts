import { jsonIn } from './answer-body.js';
import { Deadline } from './deadline.js';
import type { Dependencies } from './dependencies.js';
import type { Batch, StreamPosition } from './following.js';
import { isPingEntry } from './ping-entry.js';
import { requestError, streamHeaders, StreamInterrupted, type StreamSource, streamUrl } from './stream-source.js';

export type PageOptions = Readonly<{ limit: number; waitSeconds: number }>;

// Time for the network and the page, in addition to the server's wait.
const ANSWER_WITHIN_MS = 15_000;
// A full page has 5,000 entries, some 2 MB.
const PAGE_MAX_BYTES = 32 * 1024 * 1024;
// For a server that does not wait, or when `waitSeconds` is 0.
const IDLE_MS = 1_000;

/** Yields the feed page by page. At its end the server holds each request until there is an entry, at most `waitSeconds`. */
export async function* feedPages(
  source: StreamSource,
  { limit, waitSeconds }: PageOptions,
  dependencies: Dependencies,
  { after: start = 0, epoch: begun }: StreamPosition,
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch, void, undefined> {
  let epoch = begun;
  for (let after = start; ;) {
    const asked = dependencies.now();
    const url = streamUrl(source, 'pings', { after, limit, wait: waitSeconds, ...(epoch !== undefined && { epoch }) });
    const page = await readPage(
      url,
      source,
      dependencies,
      new Deadline(waitSeconds * 1_000 + ANSWER_WITHIN_MS, signal),
    );
    const isIdle = page.next <= after && dependencies.now() - asked < IDLE_MS;
    after = Math.max(after, page.next);
    epoch = page.epoch ?? epoch;
    yield page;
    if (isIdle) await dependencies.sleep(IDLE_MS, signal);
  }
}

async function readPage(
  url: string,
  source: StreamSource,
  dependencies: Dependencies,
  deadline: Deadline,
): Promise<Batch> {
  try {
    const headers = streamHeaders(source, 'application/json');
    const response = await dependencies.fetch(url, { headers, redirect: 'manual', signal: deadline.signal });
    if (response.status !== 200) throw await requestError(response, dependencies);
    const page = (await jsonIn(response, PAGE_MAX_BYTES)) as Record<string, unknown> | null | undefined;
    const { pings: entries, next, epoch } = page ?? {};
    if (Array.isArray(entries) && entries.every(isPingEntry) && typeof next === 'number') {
      return typeof epoch === 'string' ? { entries, next, epoch } : { entries, next };
    }
    throw new StreamInterrupted('the answer is not a page of pings');
  } finally {
    deadline.end();
  }
}
