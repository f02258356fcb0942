import type { Dialog, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { until } from './support/until.js';

/** Keeps the requests of a kind on their way until `release`. */
async function hold(page: Page, url: RegExp, method: string) {
  const held: string[] = [];
  let resolve: (act: (route: Route) => Promise<void>) => void = () => undefined;
  const outcome = new Promise<(route: Route) => Promise<void>>((released) => (resolve = released));
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return await route.fallback();
    held.push(route.request().url());
    await (
      await outcome
    )(route);
  });
  const release = (act: (route: Route) => Promise<void> = (route) => route.continue()) => resolve(act);
  return { held, arrived: () => until(() => held.length > 0), release };
}

/** By then a second request would have been sent. */
const untilDrawn = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))');

describe.skipIf(!chromium)('a form of the console', () => {
  let desk: ConsoleStand;
  let orders: readonly string[];

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    orders = [await desk.buy('apple'), await desk.buy('pear')];
  });
  afterAll(() => desk?.close());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  const notes = async (id: string) =>
    ((await desk.stand.staff.get(`orders/${id}/notes`)).body as { notes: readonly unknown[] }).notes.length;

  it('sends a note once, however often its keys are pressed, and the next note after it', async () => {
    const [id = ''] = orders;
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      await button(page, 'Add note').click();
      const field = page.getByLabel('Note', { exact: true });
      await field.fill('Called back');
      const posts = await hold(page, /\/notes$/, 'POST');
      for (let count = 0; count < 3; count += 1) await field.press('Control+Enter');
      await posts.arrived();
      await field.press('Control+Enter');
      await untilDrawn(page);
      expect(posts.held).toHaveLength(1);
      posts.release();
      await page.getByText('The note is saved.').waitFor();
      await button(page, 'Add note').click();
      await field.fill('And again');
      await field.press('Control+Enter');
      await page.getByRole('listitem').filter({ hasText: 'And again' }).first().waitFor();
    });
    expect(await notes(id)).toBe(2);
  });

  it('in a dialog sends once for two presses in one turn of the event loop', async () => {
    const [id = ''] = orders;
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      await button(page, 'Ship').click();
      await page.getByLabel('Carrier').fill('UPS');
      await page.getByLabel('Tracking number').fill('1Z999AA10123456784');
      const posts = await hold(page, /\/fulfillment$/, 'POST');
      await page.evaluate(`for (const _ of [1, 2]) document.querySelector('[role=dialog] form').requestSubmit()`);
      await posts.arrived();
      await untilDrawn(page);
      expect(posts.held).toHaveLength(1);
      posts.release((route) => route.abort());
    });
  });

  it('asks before a link, the back button or the tab takes a note away, and keeps it', async () => {
    const [id = ''] = orders;
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      await page
        .getByRole('link', { name: id })
        .or(page.getByText(id.slice(-4)))
        .first()
        .click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await button(page, 'Add note').click();
      const field = page.getByLabel('Note', { exact: true });
      await field.fill('Half a note');
      // Escape folds the form, and it keeps the text.
      await field.press('Escape');
      await page.getByRole('link', { name: 'Queues' }).click();
      await question(page).waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await button(page, 'Keep writing').click();
      await page.goBack();
      await question(page).waitFor();
      await page.keyboard.press('Escape');
      await question(page).waitFor({ state: 'detached' });
      await button(page, 'Add note').click();
      expect([await field.inputValue(), new URL(page.url()).pathname]).toEqual(['Half a note', `/orders/${id}`]);
      // The past has no form for notes, and the way back brings the text.
      await page.getByRole('slider').press('ArrowLeft');
      await button(page, 'Back to now').click();
      expect(await field.inputValue()).toBe('Half a note');
      const asked = new Promise<Dialog>((resolve) => page.once('dialog', resolve));
      await page.reload();
      expect((await asked).type()).toBe('beforeunload');
    });
  });

  it.each([
    ['/listings', 'Add listing', 'Section'],
    ['/settings/webhooks', 'New webhook', 'Description'],
    ['/settings/tokens', 'New token', 'Name'],
    ['/settings/fraud-rules', 'New rule', 'Name'],
    ['/work', 'New queue', 'Name'],
  ])('of %s asks before its dialog is closed with something written', async (path, open, label) => {
    await desk.inTab(async (page) => {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await button(page, open).click();
      const field = page.getByRole('dialog').getByLabel(label, { exact: true });
      const close = () => page.getByRole('dialog').last().getByRole('button', { name: 'Close' }).click();
      await field.waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      await button(page, open).click();
      await field.fill('Half of it');
      for (const leave of [() => field.press('Escape'), close, () => button(page, 'Cancel').click()]) {
        await leave();
        await button(page, 'Keep writing').click();
        await question(page).waitFor({ state: 'detached' });
        expect(await field.inputValue()).toBe('Half of it');
      }
      await field.press('Escape');
      await button(page, 'Discard').click();
      await field.waitFor({ state: 'detached' });
    });
  });

  it('does not ask once it is saved', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/listings');
      await button(page, 'Add listing').click();
      for (const [label, value] of [
        ['Listing id', 'lst-2'],
        ['Show id', '1001'],
        ['Section', '104'],
        ['Row', 'C'],
        ['Tickets for sale', '2'],
        ['Price', '50'],
        ['Fees', '5'],
        ['Wholesale price', '45'],
      ] as const) {
        await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(value);
      }
      await button(page, 'Save').click();
      await page.waitForURL('**/listings/lst-2');
      await page.getByRole('link', { name: 'Orders', exact: true }).click();
      await page.waitForURL('**/orders');
      expect(await question(page).count()).toBe(0);
    });
  });
});

describe.skipIf(!chromium)('a page of the console', () => {
  let desk: ConsoleStand;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    for (const ref of ['apple', 'pear']) await desk.buy(ref);
  });
  afterAll(() => desk?.close());

  it('shows the rows of a search before as old, without their actions, until the answer is there', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      const rows = page.getByRole('table', { name: 'Orders' }).getByRole('rowgroup').last();
      await page.getByText('2 orders, all shown').waitFor();
      const searches = await hold(page, /\/orders\/search$/, 'POST');
      await page.getByRole('searchbox').fill('apple');
      await searches.arrived();
      await page.getByText('What is shown answers the question before').waitFor();
      expect(await rows.getAttribute('aria-busy')).toBe('true');
      expect(await rows.evaluate((element) => 'inert' in element && element.inert)).toBe(true);
      expect(await page.getByText('all shown').count()).toBe(0);
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await untilDrawn(page);
      expect(new URL(page.url()).pathname).toBe('/orders');
      searches.release();
      await page.getByText('1 order, all shown').waitFor();
      expect(await rows.getAttribute('aria-busy')).toBe('false');
    });
  });

  it('shows no row when a search fails', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      await page.getByText('2 orders, all shown').waitFor();
      const searches = await hold(page, /\/orders\/search$/, 'POST');
      await page.getByRole('searchbox').fill('apple');
      await searches.arrived();
      searches.release((route) =>
        route.fulfill({ status: 400, json: { errors: [{ error_code: 40001, message: 'No' }] } }),
      );
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('row').count()).toBe(0);
      expect(await page.getByText('all shown').count()).toBe(0);
    });
  });

  it('says that its file has not come, under its heading, and tries again', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      await page.getByText('2 orders, all shown').waitFor();
      let refused = 0;
      await page.route(/reports-page/, (route) => {
        refused += 1;
        return refused > 3 ? route.continue() : route.fulfill({ status: 408 });
      });
      await page.getByRole('link', { name: 'Reports' }).click();
      await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
      await page.getByText('A file of this page has not arrived.').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await page.getByRole('heading', { name: 'Why orders were refused' }).waitFor();
      expect(refused).toBeGreaterThan(3);
    });
  });
});
