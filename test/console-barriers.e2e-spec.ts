import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingBody } from '#listings/listing.contract';
import { fingerprintOf } from '../tools/page-fingerprint.mjs';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { showIn } from './support/console/settled-page.js';
import { cardBody } from './support/purchase-bodies.js';
import { until } from './support/until.js';

/** A new page of the console has its line here. */
const PAGES = [
  '/orders',
  '/orders?status=confirmed&placed_at=gte:-7d',
  '/orders?q=nobody',
  '/orders/ord_nobody_has',
  '/work',
  '/delivery',
  '/listings',
  '/listings/lst-1',
  '/events',
  '/events/5512',
  '/settings/operators',
  '/settings/tokens',
  '/settings/audit',
  '/settings/catalogue',
  '/settings/clients',
  '/settings/keys',
  '/settings/mail',
  '/settings/webhooks',
  '/settings/projections',
  '/settings/policies',
  '/settings/fraud-rules',
  '/account',
  '/notices',
  '/money',
  '/disputes',
  '/jobs',
  '/reports',
];

/** A page, the button that opens a dialog there, and the entry if that is a menu. A new dialog has its line here. */
const DIALOGS: readonly Readonly<{ at: string; press: string; item?: string }>[] = [
  { at: '/orders/:order', press: 'Ship' },
  { at: '/orders/:order', press: 'Deliver' },
  { at: '/orders/:order', press: 'Reject' },
  { at: '/orders/:order', press: 'Cancel and refund' },
  { at: '/orders/:order', press: 'Offer other tickets' },
  { at: '/orders/:order', press: 'Refund…' },
  { at: '/orders/:order', press: 'Correct buyer' },
  { at: '/orders/:order', press: 'Add files' },
  { at: '/orders/:order', press: 'Send e-mail' },
  { at: '/orders/:transfer', press: 'Transfer' },
  { at: '/orders/:transfer', press: 'Record acceptance' },
  { at: '/orders/:barcodes', press: 'Enter barcodes' },
  { at: '/orders/:order', press: 'More', item: 'Open a dispute' },
  { at: '/orders/:order', press: 'More', item: 'Erase buyer' },
  { at: '/work', press: 'New queue' },
  { at: '/listings', press: 'Import' },
  { at: '/listings', press: 'Add listing' },
  { at: '/money', press: 'Record seller payment' },
  { at: '/money', press: 'Compare …' },
  { at: '/settings/operators', press: 'Add operator' },
  { at: '/settings/tokens', press: 'New token' },
  { at: '/settings/clients', press: 'New client' },
  { at: '/settings/webhooks', press: 'New webhook' },
  { at: '/settings/policies', press: 'New policy' },
  { at: '/settings/fraud-rules', press: 'New rule' },
];

const PUBLIC_PAGES = ['/e', '/e/5512', '/p/moth-light', '/v/pier-nine-3'];

const DOCS = new URL('../docs/', import.meta.url);

type Pictures = Readonly<Record<string, Readonly<{ sha256: string; fingerprint: object }>>>;

/** Pictures of each page, wide and narrow, in light and in dark, if somebody wants them: `.ci/run` names a folder. */
async function keepPicture(page: Page, path: string, { isConsole = true } = {}): Promise<void> {
  const folder = process.env['WILLCALL_SCREENSHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const name = path.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-/, '');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await showIn(page, colorScheme, { isConsole });
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
    }
  }
}

/** People who use a keyboard, a screen reader or strong contrast, as far as axe can tell, in light and in dark. */
describe.skipIf(!chromium)('the console has no barrier that axe knows', () => {
  let desk: ConsoleStand;
  let order: string;
  let transfer: string;
  let barcodes: string;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    order = await desk.buy();
    transfer = await bought({ type: 'transfer', name: 'Transfer', cost: 0 });
    barcodes = await bought({ type: 'download', form: 'barcodes', name: 'E-tickets', cost: 0 });
    // One seat waits for the buyer, and one is not sent yet.
    const first = { seats: ['1'], source: 'axs', confirmation_number: 'AX-1' };
    const sent = await desk.stand.staff.send('POST', `orders/${transfer}/transfers`, first);
    expect(sent.status, sent.text).toBe(201);
    const put = await desk.stand.staff.send('PUT', 'catalogue/events/5512', {
      title: 'Moth Light',
      datetime_local: '2031-05-02T20:00:00',
      datetime_utc: '2031-05-03T00:00:00',
      venue: { id: 3, name: 'Pier Nine', city: 'Boston', state: 'MA', country: 'US' },
      performers: [{ id: 4, name: 'Moth Light' }],
    });
    expect(put.status, put.text).toBe(200);
  });

  afterAll(() => desk?.close());

  /** Two tickets of a listing with this delivery alone. */
  async function bought(method: ListingBody['delivery_methods'][number]): Promise<string> {
    const id = `by-${method.type}`;
    await desk.stand.staff.putListing(id, { tax_rate: 0, tax_rates: {}, delivery_methods: [method] });
    const { payment, ...body } = cardBody();
    return await desk.stand.payment.bought({
      ...body,
      product: { ...body.product, listing_id: id },
      payment: { ...payment, total: 220 },
      delivery_method: { type: method.type, data: { email: 'ada@example.com' } },
      ref_id: id,
    });
  }

  it.each([...PAGES, '/orders/:order', '/orders/:transfer'])('on %s', async (address) => {
    const path = address.replace(':order', order).replace(':transfer', transfer);
    await desk.inTab(async (page) => {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
      // Only the content scrolls.
      expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
      await keepPicture(page, path);
    });
  });

  it('on the public pages', async () => {
    await desk.inTab(
      async (page) => {
        await until(async () => (await fetch(`${desk.url}/e/5512`)).status === 200);
        for (const path of PUBLIC_PAGES) {
          await page.goto(path);
          expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toBe('');
          expect(await barriersOn(page, { isConsole: false }), path).toEqual([]);
          await keepPicture(page, path, { isConsole: false });
        }
      },
      { as: null },
    );
  });

  it('and looks as in the pictures of the README: else run tools/readme-pictures.mjs', async () => {
    const pictures = JSON.parse(readFileSync(new URL('console-pictures.json', DOCS), 'utf8')) as Pictures;
    expect(Object.keys(pictures)).toEqual(['console-order', 'console-orders']);
    await desk.inTab(async (page) => {
      for (const [name, { sha256, fingerprint }] of Object.entries(pictures)) {
        const picture = readFileSync(new URL(`${name}.png`, DOCS));
        expect(createHash('sha256').update(picture).digest('hex'), name).toBe(sha256);
        await page.goto(name === 'console-order' ? `/orders/${order}` : '/orders');
        await page
          .getByRole(name === 'console-order' ? 'listitem' : 'row')
          .nth(1)
          .waitFor();
        await expect.poll(() => fingerprintOf(page), { timeout: 60_000 }).toEqual(fingerprint);
      }
    });
  });

  it.each(DIALOGS)('in the dialog on $at behind $press $item', async ({ at, press, item }) => {
    await desk.inTab(async (page) => {
      await page.goto(at.replace(':order', order).replace(':transfer', transfer).replace(':barcodes', barcodes));
      await page.getByRole('button', { name: press, exact: true }).click();
      if (item !== undefined) await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('dialog').getByRole('button').last().waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  });

  it('where one signs in', async () => {
    await desk.inTab(
      async (page) => {
        await page.goto('/sign-in');
        await page.getByLabel('Email').waitFor();
        expect(await barriersOn(page)).toEqual([]);
      },
      { as: null },
    );
  });
});
