import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { cardBody } from './support/purchase-bodies.js';

describe.skipIf(!chromium)('the rows of a queue', () => {
  let desk: ConsoleStand;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
  });
  afterAll(() => desk?.close());

  /** An order that waits for its broker. */
  async function bought(listing: string, minutes: number): Promise<string> {
    await desk.stand.staff.putListing(listing, {
      quantity: 50,
      confirmation: 'manual',
      confirm_within_minutes: minutes,
    });
    const { product, ...body } = cardBody();
    return await desk.stand.payment.bought({ ...body, ref_id: null, product: { ...product, listing_id: listing } });
  }

  it('stay where they are under the mouse', async () => {
    const [first, second] = [await bought('manual', 30), await bought('manual', 30)];
    await desk.inTab(async (page) => {
      await page.goto('/work');
      const table = page.getByRole('table', { name: 'Orders in To confirm' });
      const row = (id: string) => table.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });
      await row(second).waitFor();
      await row(second).click();
      const place = await row(second).boundingBox();
      // One that is due earlier, and a colleague who takes another one away.
      const urgent = await bought('urgent', 5);
      const news = page.getByRole('button', { name: '1 new order · Show' });
      await news.waitFor();
      await desk.stand.staff.send('POST', `orders/${first}/accept`, {});
      await row(first).getByText('No longer in this list').waitFor();
      expect(await row(second).boundingBox()).toEqual(place);
      expect(await row(urgent).count()).toBe(0);
      expect(await barriersOn(page)).toEqual([]);
      await news.click();
      await row(urgent).waitFor();
      expect(await row(first).count()).toBe(0);
      // The keyboard still acts on the same order.
      await expect.poll(() => row(second).getAttribute('class'), { timeout: 60_000 }).toContain('active');
    });
  });
});
