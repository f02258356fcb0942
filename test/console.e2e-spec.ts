import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { type Person, signIn } from './support/console/browser.js';
import { ConsoleStand } from './support/console/console-stand.js';
import type { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

const HOSTILE = `"><img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}}`;
const PASSWORD = 'a long sentence is a good password';

/** The console in a browser, against real processes of api and worker, a database and a platform. */
describe.skipIf(!chromium)('the console', () => {
  let desk: ConsoleStand;
  let stand: Stand;
  let ada: Person;

  beforeAll(async () => {
    desk = await ConsoleStand.start();
    ({ stand, ada } = desk);
  });

  afterAll(() => desk?.close());

  // Vitest's own limit is a second.
  const poll = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 60_000 });
  const alert = (page: Page) => page.getByRole('alert');
  const status = (page: Page) => page.getByLabel('Status', { exact: true });
  const orderLink = (page: Page, id: string) =>
    page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: id });
  const textOf = (page: Page) => page.locator('body').innerText();

  it('refuses a wrong password in words, then leads to the page that was asked for', async () => {
    const id = await desk.buy();
    await desk.inTab(
      async (page) => {
        await page.goto(`/orders/${id}`);
        await page.getByLabel('Email').fill(ada.email);
        await page.getByLabel('Password').fill('a wrong one');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await poll(() => alert(page).innerText()).toBe('This e-mail, password or code is not right.');
        await page.getByLabel('Password').fill(ada.password);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { name: id }).waitFor();
      },
      { as: null },
    );
  });

  it('finds an order by what the caller says, tells what happened, sends its ping again, and signs out', async () => {
    const id = await desk.buy('the-callers-own-word');
    await desk.buy();
    await until(() => stand.platform.of(id).length === 1);
    await desk.inTab(
      async (page) => {
        await signIn(page, ada);
        await page.getByRole('searchbox', { name: 'Search orders' }).fill('the-callers-own');
        await poll(() => page.getByRole('table', { name: 'Orders' }).getByRole('link').count()).toBe(1);
        expect(page.url()).toContain('/orders?q=the-callers-own');
        await orderLink(page, id).click();
        await page.getByRole('heading', { name: id }).waitFor();
        expect(await status(page).innerText()).toBe('Confirmed');
        await page.getByRole('list', { name: 'Timeline' }).getByText('Confirmed').first().waitFor();
        await page.getByRole('button', { name: 'Send ping again' }).click();
        await page.getByText('The ping is on its way.').waitFor();
        await until(() => stand.platform.of(id).length === 2);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('Password').waitFor();
        await page.goto('/orders');
        await page.getByLabel('Password').waitFor();
      },
      { as: null },
    );
  });

  it('leaves what is typed as it is while the address follows', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      const field = page.getByRole('searchbox', { name: 'Search orders' });
      await field.fill('two ');
      await page.waitForURL(/q=two$/);
      await field.press('End');
      await page.keyboard.type('words');
      await page.waitForURL(/q=two(%20|\+)words$/);
      await page.goBack();
      await poll(() => field.inputValue()).toBe('two');
    });
  });

  it('does the same by the keyboard alone', async () => {
    const id = await desk.buy('by-keyboard');
    await desk.inTab(
      async (page) => {
        await page.goto('/sign-in');
        await page.getByLabel('Email').waitFor();
        await page.keyboard.type(ada.email);
        await page.keyboard.press('Tab');
        await page.keyboard.type(ada.password);
        await page.keyboard.press('Enter');
        await orderLink(page, id).waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('by-keyboard');
        await page.waitForURL(/q=by-keyboard$/);
        await poll(() => page.getByRole('table', { name: 'Orders' }).getByRole('link').count()).toBe(1);
        await page.keyboard.press('Escape');
        await page.keyboard.press('j');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: id }).waitFor();
        await page.getByRole('button', { name: 'Add note' }).waitFor();
        await page.keyboard.press('n');
        await page.keyboard.type('She called.');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByText('The note is saved.').waitFor();
      },
      { as: null },
    );
  });

  it('asks for its first list once, and before the page is drawn', async () => {
    const id = await desk.buy();
    await desk.inTab(async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => {
        const isOfChanges = request.postData()?.includes('updated_at') === true;
        if (/\/(orders\/search|views)$/.test(request.url()) && !isOfChanges)
          asked.push(new URL(request.url()).pathname);
      });
      await page.goto('/orders');
      await orderLink(page, id).waitFor();
      // The page itself asks for the views.
      await until(() => asked.length > 1);
      expect(asked).toEqual(['/backoffice/v1/orders/search', '/backoffice/v1/views']);
    });
  });

  it('keeps its filters in the address, and says when nothing matches', async () => {
    await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto('/orders?status=pending,exception');
      await page.getByText('No orders').waitFor();
      await page.getByRole('button', { name: 'Remove the filter Status' }).click();
      await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.goBack();
      await page.getByText('No orders').waitFor();
    });
  });

  it('shows a change where the order stands, and announces new orders instead of moving rows', async () => {
    const id = await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto('/orders');
      await orderLink(page, id).waitFor();
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) });
      await stand.staff.changeStatus(id, 2001);
      await row.getByText('Order Confirmation Email Sent').waitFor();
      const fresh = await desk.buy();
      const news = page.getByRole('button', { name: /new order/ });
      await news.waitFor();
      expect(await orderLink(page, fresh).count()).toBe(0);
      await news.click();
      await orderLink(page, fresh).waitFor();
    });
  });

  it('says what an action will cause, and does it only after Apply', async () => {
    const id = await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      await page.getByRole('button', { name: 'Cancel and refund' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel and refund' });
      const consequences = await dialog.innerText();
      expect(consequences).toContain("The status becomes “Cancelled at the customer's request”.");
      expect(consequences).toContain('2 tickets go back on sale.');
      expect(consequences).toContain('$254.60');
      expect(consequences).toContain('The platform is told.');
      await dialog.locator('[data-action=cancel]').click();
      await dialog.waitFor({ state: 'hidden' });
      await poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Cancel and refund');
      expect(await status(page).innerText()).toBe('Confirmed');

      await page.getByRole('button', { name: 'Ship', exact: true }).click();
      await page.locator('[data-action=apply]').click();
      await page.getByRole('dialog').getByRole('alert').getByText('Carrier is missing.').waitFor();
      await page.getByLabel('Carrier').fill('UPS');
      await page.getByLabel('Tracking number').fill('1Z999AA10123456784');
      await page.locator('[data-action=apply]').click();
      await poll(() => status(page).innerText()).toBe('Tickets shipped (hard tickets)');
      expect(await textOf(page)).toContain('1Z999AA10123456784');
    });
  });

  it('tells the second of two operators what the first one did, keeps what was typed, and shows each the change of the other', async () => {
    const id = await desk.buy();
    const bob = await desk.operator('bob@example.com', 'Bob Martin', 'support');
    const answers: number[] = [];
    await desk.inTab(async (page) => {
      page.on('response', (response) => {
        if (response.url().endsWith(`${id}/fulfillment`)) answers.push(response.status());
      });
      await page.goto(`/orders/${id}`);
      await page.getByRole('button', { name: 'Ship', exact: true }).click();
      await page.getByLabel('Carrier').fill('UPS');
      await page.getByLabel('Tracking number').fill('1Z-of-ada');
      await page.getByLabel('Note').fill('Sent by courier.');
      await desk.inTab(
        async (other) => {
          await other.goto(`/orders/${id}`);
          await other.getByRole('button', { name: 'Deliver', exact: true }).click();
          await other.getByLabel('Ticket link').fill('https://tickets.example/of-bob');
          await other.locator('[data-action=apply]').click();
          await poll(() => status(other).innerText()).toBe('Tickets fulfilled - email');
          // Behind the dialog, the page shows the change as it happens.
          await poll(() => status(page).innerText()).toBe('Tickets fulfilled - email');
          await page.locator('[data-action=apply]').click();
          await poll(() => page.getByRole('dialog').getByRole('alert').innerText()).toBe(
            'Somebody else changed this order: it is now “Tickets fulfilled - email”. What you typed is kept. Look at what follows, then apply again.',
          );
          expect(answers).toEqual([412]);
          expect(await page.getByLabel('Tracking number').inputValue()).toBe('1Z-of-ada');
          expect(await page.getByLabel('Note').inputValue()).toBe('Sent by courier.');
          expect(await status(other).innerText()).toBe('Tickets fulfilled - email');
          await page.locator('[data-action=apply]').click();
          await poll(() => status(page).innerText()).toBe('Tickets shipped (hard tickets)');
          await poll(() => status(other).innerText()).toBe('Tickets shipped (hard tickets)');
          await other.getByRole('region', { name: 'Fulfilment' }).getByText('1Z-of-ada').waitFor();
        },
        { as: bob },
      );
    });
  });

  it('shows the order as it was, with the slider and by its address', async () => {
    const id = await desk.buyCaptured();
    await stand.staff.changeStatus(id, 2001);
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      await poll(() => status(page).innerText()).toBe('Order Confirmation Email Sent');
      await page.getByRole('slider', { name: 'As of' }).focus();
      await page.keyboard.press('ArrowLeft');
      await poll(() => status(page).innerText()).toBe('Confirmed');
      expect(page.url()).toContain('?version=');
      expect(await page.getByRole('button', { name: 'Ship', exact: true }).isDisabled()).toBe(true);
      await page.reload();
      await poll(() => status(page).innerText()).toBe('Confirmed');
      await page.getByRole('slider', { name: 'As of' }).focus();
      await page.keyboard.press('End');
      await poll(() => status(page).innerText()).toBe('Order Confirmation Email Sent');
    });
  });

  it("shows the buyer's data only for a reason, which the audit log keeps", async () => {
    const id = await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto(`/orders/${id}`);
      await page.getByText('a••@example.com').waitFor();
      expect(await textOf(page)).not.toContain('ada@example.com');
      await page.getByRole('button', { name: 'Reveal' }).click();
      await page.getByRole('button', { name: 'Reveal' }).click();
      await alert(page).getByText('Say why you need the data.').waitFor();
      await page.getByLabel('Reason').fill('The caller asks where the tickets went.');
      await page.getByRole('button', { name: 'Reveal' }).click();
      await page.getByText('ada@example.com').first().waitFor();
    });
    const audit = await stand.staff.get(`audit?action=personal_data.revealed&subject=order:${id}`);
    expect(audit.text).toContain('The caller asks where the tickets went.');
  });

  it('shows hostile text as text', async () => {
    const id = await desk.buy(HOSTILE);
    await stand.staff.send('POST', `orders/${id}/notes`, { text: HOSTILE });
    await desk.inTab(async (page) => {
      await page.addInitScript(`localStorage.setItem('willcall.orders', '{"columns": ["ref"]}')`);
      await page.goto('/orders');
      await page.getByText(HOSTILE).first().waitFor();
      await page.goto(`/orders/${id}`);
      await page.getByText(HOSTILE).first().waitFor();
      expect(await page.locator('img').count()).toBe(0);
      await page.goto(`/orders?q=${encodeURIComponent(HOSTILE)}&event_id=${encodeURIComponent(HOSTILE)}`);
      await page.getByText('No orders').waitFor();
    });
  });

  it('asks for the password over the page when the session has ended, and goes on', async () => {
    const id = await desk.buy();
    await desk.inTab(
      async (page) => {
        await signIn(page, ada);
        await page.goto(`/orders/${id}`);
        await page.getByRole('button', { name: 'Add note' }).click();
        await page.getByLabel('Note', { exact: true }).fill('typed before the session ended');
        await page.context().clearCookies();
        await page.getByRole('button', { name: 'Save note' }).click();
        const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
        await dialog.getByLabel('Password').fill(ada.password);
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('The note is saved.').waitFor();
        expect(page.url()).toContain(id);
      },
      { as: null },
    );
  });

  it('marks what a page asks by itself once nobody uses it, so that its session can end', async () => {
    await desk.inTab(async (page) => {
      const marked: boolean[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/backoffice/v1/delivery')) marked.push('x-background' in request.headers());
      });
      await page.goto('/delivery');
      await poll(() => Promise.resolve(marked.at(-1))).toBe(false);
      await page.evaluate('{ const now = performance.now.bind(performance); performance.now = () => now() + 60_000; }');
      await poll(() => Promise.resolve(marked.at(-1))).toBe(true);
      await page.keyboard.press('Shift');
      await poll(() => Promise.resolve(marked.at(-1))).toBe(false);
    });
  });

  it('invites an operator, makes a token that is shown once, and finds both in the audit log', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/settings/operators');
      await page.getByRole('button', { name: 'Add operator' }).click();
      const dialog = page.getByRole('dialog');
      const fault = (text: string) => dialog.getByRole('alert').filter({ hasText: text }).waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await fault('Enter a name.');
      await fault('Enter an e-mail address.');
      await poll(() => page.evaluate('document.activeElement?.labels?.[0]?.innerText')).toBe('Name');
      await dialog.getByLabel('Name').fill('Grace Hopper');
      // Only the server refuses it.
      await dialog.getByLabel('E-mail').fill('grace');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await fault('Must be an e-mail address');
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Grace Hopper');
      await dialog.getByLabel('E-mail').fill('grace@example.com');
      await dialog.getByRole('button', { name: 'Save' }).click();
      const [, invitation = ''] = /invitation#(\S+)/.exec(await dialog.locator('.secret').innerText()) ?? [];
      await page.goto(`/invitation#${invitation}`);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Save password' }).click();
      await page.getByText('Your password is saved.').waitFor();

      await page.goto('/settings/tokens');
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name').fill('accounting');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByText('It is shown only once.').waitFor();

      await page.goto('/settings/audit?action=token.created');
      await page.getByRole('cell', { name: 'token.created' }).first().waitFor();
      await page.getByRole('link', { name: 'Ada Lovelace' }).first().click();
      await page.waitForURL(/actor=operator/);
      expect(await page.getByLabel('Who').inputValue()).toBe(new URL(page.url()).searchParams.get('actor'));
      await page.goBack();
      await poll(() => page.getByLabel('Who').inputValue()).toBe('');
      await page.goto('/settings/audit?from=2031-01-01&to=nonsense');
      await page.getByText('No entries match.').waitFor();
    });
    await desk.inTab((page) => signIn(page, { email: 'grace@example.com', password: PASSWORD }), { as: null });
  });

  it('says what does not exist', async () => {
    await desk.inTab(async (page) => {
      for (const [address, text] of [
        ['/orders/ord_nobody_has', 'There is no order ord_nobody_has, or you may not see it.'],
        ['/listings/nobody-has', 'There is no listing nobody-has, or you may not see it.'],
        ['/events/nobody-has', 'The catalogue has no show nobody-has.'],
        ['/settings/webhooks/whk_nobody_has', 'There is no such webhook. It may have been removed.'],
      ] as const) {
        await page.goto(address);
        await page.getByRole('heading', { name: 'Not found' }).waitFor();
        await page.getByText(text).waitFor();
        await poll(() => page.title()).toBe('Not found · Willcall');
      }
    });
  });

  it('offers a viewer nothing to change', async () => {
    const id = await desk.buy();
    const viewer = await desk.operator('viewer@example.com', 'Vic', 'viewer');
    await desk.inTab(
      async (page) => {
        await signIn(page, viewer);
        await page.goto(`/orders/${id}`);
        await page.getByRole('list', { name: 'Timeline' }).waitFor();
        const buttons = await page.getByRole('main').getByRole('button').allInnerTexts();
        for (const name of ['Ship', 'Cancel and refund', 'Add note', 'Reveal', 'Send ping again'])
          expect(buttons).not.toContain(name);
        await page.goto('/settings/tokens');
        await page.getByText('Your role does not open this page.').waitFor();
        expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
      },
      { as: null },
    );
  });
});
