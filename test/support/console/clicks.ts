import type { Page } from 'playwright-core';

/**
 * Runs in the page: counts the clicks of a mouse. Clicks that a key causes have no detail. Those that Playwright tries again, because
 * the row moved, end at the window.
 */
const COUNT_CLICKS = `document.addEventListener('click', ({ isTrusted, detail }) => {
  if (isTrusted && detail > 0) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
}, true);`;

/** Counts from the next page on. */
export const countClicks = (page: Page): Promise<unknown> => page.addInitScript(COUNT_CLICKS);

export async function clicksOn(page: Page): Promise<number> {
  return Number(await page.evaluate('sessionStorage.getItem("clicks")'));
}
