import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { ConsoleStand } from './support/console/console-stand.js';

/** What the console asks of people before they may go on. */
describe.skipIf(!chromium)('the console', () => {
  let desk: ConsoleStand;
  beforeAll(async () => {
    desk = await ConsoleStand.start({ workers: 0, settings: { REQUIRE_TOTP: 'support' } });
  });
  afterAll(() => desk?.close());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');

  it('asks who the person is before it gives access, and goes on with what was typed', async () => {
    const person = await desk.operator('proof@example.com', 'Barbara Liskov', 'administrator');
    await desk.inTab(
      async (page) => {
        await page.goto('/settings/keys');
        await button(page, 'New stream token').click();
        await dialog(page).getByLabel('Name').fill('Barn');
        const long = `created_at = created_at - interval '6 minutes', proven_at = proven_at - interval '6 minutes'`;
        await desk.stand.pool.query(`update sessions set ${long}`);
        const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
        const create = button(page, 'Create token');
        await create.click();
        await question.getByLabel('Password').fill('a wrong one');
        expect(await barriersOn(page)).toEqual([]);
        await question.getByLabel('Password').press('Escape');
        await page.getByRole('alert').getByText('Nothing was changed').waitFor();
        expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Barn');
        await create.click();
        await question.getByLabel('Password').fill('a wrong one');
        await button(page, 'Continue').click();
        await question.getByRole('alert').getByText('This password or code is not right.').waitFor();
        await question.getByLabel('Password').fill(person.password);
        await button(page, 'Continue').click();
        await page.getByText('It is shown only once.').waitFor();
        await button(page, 'I have saved it').click();
        await page.getByRole('row').filter({ hasText: 'Barn' }).waitFor();
      },
      { as: person },
    );
  });

  it('lets whoever must have an authenticator app and has none only set it up', async () => {
    const person = await desk.operator('required@example.com', 'Radia Perlman', 'support');
    await desk.inTab(
      async (page) => {
        await page.goto('/sign-in?next=%2Freports');
        await page.getByLabel('Email').fill(person.email);
        await page.getByLabel('Password').fill(person.password);
        await button(page, 'Sign in').click();
        await page.getByRole('heading', { name: 'Set up an authenticator app' }).waitFor();
        await page.goto('/orders');
        await page.waitForURL(/\/authenticator/);
        expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
        expect(await barriersOn(page)).toEqual([]);
        await button(page, 'Set up').click();
        const secret = await page.locator('.secret').innerText();
        await page.getByLabel('Code').fill(new TOTP({ secret: secret.trim() }).generate());
        await button(page, 'Turn on').click();
        await button(page, 'I have saved them').click();
        await button(page, 'Go on').click();
        await page.getByRole('navigation', { name: 'Main' }).waitFor();
      },
      { as: null },
    );
  });
});
