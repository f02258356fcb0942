import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobList } from '#desk/job.contract';
import type { OrderDetail } from '#orders/order.contract';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import type { Person } from './support/console/browser.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { PDF } from './support/orders/ticket-files.js';

describe.skipIf(!chromium)('work on many orders in the console', () => {
  let desk: ConsoleStand;
  let grace: Person;
  let orders: readonly string[];
  let third: string;
  const event = '5512';

  beforeAll(async () => {
    desk = await ConsoleStand.start({ settings: { APPROVAL_FROM_ORDERS: '5' } });
    grace = await desk.operator('grace@example.com', 'Grace Hopper', 'administrator');
    const { staff } = desk.stand;
    const venue = { id: 3, name: 'Pier Nine Hall', city: 'Boston', state: 'MA', country: 'US' };
    const dome = await staff.send('PUT', 'catalogue/venues/7', {
      name: 'Dome',
      city: 'Chicago',
      state: 'IL',
      country: 'US',
    });
    const put = await staff.send('PUT', `catalogue/events/${event}`, {
      title: 'Moth Light',
      datetime_local: '2031-05-02T20:00:00',
      datetime_utc: '2031-05-03T00:00:00',
      venue,
    });
    expect([dome.status, put.status]).toEqual([200, 200]);
    orders = [await desk.buy(), await desk.buy()];
  });
  afterAll(() => desk?.close());

  const order = async (id: string) => (await desk.stand.staff.get(`orders/${id}`)).body as OrderDetail;
  const shownEvent = async () => (await desk.stand.staff.get(`catalogue/events/${event}`)).body;
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();

  it('postpones a show and moves it, after what follows was shown; its page has the progress', async () => {
    await desk.inTab(async (page) => {
      await page.goto(`/events/${event}`);
      await press(page, 'Postpone');
      expect(await page.getByRole('button', { name: 'Show what follows' }).isDisabled()).toBe(true);
      await page.getByLabel('New date and time').fill('2031-06-07T19:30');
      await press(page, 'Show what follows');
      await page.getByText('2 orders get a note that the broker sees.').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      expect(await shownEvent()).toMatchObject({ datetime_local: '2031-05-02T20:00:00' });
      await press(page, 'Postpone show');
      await page.getByText('The job has begun.').waitFor();
      await page.keyboard.press('Escape');
      const run = page.getByRole('row').filter({ hasText: 'Postpone the show' });
      await run.getByText('2 of 2').waitFor();
      await page.getByText('Sat, 7 Jun 2031, 19:30 by the clock of the venue').waitFor();

      await press(page, 'Move');
      await page.getByLabel('New venue').fill('chic');
      await page.getByRole('radio', { name: 'Dome' }).check();
      await press(page, 'Show what follows');
      await page.getByText('no money moves', { exact: false }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await press(page, 'Move show');
      await page.getByRole('link', { name: 'Show its progress' }).click();
      await page.getByText('Results of “Move the show”').waitFor();
      await page.getByRole('table', { name: 'Results' }).getByText('Done').nth(1).waitFor();
    });
    expect(await shownEvent()).toMatchObject({ venue: { id: 7 }, datetime_local: '2031-06-07T19:30:00' });
  });

  it('changes all orders that a filter finds, when a second person has agreed', async () => {
    third = await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto(`/orders?event_id=${event}`);
      await page
        .getByRole('checkbox', { name: /^Select/ })
        .nth(1)
        .check();
      await press(page, 'Change all that match …');
      await page.getByText('Change all 3 orders of this search').waitFor();
      await page.getByLabel('What to do').selectOption('tag');
      await page.getByLabel('Tags to add').fill('moved');
      await press(page, 'Show what follows');
      await page.getByText('It begins when another person has approved it.').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await press(page, 'Start');
      await page.getByRole('link', { name: 'Show its progress' }).click();
      await page.getByText('You began it: another person has to approve it.').waitFor();
    });
    expect((await order(third)).tags).toEqual([]);
    await desk.inTab(
      async (page) => {
        await page.goto('/jobs');
        // Whoever approves has to know what.
        await page.getByText('+ moved · orders of a search').waitFor();
        await press(page, 'Approve: Tag');
        const dialog = page.getByRole('dialog', { name: 'Approve: Tag?' });
        await dialog.getByText('3 orders in all.').waitFor();
        await dialog.getByText('The platform is not told.').waitFor();
        await dialog.getByText('Ada Lovelace asked for it').waitFor();
        expect(await barriersOn(page)).toEqual([]);
        expect((await order(third)).tags).toEqual([]);
        await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
        await page.getByText('Approved by Grace Hopper').waitFor();
        await page.getByRole('row').filter({ hasText: 'Approved by' }).getByText('3 of 3').waitFor();
      },
      { as: grace },
    );
    for (const id of [...orders, third]) expect((await order(id)).tags).toEqual(['moved']);
  });

  it('is declined by whoever was to approve it, who sees the show and the money', async () => {
    const { staff } = desk.stand;
    await desk.inTab(async (page) => {
      await page.goto(`/events/${event}`);
      await press(page, 'Cancel show');
      await press(page, 'Show what follows');
      await page.getByText('It begins when another person has approved it.').waitFor();
      await press(page, 'Cancel show');
      await page.getByText('It begins when another person has approved it.').waitFor();
    });
    await desk.inTab(
      async (page) => {
        await page.goto('/jobs');
        const row = page.getByRole('row').filter({ hasText: 'Cancel the show' });
        await row.getByText('Moth Light', { exact: false }).waitFor();
        await row.getByText('3 orders').waitFor();
        expect(await row.getByRole('button', { name: /^Cancel/ }).count()).toBe(0);
        await press(page, 'Approve: Cancel the show');
        const dialog = page.getByRole('dialog', { name: 'Approve: Cancel the show?' });
        await dialog.getByText('Moth Light', { exact: false }).waitFor();
        await dialog.getByText('The platform is told about 3 orders.').waitFor();
        await dialog.getByText(/^\$[\d,.]+ is given back\.$/).waitFor();
        await dialog.getByRole('button', { name: 'Decline' }).click();
        await row.getByText('Cancelled').waitFor();
        expect(await row.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
      },
      { as: grace },
    );
    const { jobs } = (await staff.get(`jobs?event_id=${event}&limit=1`)).body as JobList;
    expect(jobs).toMatchObject([{ kind: 'cancel_event', state: 'cancelled', done: 0 }]);
  });

  it('is taken back only after a question, and not called done if all was refused', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/jobs');
      await press(page, 'Undo: Tag');
      const dialog = page.getByRole('dialog', { name: 'Undo: Tag?' });
      await dialog.getByText('3 orders in all.').waitFor();
      // Nothing happens until somebody says so.
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      for (const id of orders) expect((await order(id)).tags).toEqual(['moved']);
      await press(page, 'Undo: Tag');
      await dialog.getByText('3 orders in all.').waitFor();
      for (const id of [...orders, third])
        await desk.stand.staff.send('PUT', `orders/${id}/tags`, ['moved', 'by hand']);
      await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
      const row = page.getByRole('row').filter({ hasText: 'Undo: Tag' });
      await row.getByText('You began it: another person has to approve it.').waitFor();
    });
    await desk.inTab(
      async (page) => {
        await page.goto('/jobs');
        await press(page, 'Approve: Tag');
        const dialog = page.getByRole('dialog', { name: 'Approve: Tag?' });
        await dialog.getByText('0 of 3 orders.').waitFor();
        await dialog.getByText('Somebody has changed it since.').waitFor();
        await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
        const row = page.getByRole('row').filter({ hasText: 'Undo: Tag' });
        await row.getByText('All refused').waitFor();
        await row.getByText('0 of 3').waitFor();
      },
      { as: grace },
    );
  });

  it('shows an e-mail before it is sent, and sends it again', async () => {
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${orders[0]}`);
      for (const count of [1, 2]) {
        await press(page, 'Send e-mail');
        const preview = page.getByRole('region', { name: 'Preview' });
        await preview.getByText('your order is confirmed').waitFor();
        expect(await preview.innerText()).not.toContain('Lovelace');
        if (count === 1) expect(await barriersOn(page)).toEqual([]);
        await press(page, 'Send');
        await page.getByText('The e-mail is on its way.').waitFor();
        await page
          .getByText('Order confirmation', { exact: true })
          .nth(count - 1)
          .waitFor();
      }
    });
  });

  it('says which tickets have no file before they are sent by e-mail', async () => {
    const [, id] = orders;
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      const dialog = page.getByRole('dialog');
      const send = dialog.getByRole('button', { name: 'Send', exact: true });
      const preview = dialog.getByRole('region', { name: 'Preview' });
      const choose = async () => {
        await press(page, 'Send e-mail');
        await preview.waitFor();
        await dialog.getByLabel('What to send').selectOption('tickets');
      };
      await choose();
      await dialog.getByText('None of the 2 tickets has a file.').waitFor();
      expect([await send.isDisabled(), await dialog.getByRole('alert').count()]).toEqual([true, 0]);
      expect(await barriersOn(page)).toEqual([]);
      await dialog.getByLabel('What to send').selectOption('confirmation');
      await preview.waitFor();
      expect(await send.isDisabled()).toBe(false);
      await press(page, 'Cancel');
      await press(page, 'Add files');
      const file = { name: 'seat-5.pdf', mimeType: 'application/pdf', buffer: PDF };
      await page.locator('input[type=file]').setInputFiles(file);
      await dialog.getByLabel('Seat of seat-5.pdf').fill('5');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('1 file added.').waitFor();
      await choose();
      await dialog.getByText('There is 1 file for 2 tickets, with seat 5.').waitFor();
      await preview.getByText('Seat 5').waitFor();
      expect(await send.isDisabled()).toBe(false);
      await send.click();
      await page.getByText('The e-mail is on its way.').waitFor();
    });
  });

  it('exports the orders, and refuses a file with a wrong line before an import', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      await press(page, 'Export');
      await page.getByRole('radio', { name: /NDJSON/ }).check();
      expect(await barriersOn(page)).toEqual([]);
      await press(page, 'Start');
      await page.getByText('Done: 3 orders').waitFor();
      expect(await page.getByRole('link', { name: /^Download/ }).getAttribute('href')).toContain('/downloads/job_');
      expect(await barriersOn(page)).toEqual([]);
      await press(page, 'Close');
      await press(page, 'Import');
      const file = { name: 'orders.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from('{"id": 1}\n') };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('0 orders can be imported, 1 line is refused.').waitFor();
      const problems = page.getByRole('table', { name: 'Problems' });
      await problems.getByText('ord_ and 32 hexadecimal digits.').waitFor();
      await problems.getByText('{"id": 1}').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      const saved = async (link: string) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: link }).click(),
        ]);
        return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
      };
      const faulty = await saved('Save these lines as a file');
      expect([faulty.name, faulty.content.toString()]).toEqual(['faulty-orders.ndjson', '{"id": 1}\r\n']);
      const { content } = await saved('Begin with a template.');
      await page.locator('input[type=file]').setInputFiles({ ...file, buffer: content });
      await page.getByText('1 order can be imported, 0 lines are refused.').waitFor();
    });
  });
});
