import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chromium } from './support/chromium.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { OPENID_CLIENT, OpenIdDouble } from './support/openid-double.js';

describe.skipIf(!chromium)('the console with single sign-on', () => {
  let provider: OpenIdDouble;
  let desk: ConsoleStand;
  let front: Server;
  beforeAll(async () => {
    // The provider has to know the public address before the api has a port.
    front = createServer(({ url }, response) => void response.writeHead(302, { location: `${desk.url}${url}` }).end());
    await once(front.listen(0, '127.0.0.1'), 'listening');
    const publicUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    provider = await OpenIdDouble.start(`${publicUrl}/backoffice/v1/session/openid/callback`);
    provider.people.set('ada', { email: 'ada@acme.example', email_verified: true, name: 'Ada', groups: ['desk'] });
    const settings = {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: OPENID_CLIENT.id,
      OIDC_CLIENT_SECRET: OPENID_CLIENT.secret,
      OIDC_SCOPES: 'openid email profile groups',
      OIDC_TRUSTED_DOMAINS: 'acme.example',
      OIDC_ROLES: 'groups=desk:support',
    };
    desk = await ConsoleStand.start({ workers: 0, settings });
  });
  afterAll(async () => {
    await desk?.close();
    await provider?.stop();
    front?.close();
  });

  const signInAtProvider = async (page: Page) => {
    await page.locator('[name=login]').fill('ada');
    await page.locator('[name=password]').fill('any');
    await page.locator('[type=submit]').click();
  };

  it('keeps what is written on a page whose session has ended, and goes on in it', async () => {
    const order = await desk.buy();
    await desk.inTab(
      async (page) => {
        const singleSignOn = page.getByRole('link', { name: 'Continue with single sign-on' });
        await page.goto(`/sign-in?next=${encodeURIComponent(`/orders/${order}`)}`);
        await singleSignOn.click();
        await signInAtProvider(page);
        await page.getByRole('button', { name: 'Add note' }).click();
        await page.getByLabel('Note').fill('The buyer called.');
        // The page notices when it asks for the timeline, every few seconds.
        await desk.stand.pool.query('delete from sessions');

        const tab = page.waitForEvent('popup');
        await page.getByRole('dialog').getByRole('link', { name: 'Continue with single sign-on' }).click();
        const popup = await tab;
        await popup.getByRole('navigation', { name: 'Main' }).waitFor();
        await popup.close();
        await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
        await page.getByRole('button', { name: 'Save note' }).click();
        await page.getByRole('list', { name: 'Timeline' }).getByText('The buyer called.').waitFor();
      },
      { as: null },
    );
  });
});
