import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { recordShifts, shiftsOn } from './support/console/layout-shifts.js';
import { cardBody } from './support/purchase-bodies.js';
import type { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

/** The page of one order, for those who look for its parts by name: people with a screen reader, and checks. */
describe.skipIf(!chromium)('the page of an order', () => {
  let desk: ConsoleStand;
  let stand: Stand;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    ({ stand } = desk);
  });

  afterAll(() => desk?.close());

  const poll = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 60_000 });

  /** Buys tickets of another listing than `lst-1`. */
  async function bought(listing: string, terms: Parameters<Stand['staff']['putListing']>[1]): Promise<string> {
    await stand.staff.putListing(listing, terms);
    const { product, ...rest } = cardBody();
    return await stand.payment.bought({ ...rest, ref_id: listing, product: { ...product, listing_id: listing } });
  }

  it('has one button for each name of an action, and not another one whose name contains it', async () => {
    const id = await bought('lst-manual', { confirmation: 'manual', confirm_within_minutes: 60 });
    await until(() => stand.platform.of(id).length === 1);
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      await page.getByRole('list', { name: 'Timeline' }).getByText('Ping to the platform').first().waitFor();
      for (const name of ['Confirm', 'Reject', 'Ship', 'Deliver', 'Cancel and refund', 'Send ping again', 'Reveal']) {
        expect(await page.getByRole('button', { name }).count(), name).toBe(1);
      }
    });
  });

  it.each([1280, 390])('moves nothing under the pointer while the rest of it arrives, %i px wide', async (width) => {
    const id = await desk.buy();
    await until(() => stand.platform.of(id).length === 1);
    await until(async () => (await stand.staff.get(`orders/${id}`)).text.includes('"delivered"'));
    await desk.inTab(
      async (page) => {
        await recordShifts(page);
        const order = `/backoffice/v1/orders/${id}`;
        const waiting: { path: string; answer: () => Promise<void> }[] = [];
        // A slow network: all that the page asks for besides the order waits until the order is shown.
        await page.route('**/backoffice/v1/**', async (route) => {
          const { pathname } = new URL(route.request().url());
          if (pathname === order || pathname.endsWith('/session')) return await route.continue();
          waiting.push({ path: pathname, answer: () => route.continue() });
        });
        await page.goto(`/orders/${id}`);
        const button = page.getByRole('button', { name: 'Send ping again' });
        await button.waitFor();
        const place = await button.boundingBox();
        const parts = ['actions', 'tickets', 'mails', 'timeline', 'lst-1'];
        await until(() => parts.every((part) => waiting.some(({ path }) => path.endsWith(part))));
        for (const { path, answer } of waiting) {
          if (path.includes('live')) continue;
          const answered = page.waitForResponse((response) => response.url().includes(path));
          await answer();
          await answered;
          expect((await shiftsOn(page)).total, path).toBeLessThan(0.05);
          expect(await button.boundingBox(), path).toEqual(place);
        }
        await page.getByRole('button', { name: 'Ship', exact: true }).waitFor();
        await page.getByText('Nothing was sent to the buyer from here.').waitFor();
        const { total, shifts } = await shiftsOn(page);
        expect(total, JSON.stringify(shifts)).toBeLessThan(0.05);
        expect(await button.boundingBox()).toEqual(place);
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      },
      { width },
    );
  });

  it('keeps what the timeline shows in the address, whatever the version', async () => {
    const id = await desk.buy();
    await stand.staff.changeStatus(id, 2001);
    await stand.staff.send('POST', `orders/${id}/notes`, { text: 'She called.' });
    await desk.inTab(async (page) => {
      const entries = () => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
      await page.goto(`/orders/${id}`);
      await page.getByRole('link', { name: 'People' }).click();
      await poll(() => entries().count()).toBe(1);
      await entries().getByText('She called.').waitFor();
      await page.reload();
      await poll(() => entries().count()).toBe(1);
      await page.getByRole('slider', { name: 'As of' }).focus();
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL(/version=/);
      expect(page.url()).toContain('timeline=people');
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await poll(() => entries().count()).not.toBe(1);
      expect(page.url()).not.toContain('timeline');
      expect(page.url()).toContain('version=');
    });
  });

  it('takes the note of a broker, who has no choice of who sees it', async () => {
    const id = await bought('lst-acme', { seller: 'Acme' });
    const broker = await desk.operator('broker@example.com', 'Bo Broker', 'broker', ['Acme']);
    await desk.inTab(
      async (page) => {
        await page.goto(`/orders/${id}`);
        await page.getByRole('button', { name: 'Add note' }).click();
        expect(await page.getByRole('checkbox').count()).toBe(0);
        await page.getByLabel('Note', { exact: true }).fill('The seats are together.');
        await page.getByRole('button', { name: 'Save note' }).click();
        await page.getByRole('list', { name: 'Timeline' }).getByText('The seats are together.').waitFor();
      },
      { as: broker },
    );
  });

  it('shows a colleague who has it open too, and tells the one whom a note mentions', async () => {
    const id = await bought('lst-two', {});
    const grace = await desk.operator('grace@example.com', 'Grace Hopper', 'support');
    await desk.inTab(async (first) => {
      await first.goto(`/orders/${id}`);
      await first.getByRole('button', { name: 'Add note' }).click();
      await desk.inTab(
        async (second) => {
          await second.goto(`/orders/${id}`);
          await first.getByText('Grace H. is here').waitFor();
          const note = first.getByLabel('Note', { exact: true });
          await note.pressSequentially('Please call, @gra');
          await first.getByRole('option', { name: 'Grace Hopper' }).waitFor();
          expect(await barriersOn(first)).toEqual([]);
          await note.press('Enter');
          expect(await note.inputValue()).toBe('Please call, @Grace Hopper ');
          await first.getByRole('button', { name: 'Save note' }).click();
          await second.getByRole('link', { name: 'Notices 1 not read' }).click();
          await second.getByRole('list', { name: 'Notices' }).getByRole('link', { name: id }).click();
          await second.getByRole('link', { name: 'Notices', exact: true }).waitFor();
        },
        { as: grace },
      );
    });
  });
});
