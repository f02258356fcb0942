import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderMailList } from '#fulfilment/mail.contract';
import type { OrderDetail } from '#orders/order.contract';
import { chromium } from './support/chromium.js';
import { clicksOn, countClicks } from './support/console/clicks.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { billingAddress, cardBody, shippingAddress } from './support/purchase-bodies.js';
import { type SmtpDouble, startSmtpDouble } from './support/smtp-double.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';

/** A card of the sandbox whose charge is disputed (README). */
const DISPUTED = '4000000000000259';

const SHOW = {
  title: 'Moth Light',
  datetime_local: '2031-05-02T20:00:00',
  datetime_utc: '2031-05-03T00:00:00',
  venue: { id: 3, name: 'Pier Nine', city: 'Boston', state: 'MA', country: 'US' },
  performers: [{ id: 4, name: 'Moth Light' }],
};

// `PICTURES=docs/support` makes the pictures of docs/console.md.
const PICTURES = process.env['PICTURES'];

/** Vitest's own limit is a second. */
const SLOW = { timeout: 60_000 };

type Person = Readonly<{ first: string; last: string; email: string }>;
type Task = Readonly<{
  /** The order that the caller means. */
  order: (buyer: Person) => Promise<string>;
  /** What is typed into the search. */
  says: (buyer: Person, id: string) => string;
  /** What is done once the order is found. */
  work: (page: Page, id: string) => Promise<void>;
}>;

/** The table of docs/console.md: what staff do for a caller, in so many clicks after typing. Keys are no clicks. */
const TABLE = [
  ...readFileSync('docs/console.md', 'utf8').matchAll(/^\| ([^|]+) \| (\d) \| \[picture\]\((\S+)\) \|$/gm),
];

describe.skipIf(!chromium)('the desk', () => {
  let desk: ConsoleStand;
  let smtp: SmtpDouble;

  beforeAll(async () => {
    smtp = await startSmtpDouble();
    const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'tickets@front-row.example' };
    desk = await ConsoleStand.start({
      settings: { ...mail, FILES_DIR: temporaryFolder('files'), PAYMENT_SWEEP_MS: '300' },
    });
    const { staff } = desk.stand;
    await staff.send('PUT', 'catalogue/events/5512', SHOW);
    await staff.putListing('manual', { quantity: 50, confirmation: 'manual', confirm_within_minutes: 30 });
    const barcodes = { type: 'download', form: 'barcodes', name: 'E-tickets', cost: 0 } as const;
    await staff.putListing('barcodes', { quantity: 50, tax_rate: 0, tax_rates: {}, delivery_methods: [barcodes] });
  });
  afterAll(async () => {
    await desk?.close();
    await smtp.close();
  });

  const staff = () => desk.stand.staff;
  const detail = async (id: string) => (await staff().get(`orders/${id}`)).body as OrderDetail;
  const mailsOf = async (id: string) => ((await staff().get(`orders/${id}/mails`)).body as OrderMailList).mails;
  const send = async (path: string, body: object) => {
    const answer = await staff().send('POST', path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
  };

  async function bought({ first, last, email }: Person, card = '4111111111111111', listing = 'lst-1') {
    const name = { first_name: first, last_name: last };
    const body = cardBody();
    const address = { ...billingAddress, ...name };
    return await desk.stand.payment.bought({
      ...body,
      ref_id: null,
      user: { ...body.user, email },
      product: { ...body.product, listing_id: listing },
      payment: {
        total: listing === 'barcodes' ? 220 : body.payment.total,
        type: 'creditcard',
        data: { ...body.payment.data, ...address, card_number: card },
      },
      delivery_method:
        listing === 'barcodes'
          ? { type: 'download', data: { email } }
          : { type: 'ship', data: { ...shippingAddress, ...name } },
    });
  }

  async function captured(buyer: Person, card?: string): Promise<string> {
    const id = await bought(buyer, card);
    await until(async () => (await detail(id)).payment?.state === 'captured');
    return id;
  }

  async function delivered(buyer: Person): Promise<string> {
    const id = await bought(buyer, undefined, 'barcodes');
    const barcodes = ['1', '2'].map((seat) => ({ seat, barcode: `${id.slice(-8)}-${seat}` }));
    await send(`orders/${id}/barcodes`, { barcodes });
    await send(`orders/${id}/mails`, { kind: 'tickets' });
    await until(async () => (await mailsOf(id)).filter(({ state }) => state === 'sent').length === 2);
    return id;
  }

  const name = ({ first, last }: Person) => `${first.toLowerCase()} ${last.toLowerCase()}`;
  const link = (page: Page, id: string) => page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: id });
  const open = (page: Page, id: string) => link(page, id).click();
  const button = (page: Page, label: string | RegExp) => page.getByRole('button', { name: label });
  const focusIn = (page: Page, label: string | RegExp) =>
    expect(
      page
        .getByRole('dialog')
        .getByLabel(label)
        .first()
        .evaluate(
          '(field) => new Promise((done) => field === document.activeElement ? done() : field.addEventListener("focus", done))',
        ),
    ).resolves.toBeUndefined();
  const apply = async (page: Page) => {
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  };
  const found = async () => undefined;

  const TASKS: Readonly<Record<string, Task>> = {
    'Find an order by the full name': { order: bought, says: name, work: found },
    'Find an order by a part of the e-mail address': {
      order: bought,
      says: ({ email }) => email.split('@')[0] ?? '',
      work: found,
    },
    'Find an order by the last four of the card': {
      order: (buyer) => bought(buyer, '4000056655665556'),
      says: () => '5556',
      work: found,
    },
    'Find an order by the end of its id': { order: bought, says: (_, id) => id.slice(-6), work: found },
    'Say where it is': {
      order: async (buyer) => {
        const id = await captured(buyer);
        const data = { carrier: 'UPS', tracking_number: '1Z999AA10123456784' };
        await send(`orders/${id}/fulfillment`, { type: 'ship', data });
        return id;
      },
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await page.getByRole('region', { name: 'Fulfilment' }).getByText('1Z999AA10123456784').waitFor();
      },
    },
    'Say why it was rejected': {
      order: async (buyer) => {
        const id = await bought(buyer, undefined, 'manual');
        await send(`orders/${id}/deny`, { reason: 'not_available', note: 'Sold at the door.' });
        return id;
      },
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await page.getByText('The tickets were sold elsewhere or taken off sale.').waitFor();
      },
    },
    'Send the tickets again': {
      order: delivered,
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await button(page, 'Send e-mail').click();
        await page.getByRole('dialog').getByRole('group', { name: 'Text' }).waitFor();
        await apply(page);
        await page.getByText('The e-mail is on its way.').waitFor();
      },
    },
    'Refund an order whole': {
      order: captured,
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await button(page, 'Refund…').click();
        await button(page, 'Refund $254.60').waitFor();
        await apply(page);
      },
    },
    'Refund a part': {
      order: captured,
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await button(page, 'Refund…').click();
        await focusIn(page, /Amount/);
        await page.keyboard.type('40');
        await button(page, 'Refund $40.00').click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      },
    },
    'Change the name or the e-mail address': {
      order: captured,
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await button(page, 'Correct buyer').click();
        await focusIn(page, 'First name');
        await page.keyboard.type('Augusta');
        await apply(page);
        await page.getByText('The buyer is corrected.').waitFor();
      },
    },
    'Send another tracking number': {
      order: async (buyer) => {
        const id = await captured(buyer);
        await send(`orders/${id}/fulfillment`, {
          type: 'ship',
          data: { carrier: 'UPS', tracking_number: 'typed-wrong' },
        });
        return id;
      },
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await button(page, 'Correct tracking number').waitFor();
        await page.keyboard.press('s');
        await focusIn(page, 'Tracking number');
        await page.keyboard.type('1Z999AA10123456784');
        await apply(page);
        await page.getByRole('region', { name: 'Fulfilment' }).getByText('1Z999AA10123456784').waitFor();
      },
    },
    'Accept an order, or deny it': {
      order: (buyer) => bought(buyer, undefined, 'manual'),
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await button(page, 'Confirm').waitFor();
        await page.keyboard.press('a');
        await page.getByRole('dialog').locator('[data-action=apply]').waitFor();
        await apply(page);
        expect((await detail(id)).status?.status_code).toBe(2000);
      },
    },
    'Answer “I never got the mail”': {
      order: async (buyer) => {
        smtp.unknown.add(buyer.email);
        const id = await bought(buyer);
        await until(async () => (await mailsOf(id)).some(({ state }) => state === 'refused'));
        return id;
      },
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await page.getByRole('region', { name: 'E-mail' }).getByText('Refused').waitFor();
      },
    },
    'Answer a dispute': {
      order: async (buyer) => {
        const id = await bought(buyer, DISPUTED);
        await until(async () => (await detail(id)).payment?.dispute != null);
        return id;
      },
      says: name,
      work: async (page, id) => {
        await open(page, id);
        await page.getByRole('region', { name: 'Money' }).getByRole('link').click();
        await button(page, 'Send evidence').waitFor();
        await page.keyboard.press('s');
        await focusIn(page, 'Note');
        await page.keyboard.type('The tickets were scanned.');
        await apply(page);
        await page.getByText('Evidence sent').waitFor();
      },
    },
  };

  it('has a row for each task in docs/console.md', () => {
    expect(TABLE.map(([, task]) => task)).toEqual(Object.keys(TASKS));
  });

  it.each(TABLE.map(([, task = '', most, picture = ''], row) => [task, Number(most), picture, row] as const))(
    '%s: %i clicks after typing',
    async (task, most, picture, row) => {
      const { order, says, work } = TASKS[task]!;
      const last = `Quist${'abcdefghijklmnop'[row]}`;
      const buyer = { first: 'Wilhelmina', last, email: `w.${last.toLowerCase()}@example.net` };
      const id = await order(buyer);
      await desk.inTab(async (page) => {
        await countClicks(page);
        await page.goto('/orders');
        await link(page, id).waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type(says(buyer, id));
        const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
        await expect.poll(async () => [await rows.count(), await link(page, id).count()], SLOW).toEqual([2, 1]);
        await work(page, id);
        expect(await clicksOn(page)).toBeLessThanOrEqual(most);
        if (PICTURES) {
          mkdirSync(PICTURES, { recursive: true });
          await page.screenshot({ path: `${PICTURES}/${picture.split('/').at(-1)}` });
        }
      });
    },
  );
});
