import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { Sealer } from '#base/sealing';
import { MaintenanceRunner } from '#upkeep/maintenance-runner';
import { rebuildWork } from '#upkeep/rebuilds';
import { EventArchive } from '#event-store/event-archive';
import { objectStoreOf } from '#platform/storage.module';
import { LedgerProofs } from '#upkeep/ledger-proof';
import { VerificationRuns } from '#upkeep/verification-runs';
import { builtInCatalogueFile } from '#orders/status-catalogue-file';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { chromium } from './support/chromium.js';
import { barriersOn } from './support/console/barriers.js';
import { ConsoleStand } from './support/console/console-stand.js';
import { WebhookDouble } from './support/webhooks/webhook-double.js';

const OPENID = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'willcall', OIDC_CLIENT_SECRET: 'not-used-here' };

/** The pages of the settings in a browser. What the API refuses is tested beside its controllers. */
describe.skipIf(!chromium)('the settings of the console', () => {
  let desk: ConsoleStand;
  let receiver: WebhookDouble;

  beforeAll(async () => {
    receiver = await WebhookDouble.start();
    desk = await ConsoleStand.start({ workers: 0, settings: { WEBHOOK_ALLOW_PRIVATE: 'true', ...OPENID } });
  });

  afterAll(async () => {
    await desk?.close();
    await receiver?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  /** The secret of the open dialog, which is closed. */
  async function savedSecret(page: Page): Promise<string> {
    const secret = await dialog(page).locator('dd').last().innerText();
    await button(page, 'I have saved it').click();
    await dialog(page).waitFor({ state: 'detached' });
    return secret;
  }

  it('creates a platform client, rotates its secret and ends the old one', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/settings/clients');
      await button(page, 'New client').click();
      await button(page, 'Create client').click();
      await dialog(page).getByText('Enter a name.').waitFor();
      await dialog(page).getByLabel('Name').fill('SeatGeek');
      await dialog(page).getByLabel('Client ID').fill('with:colon');
      await button(page, 'Create client').click();
      await dialog(page).getByText('Must be 1 to 128 visible ASCII characters, without ":"').waitFor();
      await dialog(page).getByLabel('Client ID').fill('seatgeek');
      await button(page, 'Create client').click();
      await page.getByText('It is shown only once.').waitFor();
      const first = await savedSecret(page);
      await button(page, 'Edit SeatGeek').click();
      await dialog(page).getByRole('checkbox', { name: 'Require ref_id' }).check();
      await button(page, 'Save').click();
      await rowOf(page, 'SeatGeek').getByText('ref_id required').waitFor();
      await button(page, 'Rotate the secret of SeatGeek').click();
      await button(page, 'Rotate secret').click();
      await page.getByText('It is shown only once.').waitFor();
      expect(await savedSecret(page)).not.toBe(first);
      await rowOf(page, 'SeatGeek').getByText('Rotation under way').waitFor();
      await rowOf(page, 'SeatGeek')
        .getByRole('button', { name: /^End secret/ })
        .last()
        .click();
      await button(page, 'End').click();
      await rowOf(page, 'SeatGeek').getByText('Active').waitFor();
      await button(page, 'Revoke SeatGeek').click();
      expect(await dialog(page).innerText()).toContain('cannot look up or buy tickets any more');
      await button(page, 'Revoke').click();
      await button(page, 'Restore SeatGeek').waitFor();
    });
  });

  it('creates discovery keys and stream tokens, shows their secrets once, and revokes them', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/settings/keys');
      await button(page, 'New key').click();
      await dialog(page).getByLabel('Name').fill('Fan site');
      await dialog(page).getByLabel('Requests a second').fill('many');
      await dialog(page).getByLabel('With a secret').check();
      await button(page, 'Create key').click();
      await dialog(page).getByText('Enter a whole number of at least 1, or nothing.').waitFor();
      await dialog(page).getByLabel('Requests a second').fill('20');
      await button(page, 'Create key').click();
      await page.getByText('It is shown only once.').waitFor();
      const first = await savedSecret(page);
      await button(page, 'Rotate the secret of Fan site').click();
      await button(page, 'Rotate secret').click();
      await page.getByText('It is shown only once.').waitFor();
      expect(await savedSecret(page)).not.toBe(first);
      await rowOf(page, 'Fan site').getByText('earlier secret ends').waitFor();
      await button(page, 'Change Fan site').click();
      await dialog(page).getByLabel('Documents a page').fill('6000');
      await button(page, 'Save').click();
      await dialog(page).getByText('Enter a whole number from 1 to 5000.').waitFor();
      await dialog(page).getByLabel('Documents a page').fill('2000');
      await button(page, 'Save').click();
      await rowOf(page, 'Fan site').getByText('2,000').waitFor();
      await button(page, 'New stream token').click();
      await dialog(page).getByLabel('Name').fill('Warehouse');
      await button(page, 'Create token').click();
      await page.getByText('It is shown only once.').waitFor();
      expect(await savedSecret(page)).toMatch(/^wst_/);
      await button(page, 'Revoke the token of Warehouse').click();
      await button(page, 'Revoke').click();
      await rowOf(page, 'Warehouse').getByText('Revoked').waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  });

  it('adds a webhook, sends a test, pauses it, rotates its secret and removes it', async () => {
    await desk.inTab(
      async (page) => {
        await page.goto('/settings/webhooks');
        await page.getByText('No webhooks yet.').waitFor();
        await button(page, 'New webhook').click();
        await dialog(page).getByLabel('Address').fill('ftp://files.example');
        await button(page, 'Create webhook').click();
        await dialog(page)
          .getByText(/^Must be/)
          .waitFor();
        await dialog(page).getByLabel('Address').fill(receiver.url);
        await dialog(page).getByLabel('Rejected').check();
        await button(page, 'Create webhook').click();
        await page.getByText('It is shown only once.').waitFor();
        expect(await savedSecret(page)).toMatch(/^whsec_/);
        expect(await rowOf(page, receiver.url).innerText()).toContain('Rejected');
        await page.getByRole('link', { name: receiver.url }).click();
        await button(page, 'Send test').click();
        await dialog(page)
          .getByText(/^The receiver answered 2\d\d in/)
          .waitFor();
        await dialog(page).getByRole('button', { name: 'Close' }).last().click();
        await button(page, 'Pause').click();
        await page.getByText('Nothing is sent. What comes in the meantime waits').waitFor();
        expect(await barriersOn(page)).toEqual([]);
        await button(page, 'Resume').click();
        await button(page, 'Rotate secret').click();
        await dialog(page).getByRole('button', { name: 'Rotate secret' }).click();
        await page.getByText('It is shown only once.').waitFor();
        await savedSecret(page);
        await button(page, 'Remove').click();
        await dialog(page).getByRole('button', { name: 'Remove' }).click();
        await page.getByText('No webhooks yet.').waitFor();
      },
      { colorScheme: 'dark' },
    );
  });

  it('asks for a rebuild, shows how far it is, and what a verification has found', async () => {
    const { pool: owner } = desk.stand;
    const ids = new TimeOrderedIds();
    await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto('/settings/projections');
      await button(page, 'Rebuild Orders').click();
      expect(await dialog(page).innerText()).toContain('rebuilt from the events');
      await button(page, 'Start').click();
      await page.getByText('Waits to be taken').waitFor();
      expect(await button(page, 'Verify').isDisabled()).toBe(true);
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const rebuilding = new MaintenanceRunner(owner, ids).runRequested('rebuild', async (run, report, signal) => {
        report({ step: 'filling', done: 42, total: 100 });
        await ended;
        return await rebuildWork({ pool: owner }, new SystemClock())(run, report, signal);
      });
      await page.getByText('Reading the events').waitFor();
      await page.getByText('42%').waitFor();
      expect(await barriersOn(page)).toEqual([]);
      end();
      await rebuilding;
      await rowOf(page, 'Rebuild of Orders').getByText('Done, 1 row').waitFor();

      await owner.query('update orders set total_cents = 1');
      await button(page, 'Verify').click();
      await button(page, 'Start').click();
      await page.getByText('Waits to be taken').waitFor();
      const sealer = new Sealer(
        Buffer.from(desk.stand.environment['ENCRYPTION_KEY'] ?? '', 'base64'),
        new SystemRandomness(),
      );
      const settings = Object.assign(parseSettings({}), { LEDGER_ANCHORS: '' });
      const clock = new SystemClock();
      const archive = new EventArchive(objectStoreOf(settings));
      const runs = new VerificationRuns(owner, ids, clock, new LedgerProofs(owner, sealer, clock, settings, archive));
      await runs.step(new AbortController().signal);
      await rowOf(page, 'Verification').getByText('1 difference').waitFor();
      await page.getByRole('link', { name: /^Show the findings of/ }).click();
      await page.getByText('is not what a replay gives').waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  });

  it('edits the statuses, names each fault at its field, and shows what will change first', async () => {
    // With few statuses axe has less to look at.
    const { version: _version, ...file } = builtInCatalogueFile();
    const kept = [...Object.values(file.roles), 3009, 4001, 4002, 4003];
    const statuses = file.statuses.filter(({ status_code: code }) => kept.includes(code));
    await desk.stand.staff.send('PUT', 'status-catalogue', { ...file, statuses });
    await desk.inTab(async (page) => {
      await page.goto('/settings/catalogue');
      await button(page, 'Edit').click();
      await page.getByLabel('Message to the platform of 4001').fill('');
      await page.getByLabel('Code of 4002').fill('4003');
      await button(page, 'Review changes').click();
      await page.getByRole('alert').getByText('2 fields are not right.').waitFor({ state: 'attached' });
      await page.getByText('The code is there twice').waitFor();
      await expect
        .poll(() => page.evaluate('document.activeElement?.ariaLabel'))
        .toBe('Message to the platform of 4001');
      await page.getByLabel('Message to the platform of 4001').fill('Turned away at the door');
      await page.getByLabel('Code of 4003').first().fill('4002');
      await button(page, 'Remove status 3009').click();
      await button(page, 'Review changes').click();
      await button(page, 'Save as version 3').waitFor();
      expect(await dialog(page).innerText()).toContain(
        '4001, Message to the platform: “Customer denied entry” becomes “Turned away at the door”',
      );
      expect(await dialog(page).innerText()).toContain('3009 is removed: “Replacement tickets offered - rejected”');
      await button(page, 'Save as version 3').click();
      await rowOf(page, '4001').getByText('Turned away at the door').waitFor();
      await rowOf(page, 'Ada Lovelace').getByText('3', { exact: true }).waitFor();
      await page.goto('/settings/catalogue?edit=true');
      await page.getByLabel('Code of 4001').waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
  });

  it('tries a fraud rule on past orders, saves it, and switches it off', async () => {
    const order = await desk.buy();
    await desk.inTab(async (page) => {
      await page.goto('/settings/fraud-rules');
      await page.getByText('No fraud rules yet.').waitFor();
      await button(page, 'New rule').click();
      await dialog(page).getByLabel('Value 1').fill('1');
      await button(page, 'Add condition').or(button(page, '+ Add condition')).click();
      await dialog(page).getByLabel('Field 2').selectOption('quantity');
      await dialog(page).getByLabel('Value 2').fill('much');
      await button(page, 'Try on the last 30 days').click();
      await dialog(page).getByRole('alert').filter({ hasText: 'Value 2: must be an integer' }).waitFor();
      await dialog(page).getByLabel('Value 2').fill('1');
      await button(page, 'Try on the last 30 days').click();
      await dialog(page)
        .getByText(/The rule would have fired for \d+ purchases/)
        .waitFor();
      await dialog(page).getByRole('link', { name: order }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
      await button(page, 'Save').click();
      await dialog(page).getByRole('alert').filter({ hasText: 'Enter a name.' }).waitFor();
      await dialog(page).getByLabel('Name').fill('Everything');
      await button(page, 'Save').click();
      await rowOf(page, 'Everything')
        .getByText('Orders of the e-mail in 24 h at least 1 and Tickets at least 1')
        .waitFor();
      await button(page, 'Switch Everything off').click();
      await rowOf(page, 'Everything').getByText('Off', { exact: true }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
    const { body } = await desk.stand.staff.get('fraud-rules');
    expect(body).toMatchObject({ rules: [{ name: 'Everything', enabled: false }] });
  });

  it('adds policies and puts them in another order', async () => {
    await desk.inTab(async (page) => {
      await page.goto('/settings/policies');
      for (const name of ['Small', 'Wrong price']) {
        await button(page, 'New policy').click();
        await dialog(page).getByLabel('Name').fill(name);
        await dialog(page).getByLabel('Value 1').fill('20');
        if (name === 'Wrong price') {
          await dialog(page).getByLabel('What it does').selectOption('deny');
          await dialog(page).getByLabel('Reason').selectOption('price_error');
          await button(page, 'Write as JSON').click();
          await dialog(page).getByLabel('Condition as JSON').fill('{"not": {"field": "total", "op": ">", "value": 5}}');
        }
        await button(page, 'Save').click();
        await dialog(page).waitFor({ state: 'detached' });
      }
      await rowOf(page, 'Wrong price').getByText('not (Total above 5)').waitFor();
      await button(page, 'Move Wrong price up').click();
      await page.getByRole('button', { name: 'Move Small up' }).waitFor();
      expect(await barriersOn(page)).toEqual([]);
    });
    const { body } = await desk.stand.staff.get('policies');
    expect(body).toMatchObject({ policies: [{ name: 'Wrong price', reason: 'price_error' }, { name: 'Small' }] });
  });

  it('says that somebody else has changed the policies meanwhile, and keeps what was typed', async () => {
    const rule = { action: 'accept', where: { field: 'total', op: '<', value: 20 } };
    const put = (...names: string[]) =>
      desk.stand.staff.send('PUT', 'policies', {
        policies: names.map((name) => ({ ...rule, name, id: `pol_${name}` })),
      });
    await put('Mine');
    await desk.inTab(async (page) => {
      await page.goto('/settings/policies');
      await button(page, 'Edit Mine').click();
      await dialog(page).getByLabel('Name').fill('Mine, better');
      await put('Mine', 'Theirs');
      await button(page, 'Save').click();
      await dialog(page).getByRole('alert').getByText('Somebody else has changed the list').waitFor();
      expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Mine, better');
      expect((await desk.stand.staff.get('policies')).body).toMatchObject({
        policies: [{ name: 'Mine' }, { name: 'Theirs' }],
      });
      await button(page, 'Save').click();
      await dialog(page).waitFor({ state: 'detached' });
    });
    const { body } = await desk.stand.staff.get('policies');
    expect(body).toMatchObject({ policies: [{ name: 'Mine, better' }, { name: 'Theirs' }] });
  });

  it('changes the own password, and turns on codes of an authenticator app', async () => {
    const person = await desk.operator('totp@example.com', 'Grace Hopper', 'support');
    await desk.inTab(
      async (page) => {
        await page.goto('/orders');
        await button(page, 'Account of Grace Hopper').click();
        await page.getByRole('menuitem', { name: 'Your account' }).click();
        await page.getByLabel('Current password').fill('a wrong one');
        await page.getByLabel('New password').fill('short');
        await button(page, 'Change password').click();
        await page.getByText('The password needs at least 12 characters.').waitFor();
        await page.getByLabel('New password').fill('another long sentence');
        await button(page, 'Change password').click();
        await page.getByText('This is not your current password.').waitFor();
        await page.getByLabel('Current password').fill(person.password);
        await button(page, 'Change password').click();
        await page.getByText('Your password is changed.').waitFor();
        await button(page, 'Set up').click();
        await page.getByRole('img', { name: 'Picture to scan with an authenticator app' }).waitFor();
        expect(await barriersOn(page)).toEqual([]);
        const secret = await page.locator('.secret').innerText();
        await page.getByLabel('Code').fill('000000');
        await button(page, 'Turn on').click();
        await page.getByText('This code is not right.').waitFor();
        await page.getByLabel('Code').fill(new TOTP({ secret: secret.trim() }).generate());
        await button(page, 'Turn on').click();
        await page.getByText('From now on, signing in needs a code from your app.').waitFor();
        const codes = page.getByRole('list', { name: 'Recovery codes' });
        expect(await codes.getByRole('listitem').count()).toBe(10);
        const first = await codes.innerText();
        expect(await barriersOn(page)).toEqual([]);
        await button(page, 'I have saved them').click();
        await page.getByText('10 recovery codes are left.').waitFor();
        await button(page, 'Make new recovery codes').click();
        await codes.waitFor();
        expect(await codes.innerText()).not.toBe(first);
        await button(page, 'I have saved them').click();
        const places = page.getByRole('list', { name: 'Where you are signed in' });
        await places.getByText('Chrome on Linux').waitFor();
        expect(await button(page, 'Sign out everywhere else').isDisabled()).toBe(true);
      },
      { as: person },
    );
  });

  it('offers single sign-on, and says in words why it was refused', async () => {
    await desk.inTab(
      async (page) => {
        await page.goto('/sign-in?problem=unknown&next=%2Fdelivery');
        await page.getByRole('alert').getByText('Your account at the sign-in service has no access here.').waitFor();
        const link = page.getByRole('link', { name: 'Continue with single sign-on' });
        expect(await link.getAttribute('href')).toBe('/backoffice/v1/session/openid?next=%2Fdelivery');
      },
      { as: null },
    );
  });

  it('does not call a list empty that it could not read', async () => {
    await desk.inTab(async (page) => {
      const refused = { status: 409, json: { errors: [{ code: 40900, message: 'Not now' }] } };
      await page.route('**/backoffice/v1/discovery-keys', (route) => route.fulfill(refused));
      await page.goto('/settings/keys');
      await page.getByRole('alert').getByText('Not now').waitFor();
      expect(await page.getByText('No keys yet.').count()).toBe(0);
      await page.unroute('**/backoffice/v1/discovery-keys');
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
      await page
        .getByText('No keys yet.')
        .or(page.getByRole('table', { name: 'Discovery keys' }))
        .waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    });
  });
});
