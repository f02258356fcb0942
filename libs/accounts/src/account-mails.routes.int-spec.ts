import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { AccountMails } from './account-mails.js';
import { MailRefused, MailTransport } from '#mail/mail-transport';
import { PUBLIC_URL } from '../../../test/support/api-environment.js';
import { decodedMail } from '../../../test/support/decoded-mail.js';
import { type MailApi, startMailApi } from '../../../test/support/mail-api.js';
import { signIn } from '../../../test/support/operators.js';

let stand: MailApi;
let sending: AccountMails;
beforeAll(async () => {
  stand = await startMailApi();
  sending = stand.api.app.get(AccountMails);
});
afterAll(() => stand.close());
afterEach(() => {
  vi.restoreAllMocks();
  stand.smtp.forget();
});

const waiting = async () => (await stand.api.pool.query('select from account_mails')).rowCount;

it('people are told by e-mail of a new address, at both', async () => {
  const { id } = await signIn(stand.api, ['support']);
  const { email } = (await stand.api.staff.get(`operators/${id}`)).body as { email: string };
  await stand.api.staff.send('PATCH', `operators/${id}`, { email: 'new@example.com' });
  expect([await sending.step(), await sending.step(), await sending.step()]).toEqual([true, true, false]);
  const mails = stand.smtp.accepted.map(decodedMail);
  expect(mails.map(({ to }) => to).sort()).toEqual([email, 'new@example.com'].sort());
  for (const { subject, text } of mails) {
    expect(subject).toBe('The e-mail address of your Willcall account was changed');
    expect(text).toContain('by an administrator');
    expect(text).toContain(`${PUBLIC_URL}/account`);
  }
  expect(await waiting()).toBe(0);
});

it('a mail is tried again later, and given up if the server will never take it', async () => {
  const { id } = await signIn(stand.api, ['support']);
  await stand.api.staff.send('PATCH', `operators/${id}`, { password: 'another good one' });
  const send = vi.spyOn(stand.api.app.get(MailTransport), 'send').mockRejectedValueOnce(new Error('no answer'));
  await expect(sending.step()).rejects.toThrow('no answer');
  expect([await sending.step(), await waiting()]).toEqual([false, 1]);
  await stand.api.pool.query(`update account_mails set lease_until = lease_until - interval '2 minutes'`);
  send.mockRejectedValueOnce(new MailRefused('550'));
  await expect(sending.step()).rejects.toThrow('550');
  expect(await waiting()).toBe(0);
});
