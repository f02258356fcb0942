import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listingBody } from './support/listing-body.js';
import { chromium } from './support/chromium.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { barriersOn } from './support/console/barriers.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe.skipIf(!chromium)('the pages of listings and shows', () => {
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
      await page.locator('[data-action=apply]').click();
      await page.getByText('Withdrawn').waitFor();
      await page.getByRole('button', { name: 'Put on sale' }).click();
      await page.getByText('On sale').waitFor();
    });
  });

  it('finds those of a seller and a day, and changes all that are selected at once', async () => {
    for (const id of ['bulk-1', 'bulk-2', 'bulk-3']) {
      await desk.stand.staff.putListing(id, { seller: id === 'bulk-3' ? 'Back Row' : 'Front Row', price: 50 });
    }
    await desk.inTab(async (page) => {
      await page.goto('/listings?q=moth+light');
      await page.getByRole('link', { name: 'bulk-3' }).waitFor();
      await page.getByLabel('Shows from').fill('2031-05-02');
      await page.waitForURL(/from=2031-05-02$/);
      await page.getByLabel('Seller').fill('front row');
      await page.waitForURL(/seller=front/);
      await page.getByRole('link', { name: 'bulk-3' }).waitFor({ state: 'detached' });
      await page.getByRole('checkbox', { name: 'Select bulk-1' }).check();
      await page.getByRole('button', { name: 'Select all loaded' }).click();
      await page.getByText('2 selected').waitFor();
      await page.getByRole('button', { name: 'Change …' }).click();
      await page.getByLabel('What changes').selectOption('Price: by percent');
      await page.getByLabel('Percent').fill('-10');
      await page.getByText('2 listings get the price $45.00. Now it is $50.00.').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Change 2 listings' }).click();
      await page.getByText('2 listings changed.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.getByRole('cell', { name: '$45.00' }).count()).toBe(2);
      expect((await desk.stand.staff.get('listings/bulk-3')).body).toMatchObject({ price: 50 });
    });
  });

  it('changes all that match, also those that are not loaded, but no price that a colleague has set meanwhile', async () => {
    const { staff } = desk.stand;
    const ids = Array.from({ length: 130 }, (_, index) => `all-${String(index).padStart(3, '0')}`);
    const lines = ids.map((id) => JSON.stringify({ ...listingBody(), listing_id: id, seller: 'Long Row', price: 50 }));
    const imported = await staff.send('POST', 'listings/import', Buffer.from(lines.join('\n')), {
      'content-type': 'application/x-ndjson',
    });
    expect(imported.body).toMatchObject({ imported: 130 });
    await desk.inTab(async (page) => {
      await page.goto('/listings?seller=long+row');
      await page
        .getByRole('checkbox', { name: /^Select all-/ })
        .first()
        .waitFor();
      for (const key of ['j', 'j', 'k', 'x']) await page.keyboard.press(key);
      await page.getByText('1 selected').waitFor();
      await page.getByRole('button', { name: 'Change all that match …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change 130 listings' });
      await dialog.getByLabel('What changes').selectOption('Price: by percent');
      await dialog.getByLabel('Percent').fill('10');
      await dialog.getByText('130 listings get the price $55.00. Now it is $50.00.').waitFor();
      await staff.send('PATCH', 'listings', { listings: [{ listing_id: 'all-007', price: 60 }] });
      await dialog.getByRole('button', { name: 'Change 130 listings' }).click();
      await dialog.getByText('129 listings changed.').waitFor();
      await dialog.getByRole('row', { name: 'all-007 Price is 60 by now.' }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
    const { body } = await staff.get('listings?seller=long+row&limit=200');
    const prices = (body as { listings: { listing_id: string; price: number }[] }).listings;
    expect(prices.filter(({ price }) => price === 55)).toHaveLength(129);
    expect(prices.find(({ listing_id: id }) => id === 'all-007')?.price).toBe(60);
  });

  it('imports a file of a point of sale: shows its columns, takes others and what it lacks', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/listings');
      await page.getByRole('button', { name: 'Import' }).click();
      const text = [
        'Ticket;Event;Venue;Event Date;Sec;Row;Quantity;Cost;Price;Seat from;Seat thru;Notes to buyer',
        `pos-a;moth light ${HOSTILE};PIER NINE HALL;5/2/2031 8:00 PM;104;C;4;50;$1,234.50;5;8;Aisle`,
        'pos-b;Unknown;Pier Nine Hall;5/2/2031;104;D;2;50;80;1;2;',
      ].join('\r\n');
      const file = { name: 'pos.txt', mimeType: 'text/plain', buffer: Buffer.from(`\uFEFF${text}`, 'utf16le') };
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      await (await chooser).setFiles(file);
      await page.getByLabel('Taken for: Ticket').selectOption('Listing id');
      await page.getByLabel('Taken for: Notes to buyer').selectOption('Notes');
      await page.getByLabel('Fees', { exact: true }).fill('7.50');
      await page.getByLabel('Fees', { exact: true }).press('Enter');
      await page.getByLabel('Split rule').selectOption('Pairs only');
      await page.getByLabel('Delivery', { exact: true }).selectOption('Download');
      await page.getByText('no show of the catalogue is "Unknown"').waitFor();
      await page.getByText('1 line can be imported: 1 new').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Import 1 line' }).click();
      await page.getByText('1 line imported.').waitFor();
      await page.getByText('Not imported: Cost.').waitFor();
      expect((await desk.stand.staff.get('listings/pos-a')).body).toMatchObject({
        event_id: '5512',
        seats: ['5', '6', '7', '8'],
        price: 1234.5,
        fees: 7.5,
        notes: 'Aisle',
      });
    });
  });

  it('adds a listing', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/listings');
      await page.getByRole('button', { name: 'Add listing' }).click();
      for (const [label, text] of [
        ['Listing id', 'Block A: 12'],
        ['Show id', '5512'],
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

  it('finds a show, and leads to its orders', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/events');
      const field = page.getByRole('searchbox', { name: 'Search shows' });
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
      await page.getByRole('link', { name: 'Orders of this show', exact: true }).click();
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().waitFor();
      expect(new URL(page.url()).searchParams.get('event_id')).toBe('5512');
      await page.goto('/events?q=no-such-event');
      await page.getByText('No shows').waitFor();
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
