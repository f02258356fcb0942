import type { BrowserContext, Page, Request } from 'playwright-core';
import { until } from '../until.js';

/** The requests of each page that are not answered yet. */
const waiting = new WeakMap<Page, Set<Request>>();

/** Follows what the pages of a new window ask for. The live changes come in a response without an end, so that one does not count. */
export function followRequests(context: BrowserContext): void {
  context.on('page', (page) => {
    const requests = new Set<Request>();
    waiting.set(page, requests);
    page.on('request', (request) => request.resourceType() !== 'eventsource' && requests.add(request));
    page.on('requestfinished', (request) => requests.delete(request));
    page.on('requestfailed', (request) => requests.delete(request));
  });
}

/** Waits until the page has all its data and shows them: no open request, no placeholder, no motion, and no change for a moment. */
export async function untilSettled(page: Page): Promise<void> {
  const requests = waiting.get(page);
  if (!requests) throw new Error('The window of this page was not opened by openWindow.');
  await until(async () => {
    await page.evaluate(RESTS);
    // Looked at last, because what has arrived meanwhile may have asked for more. An answer that no script reads stays open.
    if (requests.size > 0) throw new Error(`Open requests: ${[...requests].map((each) => each.url()).join(' ')}`);
    return true;
  });
}

/** Runs in the page. Spinners turn without an end. */
const RESTS = `new Promise((rests) => {
  const isMoving = () =>
    document.querySelector('.skeleton') !== null ||
    document.getAnimations().some((each) => each.playState === 'running' && each.effect.getComputedTiming().endTime !== Infinity);
  const look = () => {
    if (isMoving()) return again();
    changes.disconnect();
    requestIdleCallback(() => rests());
  };
  let timer;
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(look, 50);
  };
  const changes = new MutationObserver(again);
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  again();
})`;
