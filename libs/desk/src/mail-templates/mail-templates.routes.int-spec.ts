import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAIL_KINDS } from '#fulfilment/mail.contract';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { STAFF_TOKEN } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { type MailTemplateList, STAFF_MAIL_KINDS } from '../mail-template.contract.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ MAIL_FROM: 'Box Office <tickets@front-row.example>' });
});
afterAll(() => api.close());

it('all e-mails are shown as they go out, with invented data, to administrators', async () => {
  const { status, body } = await api.staff.get('mail-templates');
  const { templates } = body as MailTemplateList;
  expect([status, templates.map(({ id }) => id)]).toEqual([200, [...MAIL_KINDS, ...STAFF_MAIL_KINDS]]);
  const buyers: readonly string[] = MAIL_KINDS;
  for (const { id, html, text, subject } of templates) {
    expect(html).toMatch(/^<!doctype html><html lang="en">.*<title>/s);
    const greeting = buyers.includes(id) ? 'Hello Ada,.*' : '';
    for (const part of [html, text]) {
      expect(part).toMatch(new RegExp(`${greeting}Box Office.*tickets@front-row\\.example`, 's'));
    }
    expect(subject + html + text).not.toMatch(/\{\{|undefined|NaN/);
  }
  const page = await fetch(`${api.url}/backoffice/v1/mail-templates/report/page`, {
    headers: { authorization: `Bearer ${STAFF_TOKEN}` },
  });
  expect(await page.text()).toBe(templates.find(({ id }) => id === 'report')?.html);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none';.*sandbox; frame-ancestors 'self'$/);
  expect((await api.staff.get('mail-templates/none/page')).status).toBe(404);
  expect((await (await signIn(api, ['operations'])).get('mail-templates')).status).toBe(403);
});
