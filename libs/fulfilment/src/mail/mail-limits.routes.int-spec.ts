import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Catalogue } from '#discovery/catalogue';
import { parseSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { MailComposer } from './mail-composer.js';
import { MailSchedule } from './mail-schedule.js';
import { MailQueue } from './mail-sending.js';
import { MailRefused, MailTransport } from '#mail/mail-transport';
import { Mails } from '../mails.js';
import { EscalationNotices } from '#desk/queues/escalation-notices';
import { SystemClock } from '#base/clock';
import { ObjectStore } from '#platform/object-store';
import type { TestApi } from '../../../../test/support/api.js';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { MailDesk } from '../../../../test/support/mail-desk.js';
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
    ['about a sample order', (id) => api.pool.query(SAMPLE, [id, String(desk.purchases)])],
    ['about an imported order', (id) => api.pool.query('update pings set imported = true where order_id = $1', [id])],
    ['when the show is over', () => showAt(-300 * 60_000)],
  ];

  it.each(marks)('%s, neither by itself, nor by staff, nor by what an earlier version scheduled', async (_, mark) => {
    const id = await desk.bought();
    await mark(id);
    await until(async () => (await api.pool.query('select from feed where stream = $1', [`order-${id}`])).rowCount);
    await desk.work();
    expect(await desk.mailsOf(id)).toEqual([]);
    for (const path of ['mails', 'mails/preview']) {
      expect((await api.staff.send('POST', `orders/${id}/${path}`, { kind: 'confirmation' })).status).toBe(409);
    }
    const due = await api.app.get(Mails).request(id, 'confirmation', 'system:mail');
    await desk.work();
    expect(await desk.mailsOf(id)).toMatchObject([{ id: due, state: 'skipped', error: expect.any(String) as string }]);
    expect([smtp.accepted, await desk.codeOf(id)]).toEqual([[], 2000]);
  });

  it.each([
    ['is on', 0, {}],
    ['is today, at some time', -18 * 3_600_000, { time_tbd: true }],
    ['is on some day', -40 * 86_400_000, { date_tbd: true }],
  ])('too late about a show that %s', async (_, ms, doubts) => {
    await showAt(ms, doubts);
    const id = await desk.confirmed();
    await desk.work();
    expect(await desk.mailsOf(id)).toMatchObject([{ state: 'sent' }]);
  });

  it('about what was confirmed while the mails were switched off', async () => {
    const off = new MailSchedule(api.app.get(Mails), api.app.get(MailQueue), { MAIL_AUTOMATIC: false } as Settings);
    const id = await desk.bought();
    await until(
      async () => (await api.pool.query('select from feed where stream = $1', [`order-${id}`])).rowCount === 4,
    );
    await off.run();
    const later = await desk.confirmed();
    await desk.work();
    expect([await desk.mailsOf(id), await desk.mailsOf(later)]).toMatchObject([[], [{ state: 'sent' }]]);
  });
});

describe('a worker that was frozen while it sent', () => {
  it.each([
    ['was refused', new MailRefused('550')],
    ['was put off', new Error('the mail could not be sent: 451')],
    ['has sent it', undefined],
  ])('and %s, changes nothing of what another one did meanwhile', async (_, error) => {
    const id = await desk.confirmed();
    vi.spyOn(api.app.get(MailTransport), 'send').mockImplementationOnce(async () => {
      desk.later(121_000);
      await desk.work();
      if (error) throw error;
    });
    await desk.work();
    expect(await desk.mailsOf(id)).toMatchObject([{ state: 'sent', error: null, attempts: 2 }]);
    expect([smtp.accepted.length, await desk.codeOf(id)]).toEqual([1, 2001]);
    desk.later(600_000);
    await desk.work();
    expect(smtp.accepted).toHaveLength(1);
  });

  it('announces nothing, and does not give up the notice that another one is at', async () => {
    const escalated = `insert into work_escalations (order_id, since, queue, escalated_at, notify)
      values ('ord_late', now(), 'to_confirm', now(), 'leads@example.com')`;
    await api.pool.query(escalated);
    const notices = api.app.get(EscalationNotices);
    desk.later(0);
    vi.spyOn(api.app.get(MailTransport), 'send').mockImplementationOnce(async () => {
      desk.later(121_000);
      smtp.refusals.push([451, 'later']);
      await expect(notices.step()).rejects.toThrow('the mail could not be sent');
      throw new MailRefused('550');
    });
    await expect(notices.step()).rejects.toThrow('refused the mail');
    expect(await notices.step()).toBe(false);
    desk.later(300_000);
    expect([await notices.step(), await notices.step()]).toEqual([true, false]);
    expect(smtp.accepted).toEqual([expect.stringContaining('ord_late')]);
  });

  it('sends nothing if another one has begun before it', async () => {
    const id = await desk.confirmed();
    const composer = api.app.get(MailComposer);
    vi.spyOn(composer, 'compose').mockImplementationOnce(async (orderId, asked) => {
      desk.later(121_000);
      await desk.work();
      return await composer.compose(orderId, asked);
    });
    await desk.work();
    expect([smtp.accepted.length, await desk.codeOf(id)]).toEqual([1, 2001]);
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
  const settings = parseSettings({ PUBLIC_URL, SMTP_URL: `smtp://127.0.0.1:${port}` });
  const mail = { id: 'mai_1', to: 'ada@example.com', subject: 's', text: 't', html: 'h' };
  const begun = performance.now();
  const sent = new Hasty(settings, api.app.get(ObjectStore)).send(mail);
  await expect(sent).rejects.toThrow('not taken within 0.4 s');
  // The limit for the greeting is far longer.
  expect(performance.now() - begun).toBeLessThan(15_000);
  // The connection is gone too, so nothing goes out afterwards.
  await new Promise((resolve) => server.close(resolve));
});
