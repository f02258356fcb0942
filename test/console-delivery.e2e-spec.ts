import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { ConsoleStand } from './support/console/console-stand.js';

/** Reports and delivery in a browser. The numbers themselves are tested at the API. */
describe.skipIf(!chromium)('the console', () => {
  let desk: ConsoleStand;
  let rejected: string;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    await desk.buy();
    rejected = await desk.buy();
    await desk.stand.staff.changeStatus(rejected, 3004);
  });

  afterAll(() => desk?.close());

  const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row');

  it('reports what was ordered, and each number leads to its orders', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/reports');
      await page.getByRole('link', { name: 'Orders 2 4 tickets' }).waitFor();
      const chart = page.getByRole('figure', { name: 'Orders by status' });
      await chart.getByText('Show as a table').click();
      expect(await rows(page, 'Orders by status').nth(1).innerText()).toMatch(/\t1\t0\t0\t1$/);
      await rows(page, 'Why orders were refused').getByRole('link', { name: 'Tickets not available' }).click();
      const orders = page.getByRole('table', { name: 'Orders', exact: true });
      await orders.getByRole('link', { name: rejected }).waitFor();
      expect(await orders.getByRole('link').count()).toBe(1);
      expect(page.url()).toContain('status_code=3004');
      await page.goBack();
      await page.getByRole('link', { name: '7 days' }).click();
      await page.getByRole('link', { name: 'Platforms' }).click();
      await rows(page, 'Platforms').nth(1).getByRole('link').first().waitFor();
      expect(page.url()).toMatch(/days=7&by=client/);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV: Platforms' }).click();
      expect(readFileSync(await (await saved).path(), 'utf8')).toMatch(/^client_id,name,orders,total,/);
    });
  });

  it('reports nothing in words, and to a broker only own sellers', async () => {
    const broker = await desk.operator('bo@example.com', 'Bo Broker', 'broker', ['Front Row']);
    await desk.inTab(
      async (page) => {
        await page.goto('/reports');
        await page.getByText('No order was refused in this period.').waitFor();
        await page.getByRole('link', { name: /^Orders 0 0 tickets/ }).waitFor();
      },
      { as: broker },
    );
  });
});
