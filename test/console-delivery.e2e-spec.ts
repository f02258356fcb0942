import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { barriersOn } from './support/console/barriers.js';
import { PNG } from './support/orders/ticket-files.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';

/** Reports and delivery in a browser. The numbers themselves are tested at the API. */
describe.skipIf(!chromium)('the console', () => {
  let desk: ConsoleStand;
  let confirmed: string;
  let rejected: string;

  beforeAll(async () => {
    desk = await ConsoleStand.start({ settings: { FILES_DIR: temporaryFolder('files') } });
    confirmed = await desk.buy();
    rejected = await desk.buy();
    await desk.stand.staff.changeStatus(rejected, 3004);
  });

  afterAll(() => desk?.close());

  const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row');

  it('reports what was ordered, and each number leads to its orders', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/reports');
      await page.getByRole('link', { name: 'Orders 2 4 tickets' }).waitFor();
      await page.getByRole('figure', { name: 'Time to answer a ping' }).waitFor();
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
      expect(readFileSync(await (await saved).path(), 'utf8')).toMatch(/^\uFEFFclient_id,name,orders,total,/);
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

  it('sends its reports by e-mail to whoever asks, and shows the period that the e-mail leads to', async () => {
    const cleo = await desk.operator('cleo@example.com', 'Cleo Viewer', 'viewer');
    const subscriptions = async () =>
      (await desk.stand.pool.query('select schedule from report_subscriptions order by schedule')).rows;
    await desk.inTab(
      async (page) => {
        await page.goto('/reports?from=2026-03-02&to=2026-03-08');
        await page.getByText('2 Mar to 8 Mar').waitFor();
        await page.getByRole('link', { name: /^Orders 0 0 tickets/ }).waitFor();
        await page.getByRole('button', { name: 'By e-mail' }).click();
        const daily = page.getByRole('menuitemcheckbox', { name: 'Every day' });
        await daily.click();
        await until(async () => (await subscriptions()).length === 1);
        await page.getByRole('menuitemcheckbox', { name: 'Every Monday' }).click();
        await page.getByRole('button', { name: 'By e-mail: daily, weekly', includeHidden: true }).waitFor();
        await daily.click();
        await until(async () => (await subscriptions()).length === 1);
        expect(await subscriptions()).toEqual([{ schedule: 'weekly' }]);
        await page.reload();
        await page.getByRole('button', { name: 'By e-mail: weekly' }).waitFor();
        expect(await barriersOn(page)).toEqual([]);
      },
      { as: cleo },
    );
  });

  it('shows what was delivered, sends some parked pings again, and replays an hour after counting it', async () => {
    const { pool, platform } = desk.stand;
    const isDelivered = `select from pings where state = 'delivered'`;
    await until(async () => (await pool.query(isDelivered)).rowCount === 3);
    await pool.query(`update pings set state = 'parked', next_try_at = null where sequence = 1`);
    await desk.inTab(async (page) => {
      await page.goto('/delivery');
      await page.getByRole('figure', { name: 'Attempts' }).getByText('Delivered 3').waitFor();
      await page.getByRole('figure', { name: 'Backlog' }).getByText('Waiting').first().waitFor();
      for (const id of [confirmed, rejected]) {
        await page.getByRole('checkbox', { name: `Select the ping of ${id}` }).check();
      }
      await page.getByRole('button', { name: 'Send 2 selected again' }).click();
      await page.getByText('These 2 pings are sent to the platform again.').waitFor();
      await page.locator('[data-action=apply]').click();
      await page.getByText('2 pings are on their way.').waitFor();
      await until(() => platform.of(confirmed).length === 2 && platform.of(rejected).length === 3);
      await page.getByText('The platform knows the latest status of every order').waitFor();
      await page.getByRole('button', { name: 'New replay' }).click();
      await page.getByRole('button', { name: 'Count' }).click();
      await page.getByText('3 changes would be sent again.').waitFor();
      await page.getByRole('button', { name: 'Start replay' }).click();
      await rows(page, 'Replays').getByText('3 of 3').waitFor();
      await until(() => platform.of(confirmed).length === 3);
    });
  });

  it('lets nobody send who may only look', async () => {
    const viewer = await desk.operator('vi@example.com', 'Vi Viewer', 'viewer');
    await desk.stand.pool.query(`update pings set state = 'parked', next_try_at = null where order_id = $1`, [
      confirmed,
    ]);
    await desk.inTab(
      async (page) => {
        await page.goto('/delivery');
        await page.getByRole('table', { name: 'Parked pings' }).getByRole('link', { name: confirmed }).waitFor();
        await page.getByRole('table', { name: 'Replays' }).waitFor();
        expect(await page.getByRole('button', { name: /send|replay|pause|cancel/i }).count()).toBe(0);
        expect(await page.getByRole('checkbox').count()).toBe(0);
      },
      { as: viewer },
    );
  });

  it('takes tickets as files by keyboard, shows them, and hands them out by a link', async () => {
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${confirmed}`);
      const card = page.getByRole('region', { name: 'Ticket files' });
      await card.getByRole('button', { name: 'Add files' }).press('Enter');
      const dialog = page.getByRole('dialog');
      const png = { name: 'seat-4.png', mimeType: 'image/png', buffer: PNG };
      await dialog.locator('input[type=file]').setInputFiles(png);
      await dialog.getByRole('textbox', { name: 'Seat of seat-4.png' }).fill('4');
      await dialog.getByRole('textbox', { name: 'Barcode of seat-4.png' }).fill('0081');
      expect(await barriersOn(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await card.getByText('PNG · 70 B · Seat 4 · Barcode 0081').waitFor();
      await card.getByRole('button', { name: 'Open seat-4.png' }).press('Enter');
      await expect.poll(() => page.evaluate(`document.querySelector('.ticket-picture')?.naturalWidth`)).toBe(1);
      await page.keyboard.press('Escape');
      await page.getByRole('list', { name: 'Timeline' }).getByText('Ticket opened by staff').waitFor();
      await card.getByRole('button', { name: 'Link: seat-4.png' }).press('Enter');
      await dialog.getByRole('button', { name: 'Make link' }).press('Enter');
      const url = await dialog.getByRole('textbox', { name: 'Address of the link' }).inputValue();
      const answer = await fetch(desk.url + new URL(url).pathname + new URL(url).search);
      expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
      await page.keyboard.press('Escape');
      await card.getByRole('button', { name: 'Remove seat-4.png' }).press('Enter');
      await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
      await card.getByText('No longer handed out since').waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  });
});
