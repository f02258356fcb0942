import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { OrderChanges } from '#orders/order-changes';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { call } from '../../../../test/support/callers.js';
import { decodedMail } from '../../../../test/support/decoded-mail.js';
import { MailDesk } from '../../../../test/support/mail-desk.js';
import { until } from '../../../../test/support/until.js';
import type { MailPreview } from '../mail.contract.js';

let desk: MailDesk;
beforeAll(async () => {
  desk = await MailDesk.start();
});
afterAll(() => desk.close());
afterEach(() => desk.stand.smtp.forget());

const METADATA = { transaction_id: 'test', actor: 'operator:ann' };
const UNTIL = '2100-03-01T18:30:00.000Z';

async function asked(): Promise<string> {
  const id = await desk.confirmed();
  await desk.work();
  desk.stand.smtp.forget();
  const command = { type: 'AskChoice', job: 'job_1', until: UNTIL, at: new Date().toISOString() } as const;
  await desk.stand.api.app.get(OrderChanges).apply(id, command, METADATA);
  return id;
}

const choiceMails = async (id: string) => (await desk.mailsOf(id)).filter(({ kind }) => kind === 'choice');
const ended = (id: string) =>
  until(async () => {
    await desk.work();
    return (await choiceMails(id)).every(({ state }) => state !== 'due') && (await choiceMails(id)).length > 0;
  });

it('the buyer of a postponed show gets one mail with the link that opens the page', async () => {
  const id = await asked();
  await ended(id);
  await desk.work();
  expect(desk.stand.smtp.accepted).toHaveLength(1);
  const { text } = decodedMail(desk.stand.smtp.accepted[0] ?? '');
  expect(text.replaceAll(/\s/g, ' ')).toContain('by March 1, 2100 at 6:30 PM UTC');
  const [, token = ''] = /\/choices\/(\S+)/.exec(text) ?? [];
  expect(text).toContain(`${PUBLIC_URL}/choices/${token}`);
  expect((await call(`${desk.stand.api.url}/choices/${token}`, 'GET')).status).toBe(200);
  expect(await desk.codeOf(id)).toBe(2001);
  const { body } = await desk.stand.api.staff.send('POST', `orders/${id}/mails/preview`, { kind: 'choice' });
  expect((body as MailPreview).text).toContain('/choices/…\n');
});

it('nobody is written to once the buyer has chosen', async () => {
  const id = await asked();
  const refund = { refundId: 'rf_1', requestedBy: 'link:job_1' };
  const answer = { type: 'AnswerChoice', job: 'job_1', answer: 'keep', at: new Date().toISOString(), refund } as const;
  await desk.stand.api.app.get(OrderChanges).apply(id, answer, METADATA);
  await ended(id);
  expect(await choiceMails(id)).toMatchObject([{ state: 'skipped', error: 'no choice waits for the buyer' }]);
  const again = await desk.stand.api.staff.send('POST', `orders/${id}/mails`, { kind: 'choice' });
  expect([again.status, desk.stand.smtp.accepted]).toEqual([409, []]);
});
