import { appendFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Catalogue } from '#catalogue/catalogue';
import type { MailPreview, OrderMailList } from '#contracts/backoffice/mail';
import type { Timeline } from '#contracts/backoffice/timeline';
import { DatabaseClock } from '#database/database-clock';
import { FeedLeader } from '#event-store/feed-leader';
import { OrderChanges } from '#orders/commands/order-changes';
import { Settings } from '#config/settings';
import { MailBounces } from '#orders/mail/mail-bounces';
import { MailComposer } from '#orders/mail/mail-composer';
import { MailSchedule } from '#orders/mail/mail-schedule';
import { MailQueue, MailSending } from '#orders/mail/mail-sending';
import { MailRefused, MailTransport } from '#orders/mail/mail-transport';
import { Mails } from '#orders/mail/mails';
import { SystemClock } from '#runtime/clock';
import { ObjectStore } from '#storage/object-store';
import type { TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { type MailApi, startMailApi } from '../../../../test/support/mail-api.js';
import { signIn } from '../../../../test/support/operators.js';
import { attachTickets, PDF } from '../../../../test/support/orders/ticket-files.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { SmtpDouble } from '../../../../test/support/smtp-double.js';
import { until } from '../../../../test/support/until.js';

let stand: MailApi;
let api: TestApi;
let smtp: SmtpDouble;
let leader: FeedLeader;
let purchases = 0;

beforeAll(async () => {
  stand = await startMailApi();
  ({ api, smtp } = stand);
  await api.staff.putListing('lst-1', { quantity: 500 });
  leader = new FeedLeader({
    connection: { connectionString: api.databaseUrl, options: '-c role=willcall_app' },
    clock: new SystemClock(),
    onError: () => undefined,
  });
  leader.start();
  // From now on.
  await api.app.get(MailSchedule).run();
});
afterAll(async () => {
  await leader.stop();
  await stand.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  smtp.forget();
});

function bought(): Promise<string> {
  purchases += 1;
  return api.payment.bought({ ...cardBody(), ref_id: `mail-${purchases}` });
}
const mailsOf = async (id: string) => ((await api.staff.get(`orders/${id}/mails`)).body as OrderMailList).mails;
/** What the worker does: the schedule, and then each due mail. */
async function work(): Promise<void> {
  await api.app.get(MailSchedule).run();
  for (const id of await api.app.get(Mails).due(100)) await api.app.get(MailSending).process({ id });
}
/** Waits until the feed has the order and its mail was tried. */
async function confirmed(): Promise<string> {
  const id = await bought();
  await until(async () => {
    await api.app.get(MailSchedule).run();
    return (await mailsOf(id)).length === 1;
  });
  return id;
}
const codeOf = async (id: string) =>
  ((await api.payment.read(id)).body as { status: { status_code: number } }).status.status_code;
const later = (ms: number) => {
  const now = Date.now();
  vi.spyOn(api.app.get(DatabaseClock), 'now').mockImplementation(() => now + ms);
};

describe('a confirmed order', () => {
  it('is confirmed by e-mail once, and then has the status 2001', async () => {
    const id = await confirmed();
    const [mail] = await mailsOf(id);
    const sending = api.app.get(MailSending);
    // Two workers, and a job that comes again.
    await Promise.all([sending.process({ id: mail?.id ?? '' }), sending.process({ id: mail?.id ?? '' })]);
    await work();
    expect(smtp.accepted).toHaveLength(1);
    const [message] = smtp.accepted;
    expect(message).toMatch(/^From: Front Row <tickets@front-row\.example>/m);
    expect(message).toMatch(new RegExp(`^Message-ID: <${mail?.id}@tickets\\.example>`, 'm'));
    expect(message).toContain(id);
    expect(await codeOf(id)).toBe(2001);
    expect(await mailsOf(id)).toMatchObject([
      { kind: 'confirmation', state: 'sent', requested_by: 'system:mail', attempts: 1 },
    ]);
    const { body } = await api.staff.get(`orders/${id}/timeline`);
    expect((body as Timeline).entries.filter(({ kind }) => kind === 'email')).toMatchObject([
      { title: 'Confirmation sent by e-mail', actor: 'system:mail' },
    ]);
  });

  it('is not mailed again by a worker that died after the mail server had it', async () => {
    const id = await confirmed();
    const [mail] = await mailsOf(id);
    const apply = vi.spyOn(api.app.get(OrderChanges), 'apply').mockRejectedValueOnce(new Error('killed'));
    await expect(api.app.get(MailSending).process({ id: mail?.id ?? '' })).rejects.toThrow('killed');
    apply.mockRestore();
    expect([(await mailsOf(id))[0]?.state, await codeOf(id)]).toEqual(['accepted', 2000]);
    await work();
    expect(await codeOf(id)).toBe(2000);
    // When its lease is over.
    later(121_000);
    await work();
    expect([smtp.accepted.length, await codeOf(id)]).toEqual([1, 2001]);
  });

  it('without an e-mail address gets none', async () => {
    const { user: _user, ...body } = wholesaleBody();
    const id = await api.wholesale.bought(body);
    await until(async () => {
      await work();
      return (await mailsOf(id))[0]?.state === 'skipped';
    });
    expect([smtp.accepted.length, (await api.wholesale.read(id)).body]).toEqual([
      0,
      expect.objectContaining({ status: expect.objectContaining({ status_code: 2000 }) }),
    ]);
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'confirmation' })).status).toBe(409);
  });
});

describe('nobody is mailed', () => {
  /** Takes the event of all purchases here into the catalogue. */
  const showAt = async (ms: number, doubts: object = {}) => {
    const start = new Date(Date.now() + ms).toISOString().slice(0, 19);
    const venue = { id: 1, name: 'Pier Nine Hall', city: 'Boston', state: 'MA', country: 'US' };
    const times = { datetime_local: start, datetime_utc: start, ...doubts };
    const show = {
      id: 5512,
      title: 'Moth Light',
      type: 'concert',
      ...times,
      venue,
      performers: [{ id: 1, name: 'x' }],
    };
    const catalogue = new Catalogue(api.pool, new SystemClock());
    expect(await catalogue.write('events', [show] as never)).toEqual([]);
  };
  afterEach(() => api.pool.query('delete from discovery_events where id = 5512'));

  const SAMPLE = `update orders set listing_id = 'sample-5512-confirm-60', transaction_id = 'sg-' || repeat('0a', 16),
    ref_id = 'sg-mh1z2-' || $2 where id = $1`;
  const marks: [string, (id: string) => Promise<unknown>][] = [
    ['about a sample order', (id) => api.pool.query(SAMPLE, [id, String(purchases)])],
    ['about an imported order', (id) => api.pool.query('update pings set imported = true where order_id = $1', [id])],
    ['when the show is over', () => showAt(-300 * 60_000)],
  ];

  it.each(marks)('%s, neither by itself, nor by staff, nor by what an earlier version scheduled', async (_, mark) => {
    const id = await bought();
    await mark(id);
    await until(async () => (await api.pool.query('select from feed where stream = $1', [`order-${id}`])).rowCount);
    await work();
    expect(await mailsOf(id)).toEqual([]);
    for (const path of ['mails', 'mails/preview']) {
      expect((await api.staff.send('POST', `orders/${id}/${path}`, { kind: 'confirmation' })).status).toBe(409);
    }
    const due = await api.app.get(Mails).request(id, 'confirmation', 'system:mail');
    await work();
    expect(await mailsOf(id)).toMatchObject([{ id: due, state: 'skipped', error: expect.any(String) as string }]);
    expect([smtp.accepted, await codeOf(id)]).toEqual([[], 2000]);
  });

  it.each([
    ['is on', 0, {}],
    ['is today, at some time', -18 * 3_600_000, { time_tbd: true }],
    ['is on some day', -40 * 86_400_000, { date_tbd: true }],
  ])('too late about a show that %s', async (_, ms, doubts) => {
    await showAt(ms, doubts);
    const id = await confirmed();
    await work();
    expect(await mailsOf(id)).toMatchObject([{ state: 'sent' }]);
  });

  it('about what was confirmed while the mails were switched off', async () => {
    const off = new MailSchedule(api.app.get(Mails), api.app.get(MailQueue), { MAIL_AUTOMATIC: false } as Settings);
    const id = await bought();
    await until(
      async () => (await api.pool.query('select from feed where stream = $1', [`order-${id}`])).rowCount === 3,
    );
    await off.run();
    const later = await confirmed();
    await work();
    expect([await mailsOf(id), await mailsOf(later)]).toMatchObject([[], [{ state: 'sent' }]]);
  });
});

describe('a mail server', () => {
  it('that refuses a mail for good makes the order an exception (4002), without the address in the error', async () => {
    const id = await confirmed();
    smtp.refusals.push([550, '5.1.1 No such mailbox']);
    await work();
    expect(await codeOf(id)).toBe(4002);
    expect(await mailsOf(id)).toMatchObject([{ state: 'refused', error: '550 5.1.1', to: null }]);
  });

  it('that is busy is asked again later', async () => {
    const id = await confirmed();
    smtp.refusals.push([451, '4.3.2 Try again']);
    await work();
    expect(await mailsOf(id)).toMatchObject([{ state: 'due', attempts: 1, error: 'the mail could not be sent: 451' }]);
    await work();
    expect(smtp.accepted).toHaveLength(0);
    later(31_000);
    await work();
    expect([smtp.accepted.length, await codeOf(id)]).toEqual([1, 2001]);
  });
});

describe('a worker that was frozen while it sent', () => {
  it.each([
    ['was refused', new MailRefused('550')],
    ['was put off', new Error('the mail could not be sent: 451')],
    ['has sent it', undefined],
  ])('and %s, changes nothing of what another one did meanwhile', async (_, error) => {
    const id = await confirmed();
    vi.spyOn(api.app.get(MailTransport), 'send').mockImplementationOnce(async () => {
      later(121_000);
      await work();
      if (error) throw error;
    });
    await work();
    expect(await mailsOf(id)).toMatchObject([{ state: 'sent', error: null, attempts: 2 }]);
    expect([smtp.accepted.length, await codeOf(id)]).toEqual([1, 2001]);
    later(600_000);
    await work();
    expect(smtp.accepted).toHaveLength(1);
  });

  it('sends nothing if another one has begun before it', async () => {
    const id = await confirmed();
    const composer = api.app.get(MailComposer);
    vi.spyOn(composer, 'compose').mockImplementationOnce(async (orderId, kind) => {
      later(121_000);
      await work();
      return await composer.compose(orderId, kind);
    });
    await work();
    expect([smtp.accepted.length, await codeOf(id)]).toEqual([1, 2001]);
  });
});

it('a mail server that answers ever so slowly is given up in time', async () => {
  const server = createServer((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
    socket.on('error', () => undefined).on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  class Hasty extends MailTransport {
    protected override readonly withinMs = 400;
  }
  const { port } = server.address() as AddressInfo;
  const settings = { ...api.app.get(Settings), SMTP_URL: `smtp://127.0.0.1:${port}` };
  const mail = { id: 'mai_1', to: 'ada@example.com', subject: 's', text: 't', html: 'h' };
  const begun = performance.now();
  const sent = new Hasty(settings, api.app.get(ObjectStore)).send(mail);
  await expect(sent).rejects.toThrow('not taken within 0.4 s');
  // The limit for the greeting is far longer.
  expect(performance.now() - begun).toBeLessThan(15_000);
  // The connection is gone too, so nothing goes out afterwards.
  await new Promise((resolve) => server.close(resolve));
});

describe('a mail that comes back', () => {
  const bounce = async (messageId: string) =>
    (await api.staff.send('POST', 'delivery-reports', { message_id: messageId, report: 'bounced' })).body;

  it('makes the order an exception, and a corrected address makes it good again', async () => {
    const id = await confirmed();
    await work();
    const [mail] = await mailsOf(id);
    expect(await bounce(`<${mail?.id}@tickets.example>`)).toEqual({
      orders: [{ order_id: id, moved: true, status_code: 4002 }],
    });
    await api.staff.send('PATCH', `orders/${id}/buyer`, { email: 'right@example.com' });
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'confirmation' })).status).toBe(201);
    await work();
    expect(smtp.accepted[1]).toMatch(/^To: right@example\.com/m);
    expect(await codeOf(id)).toBe(2001);
    // The first one again: it says nothing about the second.
    expect(await bounce(mail?.id ?? '')).toMatchObject({ orders: [{ moved: false, status_code: 2001 }] });
    expect((await mailsOf(id)).map(({ state }) => state)).toEqual(['bounced', 'sent']);
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
  const mailOf = async (id: string) => (await mailsOf(id)).at(-1);
  let mailbox: string;
  beforeAll(() => {
    mailbox = join(stand.folder, 'bounces.mbox');
  });
  /** As a worker does after a start. */
  const newReader = () =>
    new MailBounces({ PUBLIC_URL, MAIL_BOUNCES_FILE: mailbox } as Settings, api.app.get(MailSending));

  it('moves each order once, also with two workers, a restart and what was solved since', async () => {
    const ids = [await confirmed(), await confirmed()];
    await work();
    const [one, two] = [newReader(), newReader()];
    await Promise.all([one.run(), two.run()]);
    writeFileSync(mailbox, notification(`<${(await mailOf(ids[0] ?? ''))?.id}@tickets.example>`));
    await Promise.all([one.run(), two.run()]);
    expect(await Promise.all(ids.map(codeOf))).toEqual([4002, 2001]);
    await api.staff.changeStatus(ids[0] ?? '', 2000);
    appendFileSync(mailbox, notification(`<${(await mailOf(ids[1] ?? ''))?.id}@tickets.example>`));
    await Promise.all([one.run(), two.run(), newReader().run()]);
    expect(await Promise.all(ids.map(codeOf))).toEqual([2000, 4002]);
    const mail = await mailOf(ids[1] ?? '');
    expect(mail).toMatchObject({ state: 'bounced' });
    // It was sent, and it came back.
    const count = `select count(*)::int as events from events where metadata ->> 'transaction_id' = $1`;
    expect((await api.pool.query(count, [mail?.id])).rows).toEqual([{ events: 2 }]);
  });

  it('that names a mail of somebody else, or one that never went out, changes nothing', async () => {
    const id = await confirmed();
    const mail = await mailOf(id);
    writeFileSync(mailbox, notification(`<${mail?.id}@tickets.example>`));
    await newReader().run();
    await work();
    writeFileSync(
      mailbox,
      ['other.example', 'tickets.example.net'].map((host) => notification(`<${mail?.id}@${host}>`)).join(''),
    );
    await newReader().run();
    expect([await codeOf(id), (await mailOf(id))?.state]).toEqual([2001, 'sent']);
  });
});

describe('tickets by e-mail', () => {
  it('are links that open the files, and give the status 2004', async () => {
    const id = await confirmed();
    await work();
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'tickets' })).status).toBe(409);
    await attachTickets(api, id, [{ name: 'a.pdf', content: PDF, seat: '4' }]);
    expect((await api.staff.send('POST', `orders/${id}/mails`, { kind: 'tickets' })).status).toBe(201);
    await work();
    expect(await codeOf(id)).toBe(2004);
    const text = smtp.accepted[1]?.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=') ?? '';
    const link = /Seat 4: (https:\S+)/.exec(text)?.[1] ?? '';
    const answer = await fetch(api.url + link.slice(PUBLIC_URL.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
  });
});

describe('what was mailed', () => {
  it('is previewed without its links, and masked for people', async () => {
    const id = await bought();
    await attachTickets(api, id, [{ name: 'a.pdf', content: PDF }]);
    const support = await signIn(api, ['support']);
    const { body } = await support.send('POST', `orders/${id}/mails/preview`, { kind: 'tickets' });
    const { to, text } = body as MailPreview;
    expect(to).toMatch(/^.••@/);
    expect(text).toContain('signature=…');
    expect(smtp.accepted).toEqual([]);
  });

  it('is unreadable after an erasure', async () => {
    const id = await confirmed();
    await work();
    expect((await mailsOf(id))[0]?.text).toContain(id);
    await api.staff.send('DELETE', `orders/${id}/personal-data`);
    expect((await mailsOf(id))[0]).toMatchObject({ state: 'sent', to: null, subject: null, text: null });
  });
});
