import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MailPreview } from '../mail.contract.js';
import type { Timeline } from '#desk/timeline.contract';
import { OrderChanges } from '#orders/order-changes';
import { PaymentSteps } from '#orders/payments/payment-steps';
import type { Settings } from '#base/settings';
import { BounceAddresses } from './bounces/bounce-addresses.js';
import { MailBounces } from './mail-bounces.js';
import { MailSending } from './mail-sending.js';
import type { TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { decodedMail } from '../../../../test/support/decoded-mail.js';
import { MailDesk } from '../../../../test/support/mail-desk.js';
import { signIn } from '../../../../test/support/operators.js';
import { attachTickets, PDF, PKPASS } from '../../../../test/support/orders/ticket-files.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { SmtpDouble } from '../../../../test/support/smtp-double.js';
import { until } from '../../../../test/support/until.js';

let desk: MailDesk;
let api: TestApi;
let smtp: SmtpDouble;

beforeAll(async () => {
  desk = await MailDesk.start();
  ({ api, smtp } = desk.stand);
});
afterAll(() => desk.close());
afterEach(() => {
  vi.restoreAllMocks();
  smtp.forget();
});

describe('a confirmed order', () => {
  it('is confirmed by e-mail once, and then has the status 2001', async () => {
    const id = await desk.confirmed();
    const [mail] = await desk.mailsOf(id);
    const sending = api.app.get(MailSending);
    // Two workers, and a job that comes again.
    await Promise.all([sending.process({ id: mail?.id ?? '' }), sending.process({ id: mail?.id ?? '' })]);
    await desk.work();
    expect(smtp.accepted).toHaveLength(1);
    const [message] = smtp.accepted;
    expect(message).toMatch(/^From: Box Office <tickets@front-row\.example>/m);
    expect(message).toMatch(new RegExp(`^Message-ID: <${mail?.id}@front-row\\.example>`, 'm'));
    expect(message).toContain(id);
    expect(await desk.codeOf(id)).toBe(2001);
    expect(await desk.mailsOf(id)).toMatchObject([
      { kind: 'confirmation', state: 'sent', requested_by: 'system:mail', attempts: 1 },
    ]);
    const { body } = await api.staff.get(`orders/${id}/timeline`);
    expect((body as Timeline).entries.filter(({ kind }) => kind === 'email')).toMatchObject([
      { title: 'Confirmation sent by e-mail', actor: 'system:mail' },
    ]);
  });

  it('is not mailed again by a worker that died after the mail server had it', async () => {
    const id = await desk.confirmed();
    const [mail] = await desk.mailsOf(id);
    const apply = vi.spyOn(api.app.get(OrderChanges), 'apply').mockRejectedValueOnce(new Error('killed'));
    await expect(api.app.get(MailSending).process({ id: mail?.id ?? '' })).rejects.toThrow('killed');
    apply.mockRestore();
    expect([(await desk.mailsOf(id))[0]?.state, await desk.codeOf(id)]).toEqual(['accepted', 2000]);
    await desk.work();
    expect(await desk.codeOf(id)).toBe(2000);
    // When its lease is over.
    desk.later(121_000);
    await desk.work();
    expect([smtp.accepted.length, await desk.codeOf(id)]).toEqual([1, 2001]);
  });

  it('greets the payer by the first name, or by the corrected one', async () => {
    const id = await desk.confirmed();
    await desk.work();
    const greeting = async () => {
      const { body } = await api.staff.send('POST', `orders/${id}/mails/preview`, { kind: 'confirmation' });
      return (body as MailPreview).text.split('\n')[0];
    };
    expect(await greeting()).toBe('Hello Ada,');
    expect(
      (await api.staff.send('PATCH', `orders/${id}/buyer`, { first_name: ' Augusta ', last_name: '' })).status,
    ).toBe(200);
    expect(await greeting()).toBe('Hello Augusta,');
  });

  it('without an e-mail address gets none', async () => {
    const { user: _user, ...body } = wholesaleBody();
    const id = await api.wholesale.bought(body);
    await until(async () => {
      await desk.work();
      return (await desk.mailsOf(id))[0]?.state === 'skipped';
    });
    expect([smtp.accepted.length, (await api.wholesale.read(id)).body]).toEqual([
      0,
      expect.objectContaining({ status: expect.objectContaining({ status_code: 2000 }) }),
    ]);
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'confirmation' })).status).toBe(409);
  });
});

describe('a mail server', () => {
  it('that refuses a mail for good makes the order an exception (4002), without the address in the error', async () => {
    const id = await desk.confirmed();
    smtp.refusals.push([550, '5.1.1 No such mailbox']);
    await desk.work();
    expect(await desk.codeOf(id)).toBe(4002);
    expect(await desk.mailsOf(id)).toMatchObject([{ state: 'refused', error: '550 5.1.1', to: null }]);
  });

  it('that is busy is asked again later', async () => {
    const id = await desk.confirmed();
    smtp.refusals.push([451, '4.3.2 Try again']);
    await desk.work();
    expect(await desk.mailsOf(id)).toMatchObject([
      { state: 'due', attempts: 1, error: 'the mail could not be sent: 451' },
    ]);
    await desk.work();
    expect(smtp.accepted).toHaveLength(0);
    desk.later(31_000);
    await desk.work();
    expect([smtp.accepted.length, await desk.codeOf(id)]).toEqual([1, 2001]);
  });
});

describe('a mail that comes back', () => {
  const bounce = async (messageId: string) =>
    (await api.staff.send('POST', 'delivery-reports', { message_id: messageId, report: 'bounced' })).body;

  it('makes the order an exception, and a corrected address makes it good again', async () => {
    const id = await desk.confirmed();
    await desk.work();
    const [mail] = await desk.mailsOf(id);
    expect(await bounce(`<${mail?.id}@tickets.example>`)).toEqual({
      orders: [{ order_id: id, moved: true, status_code: 4002 }],
      ignored: false,
    });
    await api.staff.send('PATCH', `orders/${id}/buyer`, { email: 'right@example.com' });
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'confirmation' })).status).toBe(201);
    await desk.work();
    expect(smtp.accepted[1]).toMatch(/^To: right@example\.com/m);
    expect(await desk.codeOf(id)).toBe(2001);
    // The first one again: it says nothing about the second.
    expect(await bounce(mail?.id ?? '')).toMatchObject({ orders: [{ moved: false, status_code: 2001 }] });
    expect((await desk.mailsOf(id)).map(({ state }) => state)).toEqual(['bounced', 'sent']);
  });

  it('is unknown if nobody sent it', async () => {
    const answer = await api.staff.send('POST', 'delivery-reports', { message_id: 'mai_none', report: 'bounced' });
    expect(answer.status).toBe(404);
  });
});

describe('a mailbox of bounces', () => {
  const notification = (messageId: string) => `From MAILER-DAEMON Mon Nov 23 04:11:02 2026
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ada@example.com
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: ${messageId}

--b--

`;
  const mailOf = async (id: string) => (await desk.mailsOf(id)).at(-1);
  let mailbox: string;
  beforeAll(() => {
    mailbox = join(desk.stand.folder, 'bounces.mbox');
  });
  /** As a worker does after a start. */
  const newReader = () =>
    new MailBounces(
      { PUBLIC_URL, MAIL_FROM: 'Box Office <tickets@Front-Row.example>', MAIL_BOUNCES_FILE: mailbox } as Settings,
      api.app.get(MailSending),
      api.app.get(BounceAddresses),
    );

  it('moves each order once, also with two workers, a restart and what was solved since', async () => {
    const ids = [await desk.confirmed(), await desk.confirmed()];
    await desk.work();
    const [one, two] = [newReader(), newReader()];
    await Promise.all([one.run(), two.run()]);
    writeFileSync(mailbox, notification(`<${(await mailOf(ids[0] ?? ''))?.id}@tickets.example>`));
    await Promise.all([one.run(), two.run()]);
    expect(await Promise.all(ids.map(desk.codeOf))).toEqual([4002, 2001]);
    await api.staff.changeStatus(ids[0] ?? '', 2000);
    appendFileSync(mailbox, notification(`<${(await mailOf(ids[1] ?? ''))?.id}@front-row.example>`));
    await Promise.all([one.run(), two.run(), newReader().run()]);
    expect(await Promise.all(ids.map(desk.codeOf))).toEqual([2000, 4002]);
    const mail = await mailOf(ids[1] ?? '');
    expect(mail).toMatchObject({ state: 'bounced' });
    // It was sent, and it came back.
    const count = `select count(*)::int as events from events where metadata ->> 'transaction_id' = $1`;
    expect((await api.pool.query(count, [mail?.id])).rows).toEqual([{ events: 2 }]);
  });

  it('is read without a part of the mail too, by the envelope sender that each mail has for itself', async () => {
    const ids = [await desk.confirmed(), await desk.confirmed()];
    await desk.work();
    const own = smtp.senders.map((sender, at) => [sender, smtp.accepted[at]] as const);
    const senderOf = (id: string) => own.find(([, message]) => message?.includes(id))?.[0] ?? '';
    const [one = '', two = ''] = ids;
    const bare = (to: string) =>
      notification('<x@y.example>')
        .replace(/--b\nContent-Type: text[^]*?(?=--b--)/, '')
        .replace('\nContent-Type', `\nDelivered-To: ${to}\nContent-Type`);
    writeFileSync(mailbox, bare(senderOf(one)) + bare(senderOf(two).replace(/[0-9a-f]{16}@/, '0123456789abcdef@')));
    await newReader().run();
    expect(await Promise.all(ids.map(desk.codeOf))).toEqual([4002, 2001]);
    expect(smtp.accepted[0]).toMatch(/^From: Box Office <tickets@front-row\.example>/m);
  });

  it('that names a mail of somebody else, or one that never went out, changes nothing', async () => {
    const id = await desk.confirmed();
    const mail = await mailOf(id);
    writeFileSync(mailbox, notification(`<${mail?.id}@tickets.example>`));
    await newReader().run();
    await desk.work();
    writeFileSync(
      mailbox,
      ['other.example', 'tickets.example.net'].map((host) => notification(`<${mail?.id}@${host}>`)).join(''),
    );
    await newReader().run();
    expect([await desk.codeOf(id), (await mailOf(id))?.state]).toEqual([2001, 'sent']);
  });
});

describe('a refund', () => {
  const settle = (id: string) =>
    api.app.get(PaymentSteps).run(id, { transaction_id: 'of the test', actor: 'system:refund' });
  const refund = async (id: string, amount: number) => {
    const asked = await api.staff.send('POST', `orders/${id}/refunds`, { amount, reason: 'price_error' });
    expect(asked.status).toBe(201);
    await settle(id);
  };
  const texts = () => smtp.accepted.map((mail) => decodedMail(mail).text);

  it('is told to the buyer once it was made, each once, and moves no order', async () => {
    const id = await desk.confirmed();
    await desk.work();
    await settle(id);
    smtp.forget();
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'refund' })).status).toBe(409);
    await refund(id, 12.5);
    await refund(id, 20);
    await until(async () => {
      await desk.work();
      return (await desk.mailsOf(id)).length === 3;
    });
    await desk.work();
    expect(smtp.accepted).toHaveLength(2);
    expect(texts()).toEqual([expect.stringContaining('$12.50 back'), expect.stringContaining('$20.00 back')]);
    expect(texts()[0]).toContain('card ending in 1111');
    expect((await desk.mailsOf(id)).slice(1)).toMatchObject([
      { kind: 'refund', state: 'sent', requested_by: 'system:mail' },
      { kind: 'refund', state: 'sent' },
    ]);
    expect(await desk.codeOf(id)).toBe(2001);
  });

  it('is told again on demand', async () => {
    const id = await desk.confirmed();
    await settle(id);
    await refund(id, 5);
    const { body } = await api.staff.send('POST', `orders/${id}/mails/preview`, { kind: 'refund' });
    expect((body as MailPreview).text).toContain('$5.00 back');
    await api.staff.send('POST', `orders/${id}/mails`, { kind: 'refund' });
    await desk.work();
    expect(texts().filter((text) => text.includes('$5.00 back')).length).toBeGreaterThan(0);
  });
});

describe('tickets by e-mail', () => {
  it('are links that open the files, and give the status 2004', async () => {
    const id = await desk.confirmed();
    await desk.work();
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'tickets' })).status).toBe(409);
    await attachTickets(api, id, [
      { name: 'a.pdf', content: PDF, seat: '4' },
      { name: 'a.pkpass', content: PKPASS, seat: '4' },
    ]);
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'tickets' })).status).toBe(201);
    await desk.work();
    expect(await desk.codeOf(id)).toBe(2004);
    const text = smtp.accepted[1]?.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=') ?? '';
    expect(text).toContain('Seat 4 (Apple Wallet): https:');
    const link = /Seat 4: (https:\S+)/.exec(text)?.[1] ?? '';
    const answer = await fetch(api.url + link.slice(PUBLIC_URL.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
  });
});

describe('what was mailed', () => {
  it('is previewed without its links, and masked for people', async () => {
    const id = await desk.bought();
    await attachTickets(api, id, [{ name: 'a.pdf', content: PDF }]);
    const support = await signIn(api, ['support']);
    const { body } = await support.send('POST', `orders/${id}/mails/preview`, { kind: 'tickets' });
    const { to, text } = body as MailPreview;
    expect(to).toMatch(/^.••@/);
    expect(text).toContain('signature=…');
    expect(text).toContain('Hello …,');
    // Files are often named after the buyer.
    expect(text).not.toContain('a.pdf');
    expect(smtp.accepted).toEqual([]);
  });

  it('is unreadable after an erasure', async () => {
    const id = await desk.confirmed();
    await desk.work();
    expect((await desk.mailsOf(id))[0]?.text).toContain(id);
    await api.staff.send('DELETE', `orders/${id}/personal-data`);
    expect((await desk.mailsOf(id))[0]).toMatchObject({ state: 'sent', to: null, subject: null, text: null });
  });
});
