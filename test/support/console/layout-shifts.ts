import type { Page } from 'playwright-core';

/** Runs in the page: adds up what moved without a click or a key, and remembers which elements those were. */
const RECORD = `window.layoutShifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    const moved = sources.map(({ node, previousRect, currentRect }) =>
      [node?.nodeName, node?.className, previousRect.y, '->', currentRect.y].join(' '));
    window.layoutShifts.push({ value, moved });
  }
}).observe({ type: 'layout-shift', buffered: true });`;

type Shift = Readonly<{ value: number; moved: readonly string[] }>;

/** Before the page is opened. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(RECORD);
}

/** What has moved since the page was opened. A frame has to be drawn before the last of it is known. */
export async function shiftsOn(page: Page): Promise<Readonly<{ total: number; shifts: readonly Shift[] }>> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
  const shifts = (await page.evaluate('window.layoutShifts')) as Shift[];
  return { total: shifts.reduce((sum, { value }) => sum + value, 0), shifts };
}
