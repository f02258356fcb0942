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

/** Shows the page to somebody with a light or a dark screen, and waits until it rests in these colours. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark', { isConsole = true } = {}): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The public pages follow the media feature; the console follows it a moment later, by a script.
  if (isConsole) await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await untilSettled(page);
}

/**
 * Runs in the page. Spinners turn without an end. Fails after 10 s and says what moves: a page that never rested once used up the whole
 * time of its test.
 */
const RESTS = `new Promise((rests, fails) => {
  const moving = () => [
    ...document.querySelectorAll('.skeleton'),
    ...document
      .getAnimations()
      .filter((each) => each.playState === 'running' && each.effect.getComputedTiming().endTime !== Infinity)
      .map(({ effect }) => effect.target),
  ];
  const look = () => {
    if (moving().length > 0) return again();
    end();
    requestIdleCallback(() => rests(), { timeout: 1_000 });
  };
  let timer;
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(look, 50);
  };
  const changes = new MutationObserver(again);
  const deadline = setTimeout(() => {
    end();
    fails(new Error('The page does not rest: ' + moving().map((each) => each?.outerHTML.slice(0, 80)).join(' ')));
  }, 10_000);
  const end = () => {
    changes.disconnect();
    clearTimeout(timer);
    clearTimeout(deadline);
  };
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  again();
})`;
