import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listingBody } from './support/listing-body.js';
import { chromium } from './support/chromium.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { barriersOn } from './support/console/barriers.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe.skipIf(!chromium)('the pages of listings and events', () => {
  let desk: ConsoleStand;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    const { staff } = desk.stand;
    const event = { title: `Moth Light ${HOSTILE}`, type: 'concert', datetime_local: '2031-05-02T20:00:00' };
    const venue = { id: 3, name: 'Pier Nine Hall', city: 'Boston', state: 'MA', country: 'US' };
    const put = await staff.send('PUT', 'catalogue/events/5512', {
      ...event,
      datetime_utc: '2031-05-03T00:00:00',
      venue,
      performers: [{ id: 4, name: 'Moth Light' }],
    });
    expect(put.status, put.text).toBe(200);
    await desk.buy();
  });
  afterAll(() => desk.close());

  it('changes a listing: a wrong field is named and nothing typed is lost; sold tickets stay sold', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/listings?q=lst-1');
      await page.getByRole('link', { name: 'lst-1' }).click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Price', { exact: true }).fill('much');
      await page.getByLabel('Notes').fill(HOSTILE);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('An amount such as 49.50').waitFor();
      expect(await page.getByLabel('Notes').inputValue()).toBe(HOSTILE);
      await desk.buy();
      await page.getByLabel('Price', { exact: true }).fill('120.5');
      await page.getByRole('button', { name: 'Add a place: Tax rates by place' }).click();
      await page.getByLabel('Tax rates by place: place 2').fill('ca-on');
      await page.getByLabel('Tax rates by place: % of place 2').fill('13');
      await page.getByLabel('Costs by place of Ship: Cost of place 2').fill('some');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Each delivery needs a name and an amount').waitFor();
      await page.getByLabel('Costs by place of Ship: Cost of place 2').fill('31.25');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('$120.50').waitFor();
      await page.getByText(HOSTILE, { exact: true }).waitFor();
      const { body } = await desk.stand.staff.get('listings/lst-1');
      expect(body).toMatchObject({ price: 120.5, notes: HOSTILE, quantity: 996, held: 4 });
      expect(body).toHaveProperty('tax_rates', { 'US-NY': 0.08875, 'CA-ON': 0.13 });
      expect(body).toHaveProperty('delivery_methods.0.costs', { US: 15.07, CA: 31.25, 'CA-QC': 32.5 });
      await page.getByText('5%, US-NY 8.875%, CA-ON 13%').waitFor();
    });
  });

  it('takes a listing off sale, and puts it on sale again', async () => {
    await desk.stand.staff.putListing('lst-2', { quantity: 3 });
    await desk.inTab(async (page) => {
      await page.goto('/listings/lst-2');
      await page.getByRole('button', { name: 'Withdraw' }).click();
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('Withdrawn').waitFor();
      await page.getByRole('button', { name: 'Put on sale' }).click();
      await page.getByText('On sale').waitFor();
    });
  });

  it('adds a listing', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/listings');
      await page.getByRole('button', { name: 'Add listing' }).click();
      for (const [label, text] of [
        ['Listing id', 'Block A: 12'],
        ['Event id', '5512'],
        ['Section', 'A'],
        ['Row', '12'],
        ['Tickets for sale', '4'],
        ['Price', '50'],
        ['Fees', '5'],
        ['Wholesale price', '45'],
      ] as const) {
        await page.getByLabel(label, { exact: true }).fill(text);
      }
      expect(await barriersOn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { level: 1, name: 'Block A: 12' }).waitFor();
    });
  });

  it('imports a file after a preview that names the lines at fault', async () => {
    const line = (id: string, change: object = {}) => JSON.stringify({ listing_id: id, ...listingBody(), ...change });
    const lines = [line('imp-1'), line('imp-2', { price: -1 }), '{', line('lst-2')].join('\n');
    await desk.inTab(async (page) => {
      await page.goto('/listings');
      await page.getByRole('button', { name: 'Import' }).click();
      const file = { name: 'listings.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('2 lines can be imported: 1 new, 1 replacing a listing.').waitFor();
      expect(await linesAtFault(page)).toEqual(['2', '3']);
      expect((await desk.stand.staff.get('listings/imp-1')).status).toBe(404);
      await page.getByRole('button', { name: 'Import 2 lines' }).click();
      await page.getByText('2 lines imported.').waitFor();
      expect((await desk.stand.staff.get('listings/imp-1')).status).toBe(200);
    });
  });

  it('finds an event, and leads to its orders', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/events');
      const field = page.getByRole('searchbox', { name: 'Search events' });
      await field.waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('pier');
      await page.waitForURL(/q=pier$/);
      await field.fill('pier nine');
      await page.waitForURL(/q=pier(%20|\+)nine$/);
      await page.goBack();
      await expect.poll(() => field.inputValue()).toBe('pier');
      await field.fill('pier nine');
      await page.getByRole('link', { name: `Moth Light ${HOSTILE}` }).click();
      await page.getByRole('heading', { level: 1, name: 'Moth Light' }).waitFor();
      await page.getByText('20:00').waitFor();
      await page.getByRole('link', { name: 'Orders of this event', exact: true }).click();
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().waitFor();
      expect(new URL(page.url()).searchParams.get('event_id')).toBe('5512');
      await page.goto('/events?q=no-such-event');
      await page.getByText('No events').waitFor();
    });
  });

  it('shows a viewer no way to change anything', async () => {
    const viewer = await desk.operator('viewer@example.com', 'Vera Viewer', 'viewer');
    await desk.inTab(
      async (page) => {
        await page.goto('/listings/lst-1');
        await page.getByText('Split rule').waitFor();
        expect(await page.getByRole('button', { name: /Edit|Withdraw/ }).count()).toBe(0);
      },
      { as: viewer },
    );
  });
});

function linesAtFault(page: Page): Promise<string[]> {
  return page.getByRole('table', { name: 'Problems' }).getByRole('row').locator('td:first-child').allTextContents();
}
