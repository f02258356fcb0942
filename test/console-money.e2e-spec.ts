import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WHOLESALE } from './support/callers.js';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { cardBody } from './support/purchase-bodies.js';
import { until } from './support/until.js';

/** Cards of the sandbox (README). */
const DISPUTED = '4000000000000259';
const CAPTURE_FAILS = '4000000000001117';

describe.skipIf(!chromium)('the money pages of the console', () => {
  let desk: ConsoleStand;
  let disputed: string;
  let failed: string;

  beforeAll(async () => {
    desk = await ConsoleStand.start({ settings: { PAYMENT_SWEEP_MS: '300' } });
    disputed = await bought(DISPUTED);
    failed = await bought(CAPTURE_FAILS);
    await until(async () => (await desk.stand.staff.get('disputes')).text.includes(disputed));
    await until(async () => (await desk.stand.staff.get('money/tasks')).text.includes(failed));
  });
  afterAll(() => desk?.close());

  async function bought(card: string): Promise<string> {
    const body = cardBody();
    body.payment.data.card_number = card;
    return await desk.stand.payment.bought({ ...body, ref_id: card.slice(-4) });
  }

  /** `2026-11-26`, so many days from today in UTC. */
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();

  it('answer a dispute that the order leads to', async () => {
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${disputed}`);
      await page.getByRole('region', { name: 'Money' }).getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: 'Dispute of a card payment: $254.60' }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await press(page, 'Send evidence');
      await page.getByLabel('Note').fill('The tickets were scanned.');
      await press(page, 'Send evidence');
      await page.getByText('The evidence is with the provider.').waitFor();
      // The sandbox decides for whoever answers.
      await page.getByText('The bank has decided for you, and the money is back.').waitFor();
      expect(await page.getByRole('button', { name: 'Send evidence' }).count()).toBe(0);
      await page.getByRole('link', { name: '← Disputes' }).click();
      await page.getByText('No disputes').waitFor();
      await page.getByLabel('State').selectOption('Won');
      await page.getByRole('link', { name: 'Dispute of a card payment' }).waitFor();
    });
  });

  it('end a task, record what a seller was paid and show where that was booked', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/money');
      await press(page, `Done: Payment could not be taken, ${failed}`);
      await page.getByLabel('Note').fill('She pays by transfer.');
      await press(page, 'Mark as done');
      await page.getByText('The task is done.').waitFor();
      await page.getByText('Nothing waits').waitFor();

      await press(page, 'Record seller payment');
      await page.getByLabel('Seller', { exact: true }).fill('house');
      await page.getByLabel('Amount in USD').fill('12.50');
      await page.getByLabel('Reference of the transfer').fill('SEPA 17');
      await press(page, 'Record payment');
      await page.getByText('The payment of $12.50 to house is recorded.').waitFor();
      const payouts = page.getByRole('table', { name: 'Payouts and payments' });
      await payouts.getByText('Payment to a seller').waitFor();
      await page.getByRole('link', { name: 'House: tickets without a seller' }).click();
      await page
        .getByRole('table', { name: /^Entries: House/ })
        .getByText('-$12.50')
        .waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  });

  it('compare with the list of a provider, and with a file of what a platform has paid', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/money');
      await press(page, 'Compare …');
      await page.getByLabel('From').fill(day(-30));
      await page.getByLabel('To', { exact: true }).fill(day(1));
      expect(await barriersOn(page)).toEqual([]);
      await press(page, 'Compare');
      await page.getByRole('table', { name: 'Reconciliations' }).getByText('List of Sandbox').waitFor();

      await press(page, 'Compare …');
      await page.getByLabel('Whose list').selectOption('A file of what a platform has paid');
      await page.getByLabel('Platform').fill(WHOLESALE.clientId);
      const content = `order_id,amount,paid_on\n${disputed},12.50,${day(0)}\n`;
      await page.setInputFiles('input[type=file]', {
        name: 'paid.csv',
        mimeType: 'application/vnd.ms-excel',
        buffer: Buffer.from(content),
      });
      await press(page, 'Compare');
      const found = page.getByRole('table', { name: `Remittance of ${WHOLESALE.clientId}` });
      await found.getByText('Missing here').waitFor();
      await found.getByText('$12.50').waitFor();
      await page.getByRole('table', { name: 'What waits' }).getByText('Lists differ').first().waitFor();
    });
  });

  it('refund the orders of a show by a job, after what follows was shown by provider and day', async () => {
    await desk.buyCaptured();
    await desk.inTab(async (page) => {
      await page.goto('/events/5512');
      await press(page, 'Refund orders');
      await page.getByLabel('What goes back').selectOption('An amount');
      expect(await page.getByRole('button', { name: 'Show what follows' }).isDisabled()).toBe(true);
      await page.getByLabel('Amount of each order').fill('12.50');
      await press(page, 'Show what follows');
      await page.getByText(/^Sandbox, paid on .*: \d refunds?, \$/).waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await press(page, 'Start refunds');
      await page.getByRole('link', { name: 'Show its progress' }).click();
      await page.getByText('12.50 of each order', { exact: false }).first().waitFor();
      await page.getByRole('table', { name: 'Results' }).getByText('Done').first().waitFor();
    });
  });

  it('show no buttons to those who may only look, and nothing to those who may not', async () => {
    const viewer = await desk.operator('vera@example.com', 'Vera', 'viewer');
    const support = await desk.operator('sam@example.com', 'Sam', 'support');
    await desk.inTab(
      async (page) => {
        await page.goto('/money');
        await page.getByRole('table', { name: 'Accounts' }).waitFor();
        expect(await page.getByRole('button', { name: 'Record seller payment' }).count()).toBe(0);
        await page.goto(`/orders/${disputed}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await page.getByRole('button', { name: 'More', exact: true }).count()).toBe(0);
      },
      { as: viewer },
    );
    await desk.inTab(
      async (page) => {
        await page.goto('/money');
        await page.getByText('Your role does not open this page.').waitFor();
        expect(await page.getByRole('link', { name: 'Disputes' }).count()).toBe(0);
      },
      { as: support },
    );
  });
});
