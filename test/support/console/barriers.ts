import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { showIn, untilSettled } from './settled-page.js';

const require = createRequire(import.meta.url);
const AXE = readFileSync(createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');

/** Experimental in axe, and so off by default: what a control shows must be in its name, or nobody can call it by what they see. */
const ALSO = { 'label-content-name-mismatch': { enabled: true } };

/** What axe finds wrong with the page once it rests, in light and in dark: `rule: element`. Ends in light. */
export async function barriersOn(page: Page, { isConsole = true } = {}): Promise<string[]> {
  await untilSettled(page);
  await loadAxe(page);
  const light = await violations(axeFor(page));
  await showIn(page, 'dark', { isConsole });
  // The other rules do not depend on colours.
  const dark = await violations(axeFor(page).withRules(['color-contrast']));
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((text) => `in dark, ${text}`)];
}

/** The builder would evaluate the whole of axe twice for each analysis, which takes longer than the analysis. */
async function loadAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(AXE);
  }
}

// Its other mode opens one more page for each analysis. Describing the elements without violations takes longer than finding the others.
const axeFor = (page: Page) =>
  new AxeBuilder({ page, axeSource: 'undefined' })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: ALSO });

async function violations(axe: AxeBuilder): Promise<string[]> {
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
