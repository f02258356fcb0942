import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queue } from '#desk/queue.contract';
import type { OrderDetail } from '#orders/order.contract';
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
      quantity: 200,
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

  it('have their order beside them in a wide window', async () => {
    const ids = [await bought('split', 60), await bought('split', 61)];
    await desk.inTab(
      async (page) => {
        await page.goto('/work');
        const rows = page.getByRole('table', { name: 'Orders in To confirm' }).getByRole('link');
        await rows.first().waitFor();
        const [first = '', next = ''] = await rows.evaluateAll((links) => links.map((one) => one.ariaLabel ?? ''));
        await page.keyboard.press('v');
        const beside = (id: string) => page.getByRole('region', { name: `Order ${id}` });
        await beside(first).getByRole('list', { name: 'Timeline' }).waitFor();
        expect(await barriersOn(page)).toEqual([]);
        await beside(first).getByRole('link', { name: 'Status' }).click();
        const asOf = beside(first).getByRole('slider', { name: 'As of' });
        const latest = await asOf.inputValue();
        await asOf.press('ArrowLeft');
        await expect.poll(() => asOf.inputValue(), { timeout: 60_000 }).not.toBe(latest);
        await page.keyboard.press('j');
        await beside(next).getByRole('heading', { name: next }).waitFor();
        const { pathname, searchParams } = new URL(page.url());
        expect([pathname, searchParams.get('split')]).toEqual(['/work', '1']);
        // What is written beside the list is not lost.
        await beside(next).getByRole('button', { name: 'Add note' }).click();
        await beside(next).getByLabel('Note').fill('Call back.');
        await page
          .getByRole('row')
          .filter({ has: page.getByRole('link', { name: first }) })
          .click();
        await page.getByRole('button', { name: 'Keep writing' }).click();
        await beside(next).getByLabel('Note').waitFor();
        await page.setViewportSize({ width: 1100, height: 800 });
        await beside(next).waitFor({ state: 'detached' });
      },
      { width: 1440 },
    );
    for (const id of ids) await desk.stand.staff.send('POST', `orders/${id}/accept`, {});
  });

  it('are answered by one key each: forty orders by forty keys, the last one when the page goes away', async () => {
    const ids: string[] = [];
    for (const place of Array(40).keys()) ids.push(await bought('keys', 70 + place));
    const statusOf = async (id = '') =>
      ((await desk.stand.staff.get(`orders/${id}`)).body as OrderDetail).status?.status;
    const where = {
      and: [
        { field: 'listing_id', op: '=', value: 'keys' },
        { field: 'status', op: '=', value: 'pending' },
      ],
    };
    const body = { name: 'Keys', where, due: { field: 'placed_at', minutes: 30 } };
    const { id: own } = (await desk.stand.staff.send('POST', 'queues', body)).body as Queue;
    await desk.inTab(async (page) => {
      await page.goto(`/work/${own}`);
      const rows = page.getByRole('table', { name: 'Orders in Keys' }).getByRole('link');
      await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(ids.length);
      const order = await rows.evaluateAll((links) => links.map((one) => one.ariaLabel));
      expect(order).toEqual(ids);
      for (const [pressed] of ids.entries()) {
        await page.keyboard.press('a');
        await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(ids.length - pressed - 1);
      }
      await page.getByText('Nothing waits here.').waitFor();
      expect(await statusOf(ids.at(-1))).toBe('pending');
      await page.goto('/health/live');
    });
    for (const [place, id] of ids.entries())
      await expect.poll(() => statusOf(id), { timeout: 60_000, message: `order ${place + 1}` }).toBe('confirmed');
  });

  it('are selected by keys and with Shift, and changed together', async () => {
    const ids: string[] = [];
    for (const place of Array(4).keys()) ids.push(await bought('chosen', 200 + place));
    const where = { field: 'listing_id', op: '=', value: 'chosen' };
    const body = { name: 'Chosen', where, due: { field: 'placed_at', minutes: 30 } };
    const { id: own } = (await desk.stand.staff.send('POST', 'queues', body)).body as Queue;
    const tagsOf = async (id: string) => ((await desk.stand.staff.get(`orders/${id}`)).body as OrderDetail).tags;
    await desk.inTab(async (page) => {
      await page.goto(`/work/${own}`);
      const box = (id = '') => page.getByRole('checkbox', { name: `Select ${id}`, exact: true });
      await box(ids[3]).waitFor();
      for (const key of ['x', 'j', 'j', 'X']) await page.keyboard.press(key);
      await page.getByText('3 selected').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await page.keyboard.press('t');
      const dialog = page.getByRole('dialog', { name: 'Tag 3 orders' });
      await dialog.getByLabel('Tags to add').fill('called');
      await dialog.locator('[data-action=apply]').click();
      await page.getByText('3 orders changed.').waitFor();
      expect(await Promise.all(ids.map(tagsOf))).toEqual([['called'], ['called'], ['called'], []]);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByText('It is as it was before.').waitFor();
      expect(await Promise.all(ids.map(tagsOf))).toEqual([[], [], [], []]);
      await box(ids[1]).click();
      await box(ids[3]).click({ modifiers: ['Shift'] });
      await page.getByText('3 selected').waitFor();
      // Whoever leaves the queue is no longer among them.
      await desk.stand.staff.send('POST', `orders/${ids[1]}/deny`, { reason: 'denied' });
      await desk.stand.staff.send('PUT', `queues/${own}`, {
        ...body,
        where: { and: [where, { field: 'status', op: '=', value: 'pending' }] },
      });
      await page.getByText('2 selected').waitFor();
      await page.getByRole('checkbox', { name: 'Select all loaded orders' }).check();
      await page.keyboard.press('Escape');
      await page.getByText('selected').waitFor({ state: 'detached' });
    });
  });

  it('take a macro that is made beside them, one alone and several together', async () => {
    const ids: string[] = [];
    for (const place of Array(3).keys()) ids.push(await bought('macro', 300 + place));
    const where = { field: 'listing_id', op: '=', value: 'macro' };
    const body = { name: 'Macro', where, due: { field: 'placed_at', minutes: 30 } };
    const { id: own } = (await desk.stand.staff.send('POST', 'queues', body)).body as Queue;
    const tagsOf = async (id = '') => ((await desk.stand.staff.get(`orders/${id}`)).body as OrderDetail).tags;
    await desk.inTab(async (page) => {
      await page.goto(`/work/${own}`);
      await page.getByRole('button', { name: 'Macros', exact: true }).click();
      await page.getByText('No macros yet.').waitFor();
      await page.getByRole('button', { name: 'New macro' }).click();
      const form = page.getByRole('dialog', { name: 'New macro' });
      await form.getByLabel('Name').fill('Called back');
      await form.getByLabel('Tags to add').fill('called');
      await form.getByLabel('Note', { exact: true }).fill('Called back.');
      await form.getByLabel('Snooze, in minutes').fill('60');
      expect(await barriersOn(page)).toEqual([]);
      await form.getByRole('button', { name: 'Save macro' }).click();
      await page.getByRole('button', { name: 'Change Called back' }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await page.keyboard.press('Escape');
      const box = (id = '') => page.getByRole('checkbox', { name: `Select ${id}`, exact: true });
      await box(ids[1]).check();
      await box(ids[2]).check();
      await page.keyboard.press('m');
      const together = page.getByRole('dialog', { name: 'Apply a macro to 2 orders' });
      await together.getByText('Adds the tag “called”.').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await together.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('2 orders changed.').waitFor();
      // They are snoozed, so they have left the queue.
      await box(ids[1]).waitFor({ state: 'detached' });
      expect(await Promise.all(ids.map(tagsOf))).toEqual([[], ['called'], ['called']]);

      await page.goto(`/orders/${ids[0]}`);
      await page.getByRole('button', { name: 'Macros', exact: true }).waitFor();
      await page.keyboard.press('m');
      await page.getByRole('menuitem', { name: 'Called back' }).waitFor();
      await page.keyboard.press('1');
      const alone = page.getByRole('dialog', { name: 'Apply “Called back”' });
      await alone.getByText('Snoozes the order for 1 h.').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await alone.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('status').getByText('“Called back” is done.').waitFor();
      await page.getByText('Called back.', { exact: true }).first().waitFor();
      expect(await tagsOf(ids[0])).toEqual(['called']);
    });
  });

  it('offer what brings the order on', async () => {
    const id = await desk.buyCaptured();
    await desk.inTab(async (page) => {
      await page.goto('/work/to_ship');
      await page.getByRole('button', { name: `Enter tracking ${id}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Ship' });
      await dialog.getByLabel('Carrier').fill('UPS');
      await dialog.getByLabel('Tracking number').fill('1Z999AA10123456784');
      await dialog.locator('[data-action=apply]').click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: id }).waitFor({ state: 'detached' });
    });
    expect((await desk.stand.staff.get(`orders/${id}`)).body).toMatchObject({ status: { status_code: 2002 } });
  });
});
