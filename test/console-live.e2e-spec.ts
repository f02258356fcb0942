import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { type Person, signIn } from './support/console/browser.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { recordShifts, shiftsOn } from './support/console/layout-shifts.js';
import { until } from './support/until.js';

/** The requirement. The quickest of several changes counts, because the machine does other work too. */
const SEEN_WITHIN_MS = 1_000;

/** The list of orders: its views, and what it shows while others work. */
describe.skipIf(!chromium)('the list of orders', () => {
  let desk: ConsoleStand;
  let bob: Person;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    bob = await desk.operator('bob@example.com', 'Bob Martin', 'support');
  });
  afterAll(() => desk?.close());

  const poll = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 60_000 });
  const table = (page: Page) => page.getByRole('table', { name: 'Orders' });
  const orderLink = (page: Page, id: string) => table(page).getByRole('link', { name: id });
  const row = (page: Page, id: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });
  const status = (page: Page) => page.getByLabel('Status', { exact: true });
  const live = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('status');

  it('shows a change to a colleague within a second', async () => {
    const id = await desk.buy();
    const times: number[] = [];
    await desk.inTab(
      async (page) => {
        await page.goto(`/orders/${id}`);
        await poll(() => status(page).innerText()).toBe('Confirmed');
        for (const [code, message] of CHANGES) {
          await desk.stand.staff.changeStatus(id, code);
          const began = performance.now();
          await page.getByLabel('Status', { exact: true }).getByText(message, { exact: true }).waitFor();
          times.push(performance.now() - began);
          if (times.some((ms) => ms < SEEN_WITHIN_MS)) break;
        }
      },
      { as: bob },
    );
    expect(Math.min(...times)).toBeLessThan(SEEN_WITHIN_MS);
  });

  it.each([1280, 390])('stays where it is while a new installation says what it has, %s pixels wide', async (width) => {
    const id = await desk.buy();
    const steps = ['listing', 'purchase'].map((step) => ({ id: step, done: false }));
    const answers: [string, unknown][] = [
      ['sample', { present: true, removed_at: null }],
      ['first-steps', { steps, sandbox: true }],
    ];
    await desk.inTab(
      async (page) => {
        await recordShifts(page);
        await page.addInitScript(`if (self.origin !== 'null') localStorage.removeItem('willcall.first-steps')`);
        const waiting: (() => Promise<void>)[] = [];
        for (const [path, answer] of answers)
          await page.route(`**/backoffice/v1/${path}`, (route) => {
            waiting.push(() => route.fulfill({ json: answer }));
          });
        await page.goto('/orders');
        await orderLink(page, id).waitFor();
        const place = await orderLink(page, id).boundingBox();
        await until(() => waiting.length === answers.length);
        await Promise.all(waiting.map((answerIt) => answerIt()));
        await page.getByRole('region', { name: 'Sample data' }).waitFor();
        await page.getByRole('region', { name: 'Get started' }).waitFor();
        const { total, shifts } = await shiftsOn(page);
        expect(total, JSON.stringify(shifts)).toBeLessThan(0.01);
        expect(await orderLink(page, id).boundingBox()).toEqual(place);
        expect(await barriersOn(page)).toEqual([]);
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      },
      { width },
    );
  });

  it('has one connection for all tabs of a browser, and another tab takes it over', async () => {
    const id = await desk.buy();
    await desk.inTab(async (first) => {
      const context = first.context();
      let connections = 0;
      context.on('request', (request) => {
        if (request.url().includes('/orders/changes/live')) connections += 1;
      });
      await first.goto('/orders');
      await orderLink(first, id).waitFor();
      await until(() => connections === 1);
      const second = await context.newPage();
      await second.goto('/orders');
      await orderLink(second, id).waitFor();
      await desk.stand.staff.changeStatus(id, 2001);
      await row(second, id).getByText('Order Confirmation Email Sent').waitFor();
      await row(first, id).getByText('Order Confirmation Email Sent').waitFor();
      expect(connections).toBe(1);
      await first.close();
      await until(() => connections === 2);
      await desk.stand.staff.changeStatus(id, 2002);
      await row(second, id).getByText('Tickets shipped').waitFor();
    });
  });

  it('draws only the rows of the orders that change, and the cells of no row when one is selected', async () => {
    const ids = [await desk.buyCaptured(), await desk.buyCaptured(), await desk.buyCaptured()];
    const [changed = '', other = ''] = ids;
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      for (const id of ids) await row(page, id).getByRole('link').waitFor();
      await page.evaluate(NOTE_DRAWN_CELLS);
      await desk.stand.staff.changeStatus(changed, 2001);
      await row(page, changed).getByText('Order Confirmation Email Sent').waitFor();
      expect(await page.evaluate(DRAWN_AGAIN)).toEqual([changed]);
      await page.evaluate(NOTE_DRAWN_CELLS);
      await row(page, other).getByRole('checkbox').check();
      await page.getByText('1 selected').waitFor();
      expect(await page.evaluate(DRAWN_AGAIN)).toEqual([]);
    });
  });

  it('leaves what is typed in the search box as it is while the list changes', async () => {
    const id = await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      await orderLink(page, id).waitFor();
      const field = page.getByRole('searchbox', { name: 'Search orders' });
      // Too short to be searched.
      await field.pressSequentially('t');
      await desk.stand.staff.changeStatus(id, 2001);
      await row(page, id).getByText('Order Confirmation Email Sent').waitFor();
      expect(await field.inputValue()).toBe('t');
      const other = await desk.buy();
      // Asks for the list again.
      await page.getByRole('button', { name: /new order/ }).click();
      await orderLink(page, other).waitFor();
      expect(await field.inputValue()).toBe('t');
    });
  });

  it('says since when it hears nothing, and catches up by itself', async () => {
    const id = await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      await orderLink(page, id).waitFor();
      await poll(() => live(page).innerText()).toBe('Live');
      await desk.stand.api().kill();
      await poll(() => live(page).innerText()).toMatch(/^No connection since \d\d:\d\d/);
      await desk.stand.api().start();
      await desk.stand.staff.changeStatus(id, 2001);
      await poll(() => live(page).innerText()).toBe('Live');
      await row(page, id).getByText('Order Confirmation Email Sent').waitFor();
    });
  });

  it('asks for the password over the page when the session was ended elsewhere, and is live again', async () => {
    const id = await desk.buy();
    await desk.inTab(
      async (page) => {
        await signIn(page, bob);
        await page.goto('/orders');
        await orderLink(page, id).waitFor();
        const session = '/backoffice/v1/session';
        const { csrf_token } = (await (await page.request.get(session)).json()) as { csrf_token: string };
        await page.request.delete(session, { headers: { 'x-csrf-token': csrf_token } });
        const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
        await dialog.getByLabel('Password').fill(bob.password);
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.waitFor({ state: 'hidden' });
        await desk.stand.staff.changeStatus(id, 2001);
        await row(page, id).getByText('Order Confirmation Email Sent').waitFor();
        await poll(() => live(page).innerText()).toBe('Live');
      },
      { as: null },
    );
  });

  it('finds and opens by the command palette, and tags several orders, all by the keyboard', async () => {
    const [first, second] = [await desk.buy('by-the-palette'), await desk.buy('also-by-the-palette')];
    const tagsOf = async (id: string) => ((await desk.stand.staff.get(`orders/${id}`)).body as { tags: string[] }).tags;
    await desk.inTab(async (page) => {
      await page.goto('/delivery');
      await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.type('by-the-palette');
      await page.getByRole('option', { name: first }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: first }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('o');
      await orderLink(page, second).waitFor();

      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.keyboard.press('j');
      await page.keyboard.press('X');
      await page.getByText('2 selected').waitFor();
      await page.keyboard.press('t');
      await page.getByRole('dialog', { name: 'Tag 2 orders' }).getByLabel('Tags to add').waitFor();
      await page.keyboard.type('vip, late');
      await page.keyboard.press('Enter');
      await page.getByText('2 orders changed.').waitFor();
      expect([await tagsOf(first), await tagsOf(second)]).toEqual([
        ['vip', 'late'],
        ['vip', 'late'],
      ]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('It is as it was before.').waitFor();
      expect([await tagsOf(first), await tagsOf(second)]).toEqual([[], []]);

      await row(page, first).getByRole('checkbox').check();
      await page.keyboard.press('i');
      await page.getByLabel('Assignee').selectOption('Bob Martin');
      await page.getByRole('button', { name: 'Assign', exact: true }).last().click();
      await page.getByText('1 order changed.').waitFor();
      const { body } = await desk.stand.staff.get(`orders/${first}`);
      expect((body as { assignee_name: string }).assignee_name).toBe('Bob Martin');

      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  });

  it('changes the selected orders by a job, which shows what follows first and its progress afterwards', async () => {
    const ids = [await desk.buy('job-of-two-1'), await desk.buy('job-of-two-2')];
    await desk.inTab(async (page) => {
      await page.goto('/orders?ref_id=starts:job-of-two');
      for (const id of ids) await row(page, id).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Change …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change 2 orders' });
      await dialog.getByLabel('What to do').selectOption('Change the status');
      await dialog.getByLabel('New status').selectOption('2001');
      await dialog.getByRole('button', { name: 'Show what follows' }).click();
      await dialog.getByText('The platform is told about 2 orders.').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Start' }).click();
      await dialog.getByRole('link', { name: 'Show its progress' }).click();
      await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
      await page.getByText('2 of 2').waitFor();
      for (const id of ids)
        await page.getByRole('table', { name: 'Results' }).getByRole('link', { name: id }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
    const { body } = await desk.stand.staff.get(`orders/${ids[0] ?? ''}`);
    expect((body as { status: { status_code: number } }).status.status_code).toBe(2001);
  });

  it('saves what it shows as a view, which a colleague opens by its address', async () => {
    const own = await desk.buy('of-the-view');
    let address = '';
    await desk.inTab(async (page) => {
      await page.goto('/orders?placed_at=gte:-7d&ref_id=of-the-view');
      await orderLink(page, own).waitFor();
      await page.getByRole('button', { name: 'Display' }).click();
      await page.getByRole('checkbox', { name: 'Tags' }).check();
      await page.getByRole('button', { name: 'Move Total up' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Save view' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save view' });
      await dialog.getByRole('button', { name: 'Save view' }).click();
      await dialog.getByText('Give the view a name.').waitFor();
      await dialog.getByLabel('Name').fill('Of the week');
      await dialog.getByLabel(/^Shared/).check();
      await dialog.getByRole('button', { name: 'Save view' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Options of the view Of the week' }).click();
      await page.getByRole('menuitem', { name: 'Copy address' }).click();
      address = await page.evaluate('navigator.clipboard.readText()');
    });
    await desk.buy('another');
    await desk.inTab(
      async (page) => {
        await page.goto(address);
        await page.getByRole('button', { name: 'Placed since 7 days ago' }).waitFor();
        await poll(() => table(page).getByRole('link').count()).toBe(1);
        const headings = await table(page).getByRole('columnheader').allInnerTexts();
        const shown = headings.slice(1).map((text) => text.replace(/ [↑↓]$/, ''));
        expect(shown.join()).toBe('Order,Status,Show,Seats,Total,Buyer,Card,Seller,Placed,Due,Tags');
        // Bob changes the list for himself, not Ada's view.
        await page.getByRole('button', { name: 'Remove the filter Ref id' }).click();
        await page.getByRole('button', { name: 'Options of the view Of the week' }).click();
        expect(await page.getByRole('menuitem', { name: 'Delete …' }).count()).toBe(0);
        await page.getByRole('menuitem', { name: 'Discard changes' }).click();
        await poll(() => table(page).getByRole('link').count()).toBe(1);
      },
      { as: bob },
    );
  });
});

const CHANGES = [
  [2001, 'Order Confirmation Email Sent'],
  [2002, 'Tickets shipped (hard tickets)'],
  [2004, 'Tickets fulfilled - email'],
  [2001, 'Order Confirmation Email Sent'],
  [2002, 'Tickets shipped (hard tickets)'],
  [2004, 'Tickets fulfilled - email'],
] as const;

/** Run in the page. React keeps the properties that it has drawn an element with at the element. */
const CELLS = `const cells = () => new Map([...document.querySelectorAll('[role=row]:has(a)')].map((row) => {
  const cell = row.querySelector('.cell-status');
  const name = Object.keys(cell).find((key) => key.startsWith('__reactProps$'));
  return [row.querySelector('a').title, cell[name]];
}));`;
const NOTE_DRAWN_CELLS = `{ ${CELLS} window.cellsBefore = cells(); }`;
const DRAWN_AGAIN = `{ ${CELLS} [...cells()].flatMap(([id, drawn]) => (window.cellsBefore.get(id) === drawn ? [] : id)); }`;
