import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/browser.js';
import { ConsoleStand } from './support/console/console-stand.js';

/** A new page of the console has its line here. */
const PAGES = [
  '/orders',
  '/orders?status=confirmed&placed_at=gte:-7d',
  '/orders?q=nobody',
  '/orders/ord_nobody_has',
  '/delivery',
  '/listings',
  '/listings/lst-1',
  '/events',
  '/events/5512',
  '/settings/operators',
  '/settings/tokens',
  '/settings/audit',
  '/settings/catalogue',
  '/settings/clients',
  '/settings/keys',
  '/settings/webhooks',
  '/settings/projections',
  '/account',
  '/reports',
];

/** People who use a keyboard, a screen reader or strong contrast, as far as axe can tell, in light and in dark. */
describe.skipIf(!chromium)('the console has no barrier that axe knows', () => {
  let desk: ConsoleStand;
  let order: string;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    order = await desk.buy();
  });

  afterAll(() => desk?.close());

  it('on its pages', async () => {
    await desk.inTab(async (page) => {
      for (const path of [...PAGES, `/orders/${order}`]) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await barriersOn(page), path).toEqual([]);
      }
    });
  });

  it('in a dialog', async () => {
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${order}`);
      await page.getByRole('button', { name: 'Ship', exact: true }).click();
      await page.getByRole('button', { name: 'Apply' }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  });

  it('where one signs in', async () => {
    await desk.inTab(
      async (page) => {
        await page.goto('/sign-in');
        await page.getByLabel('Email').waitFor();
        expect(await barriersOn(page)).toEqual([]);
      },
      { as: null },
    );
  });
});
