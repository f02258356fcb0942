import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderDetail } from '#orders/order.contract';
import type { Queue, QueuePage } from '#desk/queue.contract';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { clicksOn, countClicks } from './support/console/clicks.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { cardBody } from './support/purchase-bodies.js';
import { until } from './support/until.js';

/** What people ask on the phone: each is answered from the first page in so many clicks, by somebody who knows no code. */
describe.skipIf(!chromium)('on the phone', () => {
  let stand: ConsoleStand;

  beforeAll(async () => {
    stand = await ConsoleStand.start();
    const { staff } = stand.stand;
    await staff.putListing('better', { quantity: 50, section: '101', row: 'H' });
    await staff.putListing('manual', { quantity: 50, confirmation: 'manual', confirm_within_minutes: 30 });
  });
  afterAll(() => stand?.close());

  const detail = async (id: string) => (await stand.stand.staff.get(`orders/${id}`)).body as OrderDetail;
  const link = (page: Page, id: string) => page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: id });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const apply = (page: Page) => page.getByRole('dialog').locator('[data-action=apply]').click();
  /** A field that a click opens has the focus a moment later. */
  const typable = (page: Page) =>
    expect.poll(() => page.evaluate('document.activeElement?.tagName'), SLOW).toBe('INPUT');
  const waiting = async () => {
    const body = cardBody();
    return await stand.stand.payment.bought({
      ...body,
      ref_id: null,
      product: { ...body.product, listing_id: 'manual' },
    });
  };
  const shipped = async () => {
    const id = await stand.buyCaptured();
    const fulfillment = { type: 'ship', data: { carrier: 'UPS', tracking_number: 'typed-wrong' } };
    expect((await stand.stand.staff.send('POST', `orders/${id}/fulfillment`, fulfillment)).status).toBe(200);
    return id;
  };

  /** Begins at the list of orders, and says how many clicks were needed. */
  async function clicks(work: (page: Page) => Promise<void>): Promise<number> {
    let count = 0;
    await stand.inTab(async (page) => {
      await countClicks(page);
      await page.goto('/orders');
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().waitFor();
      await work(page);
      count = await clicksOn(page);
    });
    return count;
  }

  it('an order is found by any word that the caller has: 1 click', async () => {
    const id = await stand.buy('what-the-caller-has');
    const byRef = await clicks(async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('what-the-caller');
      await expect.poll(() => page.getByRole('table', { name: 'Orders' }).getByRole('link').count(), SLOW).toBe(1);
      await link(page, id).click();
      await page.getByRole('heading', { name: id }).waitFor();
    });
    expect(byRef).toBe(1);
  });

  it('where it is, whether the card was charged and once, and who did what and when: 1 click', async () => {
    const id = await shipped();
    const count = await clicks(async (page) => {
      await link(page, id).click();
      const fulfillment = page.getByRole('region', { name: 'Fulfilment' });
      await fulfillment.getByText('typed-wrong').waitFor();
      await fulfillment.getByText('UPS').waitFor();
      await page
        .getByRole('region', { name: 'Money' })
        .getByText(/^Took \$/)
        .waitFor();
      const timeline = page.getByRole('list', { name: 'Timeline' });
      await timeline.getByText('Tickets shipped with UPS, typed-wrong').waitFor();
      await timeline.getByText('A program').first().waitFor();
    });
    expect(count).toBe(1);
  });

  it('a queue is worked through with the keyboard alone', async () => {
    const ids = [await waiting(), await waiting(), await waiting()];
    await stand.inTab(async (page) => {
      await page.goto('/work');
      const rows = page.getByRole('table', { name: 'Orders in To confirm' }).getByRole('link');
      await expect.poll(() => rows.count(), SLOW).toBe(3);
      const shown = await rows.evaluateAll((links) => links.map((row) => row.getAttribute('aria-label')));
      expect(shown).toEqual(ids);
      expect(await barriersOn(page)).toEqual([]);
      await page.keyboard.press('a');
      await expect.poll(() => rows.count(), SLOW).toBe(2);
      const undo = button(page, 'Undo (u)');
      await undo.waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await page.keyboard.press('u');
      await expect.poll(() => rows.count(), SLOW).toBe(3);
      expect((await detail(ids[0] ?? '')).status?.status).toBe('pending');
      // The first is active again. The next one takes its place.
      await page.keyboard.press('a');
      await expect.poll(() => rows.count(), SLOW).toBe(2);
      await button(page, 'Send now').press('Enter');
      await expect.poll(async () => (await detail(ids[0] ?? '')).status?.status_code, SLOW).toBe(2000);
      await page.keyboard.press('z');
      await page.getByRole('dialog').getByRole('button', { name: 'For an hour' }).press('Enter');
      await expect.poll(() => rows.count(), SLOW).toBe(1);
      await page
        .getByRole('navigation', { name: 'Queues' })
        .getByRole('link', { name: /^To confirm 1/ })
        .waitFor();
    });
    const { orders } = (await stand.stand.staff.get('queues/to_confirm/orders')).body as QueuePage;
    expect(orders.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await detail(ids[0] ?? '')).status?.status_code).toBe(2000);
  });

  it('the escalation of a queue is set with the keyboard, and its faults are at their fields', async () => {
    await stand.operator('kim@example.com', 'Kim Ito', 'operations');
    const vera = await stand.operator('vera@example.com', 'Vera Rubin', 'viewer');
    await stand.inTab(async (page) => {
      await page.goto('/work/review');
      await button(page, 'Set escalation').waitFor();
      await page.keyboard.press('e');
      const dialog = page.getByRole('dialog', { name: 'Escalation of “Under review”' });
      const [minutes, address] = [dialog.getByLabel('Minutes'), dialog.getByLabel('Tell by e-mail')];
      await expect.poll(() => page.evaluate('document.activeElement?.labels?.[0]?.innerText'), SLOW).toBe('Minutes');
      await minutes.fill('soon');
      await address.fill('leads');
      await address.press('Enter');
      // The hint and the fault of a field.
      const faultOf = async (field: typeof minutes) => {
        const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
        return (await page.locator(ids.map((id) => `[id="${id}"]`).join(',')).allInnerTexts()).join(' ');
      };
      await expect.poll(() => faultOf(minutes), SLOW).toContain('Enter a whole number of minutes');
      expect(await faultOf(address)).toContain('Enter an e-mail address.');
      await expect.poll(() => page.evaluate('document.activeElement?.labels?.[0]?.innerText'), SLOW).toBe('Minutes');
      expect(await barriersOn(page)).toEqual([]);
      await minutes.fill('120');
      // Only the server refuses it.
      await address.fill('leads@example.com.');
      await dialog.getByLabel('Assign the order to').selectOption('Kim Ito');
      await address.press('Enter');
      await expect.poll(() => faultOf(address), SLOW).toContain('Must be an e-mail address');
      await address.fill('leads@example.com');
      await address.press('Enter');
      await page.getByText('Escalates after 2 h to Kim Ito, with an e-mail to leads@example.com').waitFor();
      await button(page, 'Change escalation').press('Enter');
      await button(page, 'Stop escalating').press('Enter');
      await button(page, 'Set escalation').waitFor();
      await expect.poll(() => page.evaluate('document.activeElement?.textContent'), SLOW).toBe('Set escalation');
    });
    await stand.stand.staff.send('PUT', 'queues/review/escalation', { after_minutes: 90 });
    await stand.inTab(
      async (page) => {
        await page.goto('/work/review');
        await page.getByText('Escalates after 1 h 30 min').waitFor();
        expect(await button(page, /escalation/).count()).toBe(0);
        await page.keyboard.press('e');
        expect(await page.getByRole('dialog').count()).toBe(0);
      },
      { as: vera },
    );
  });

  it('an order that is overdue for too long in a queue of one’s own is marked there', async () => {
    const id = await stand.buy();
    const body = {
      name: 'At once',
      where: { field: 'id', op: '=', value: id },
      due: { field: 'placed_at', minutes: -60 },
    };
    const { id: own } = (await stand.stand.staff.send('POST', 'queues', body)).body as Queue;
    await stand.inTab(async (page) => {
      await page.goto(`/work/${own}`);
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });
      await row.getByText('late').waitFor();
      await button(page, 'Set escalation').click();
      await page.getByRole('dialog').getByLabel('Minutes').fill('5');
      await button(page, 'Save escalation').click();
      await page.getByText('Escalates 5 min after the due time').waitFor();
      await row.getByText('Escalated').waitFor();
      await button(page, '1 escalated').click();
      await button(page, 'Back to the queue').waitFor();
      await row.getByText('Escalated').waitFor();
      expect(page.url()).toContain('escalated=');
      expect(await barriersOn(page)).toEqual([]);
    });
    expect((await stand.stand.staff.send('DELETE', `queues/${own}`)).status).toBe(204);
  });

  it('why it was rejected, in words: at most 2 clicks', async () => {
    const id = await waiting();
    await stand.stand.staff.send('POST', `orders/${id}/deny`, { reason: 'not_available', note: 'Sold at the door.' });
    const count = await clicks(async (page) => {
      await link(page, id).click();
      await page.getByText('The tickets were sold elsewhere or taken off sale.').waitFor();
      await page.getByText('Sold at the door.').first().waitFor();
    });
    expect(count).toBeLessThanOrEqual(2);
  });

  it('the platform is told again: 2 clicks', async () => {
    const id = await stand.buy();
    await until(() => stand.stand.platform.of(id).length === 1);
    const count = await clicks(async (page) => {
      await link(page, id).click();
      await button(page, 'Send ping again').click();
      await until(() => stand.stand.platform.of(id).length === 2);
    });
    expect(count).toBe(2);
  });

  it('a tracking number is corrected and the platform told: 3 clicks', async () => {
    const id = await shipped();
    await until(() => stand.stand.platform.of(id).length === 2);
    const count = await clicks(async (page) => {
      await link(page, id).click();
      await button(page, 'Correct tracking number').click();
      // Both fields hold what was sent, and the number is selected.
      await expect.poll(() => page.evaluate('getSelection()?.toString()'), SLOW).toBe('typed-wrong');
      expect(await page.getByLabel('Carrier').inputValue()).toBe('UPS');
      await page.keyboard.type('1Z999AA10123456784');
      await apply(page);
      await page.getByRole('region', { name: 'Fulfilment' }).getByText('1Z999AA10123456784').waitFor();
      await until(() => stand.stand.platform.of(id).length === 3);
    });
    expect(count).toBe(3);
    expect((await detail(id)).fulfillment).toMatchObject({ data: { tracking_number: '1Z999AA10123456784' } });
  });

  it('an order is cancelled and refunded at the request of the customer: 3 clicks', async () => {
    const id = await stand.buy();
    const count = await clicks(async (page) => {
      await link(page, id).click();
      await button(page, 'Cancel and refund').click();
      await page.getByText('2 tickets go back on sale.').waitFor();
      await apply(page);
      await page.getByText('The customer asked for it.').waitFor();
    });
    expect(count).toBe(3);
  });

  it('a name, an e-mail address and a street are corrected without being revealed: 3 clicks', async () => {
    const id = await stand.buy();
    const count = await clicks(async (page) => {
      await link(page, id).click();
      await button(page, 'Correct buyer').click();
      await page.getByLabel('First name').waitFor();
      await expect.poll(() => page.evaluate('document.activeElement?.labels?.[0]?.innerText'), SLOW).toBe('First name');
      await page.keyboard.type('Augusta');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('augusta@example.org');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('1 St James Square');
      await apply(page);
      await page.getByText('The buyer is corrected.').waitFor();
    });
    expect(count).toBe(3);
    expect((await detail(id)).buyer).toMatchObject({
      first_name: 'Augusta',
      email: 'augusta@example.org',
      address: { address1: '1 St James Square' },
    });
  });

  it.each([
    ['Confirm', 2000],
    ['Reject', 3004],
  ])('%s is answered before the deadline, which is a clock: 2 clicks', async (answer, code) => {
    const id = await waiting();
    const count = await clicks(async (page) => {
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });
      await row.getByText(/^2\d min$/).waitFor();
      await row.getByRole('button', { name: answer }).click();
      await page
        .getByRole('dialog')
        .getByText(/It counts until .* left/)
        .waitFor();
      await apply(page);
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    });
    expect(count).toBe(2);
    expect((await detail(id)).status?.status_code).toBe(code);
  });

  it('other tickets are offered, and the buyer takes them: 3 clicks each', async () => {
    const id = await stand.buy();
    const offer = await clicks(async (page) => {
      await link(page, id).click();
      await button(page, 'Offer other tickets').click();
      await page.getByRole('radio', { name: /better/ }).waitFor();
      await apply(page);
      await page.getByText('Offered until').waitFor();
    });
    expect(offer).toBe(3);
    expect((await detail(id)).replacement).toMatchObject({ state: 'open' });
    const acceptance = await clicks(async (page) => {
      await link(page, id).click();
      await button(page, 'Buyer takes the other tickets').click();
      await apply(page);
      await page.getByText('The buyer took the other tickets.').waitFor();
    });
    expect(acceptance).toBe(3);
  });

  it('a note is left for colleagues: 2 clicks', async () => {
    const id = await stand.buy();
    const count = await clicks(async (page) => {
      await link(page, id).click();
      await button(page, 'Add note').click();
      await page.keyboard.type('She will call again on Monday.');
      await page.keyboard.press('Control+Enter');
      await page.getByText('The note is saved.').waitFor();
      await page.getByRole('list', { name: 'Timeline' }).getByText('She will call again on Monday.').waitFor();
    });
    expect(count).toBe(2);
  });

  it('two people tag and take the same order, and see it without losing anything', async () => {
    const id = await stand.buy();
    const grace = await stand.operator('grace@example.com', 'Grace Hopper', 'support');
    await stand.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      await button(page, '+ Add tag').waitFor();
      await stand.inTab(
        async (other) => {
          await other.goto(`/orders/${id}`);
          await button(other, '+ Add tag').click();
          await typable(other);
          await other.keyboard.type('vip');
          await other.keyboard.press('Enter');
          await button(other, 'Remove the tag vip').waitFor();
          await button(other, /^Assign/).click();
          await other.getByRole('menuitem', { name: 'Grace Hopper (me)' }).click();
          await other.getByText('Assigned to Grace Hopper').first().waitFor();
        },
        { as: grace },
      );
      await button(page, '+ Add tag').click();
      await typable(page);
      await page.keyboard.type('call back');
      await page.keyboard.press('Enter');
      await button(page, 'Remove the tag call back').waitFor();
      await button(page, 'Remove the tag vip').waitFor();
      await page.getByText('Assigned to Grace Hopper').first().waitFor();
      // The page shows a tag before it is saved, and a page that is closed saves nothing.
      await until(async () => (await detail(id)).tags.includes('call back'));
    });
    expect(await detail(id)).toMatchObject({ tags: ['vip', 'call back'], assignee_name: 'Grace Hopper' });
  });

  it('two versions are compared, and the address says so', async () => {
    const id = await shipped();
    await stand.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      const latest = (await detail(id)).version;
      await page.getByLabel('Compare with').selectOption(`${latest - 1}`);
      const changes = page.getByRole('region', { name: `What changed from version ${latest - 1} to ${latest}` });
      await changes.getByRole('row', { name: /status › status_code 2000 2002/ }).waitFor();
      await changes.getByRole('row', { name: /tracking_number – typed-wrong/ }).waitFor();
      expect(page.url()).toContain(`?compare=${latest - 1}`);
    });
  });

  it('the data of a buyer is erased only after it was said what that means', async () => {
    const id = await stand.buy();
    await stand.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: /Erase buyer/ }).click();
      await page.getByText('become unreadable for good').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await apply(page);
      await page.getByText('The buyer’s data was erased.').waitFor();
    });
    expect((await detail(id)).personal_data).toBe('erased');
  });
});

/** Vitest's own limit is a second. */
const SLOW = { timeout: 60_000 };
