import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditPage } from '#contracts/backoffice/audit';
import type { OrderDetail } from '#contracts/backoffice/order';
import type { Queue, QueueList, QueuePage } from '#contracts/backoffice/queue';
import type { Timeline } from '#contracts/backoffice/timeline';
import { DatabaseClock } from '#database/database-clock';
import { EscalationNotices } from '#orders/queues/escalation-notices';
import { Escalations } from '#orders/queues/escalations';
import { fillWorkItems } from '#orders/queues/work-item-filling';
import { WorkItems } from '#orders/queues/work-items';
import { AuditLog } from '#people/audit-log';
import type { TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { type MailApi, startMailApi } from '../../../../test/support/mail-api.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { moveSomeToFeed } from '../../../../test/support/orders/tampering.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { SmtpDouble } from '../../../../test/support/smtp-double.js';
import { verify } from '#verification/verify';

const MINUTE_MS = 60_000;

let stand: MailApi;
let api: TestApi;
let smtp: SmtpDouble;
let clock: DatabaseClock;
let purchases = 0;

beforeAll(async () => {
  stand = await startMailApi();
  ({ api, smtp } = stand);
  clock = api.app.get(DatabaseClock);
  const manual = { quantity: 1_000, seller: 'Front Row', confirmation: 'manual', confirm_within_minutes: 60 } as const;
  await api.staff.putListing('manual', manual);
});
afterAll(() => stand.close());
// Each test begins with empty queues.
beforeEach(async () => {
  await api.pool.query('update orders set queue = null');
  await fillWorkItems(api.pool, clock);
});
afterEach(() => {
  vi.restoreAllMocks();
  smtp.forget();
});

async function bought(): Promise<string> {
  purchases += 1;
  const body = cardBody();
  const product = { ...body.product, listing_id: 'manual' };
  const id = await api.payment.bought({ ...body, ref_id: `late-${purchases}`, product });
  await settled();
  return id;
}

/** The queues follow the feed. */
async function settled(): Promise<void> {
  await moveSomeToFeed(api.pool);
  await moveSomeToFeed(api.pool);
  while (await api.app.get(WorkItems).step());
}

/** Two workers do what is due at this time from now. */
async function workAfter(minutes: number): Promise<void> {
  vi.restoreAllMocks();
  const at = clock.now() + minutes * MINUTE_MS;
  vi.spyOn(clock, 'now').mockReturnValue(at);
  await settled();
  const workers = [1, 2].map(() => new Escalations(api.pool, clock, api.app.get(AuditLog)));
  await Promise.all(workers.map(async (worker) => void (await worker.step())));
  await Promise.all([1, 2].map(() => api.app.get(EscalationNotices).step()));
}

const setRule = async (queue: string, rule: object) => {
  const { status, text } = await api.staff.send('PUT', `queues/${queue}/escalation`, rule);
  expect(status, text).toBe(204);
};
async function queue(id: string, by: Pick<SignedIn, 'get'> = api.staff): Promise<Queue | undefined> {
  return ((await by.get('queues')).body as QueueList).queues.find((one) => one.id === id);
}
const listed = async (id: string, by: Pick<SignedIn, 'get'> = api.staff) =>
  ((await by.get(`queues/${id}/orders?escalated=true`)).body as QueuePage).orders;
const titlesOf = async (id: string) =>
  ((await api.staff.get(`orders/${id}/timeline`)).body as Timeline).entries.map(({ title }) => title);

describe('an order that stays in its queue for too long', () => {
  it('is marked, assigned, recorded and announced once, with two workers', async () => {
    const lead = await signIn(api, ['operations']);
    await setRule('to_confirm', { after_minutes: 10, assignee: lead.id, notify: 'leads@example.com' });
    const id = await bought();
    const { version } = (await api.staff.get(`orders/${id}`)).body as OrderDetail;
    await workAfter(9);
    expect([(await queue('to_confirm'))?.escalated, await listed('to_confirm'), smtp.accepted]).toEqual([0, [], []]);
    for (const minutes of [10, 11, 30]) await workAfter(minutes);
    expect(await queue('to_confirm')).toMatchObject({ count: 1, escalated: 1, escalation: { after_minutes: 10 } });
    expect(await listed('to_confirm')).toMatchObject([{ id, escalated_at: expect.any(String) as string }]);
    expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({ version, assignee: lead.id });
    const { entries } = (await api.staff.get(`audit?subject=order:${id}`)).body as AuditPage;
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['order.assigned', 'system'],
      ['order.escalated', 'system'],
    ]);
    expect(await titlesOf(id)).toEqual(
      expect.arrayContaining([
        'Escalated: more than 10 minutes in the queue to_confirm',
        `Assigned to ${lead.name}`,
      ]) as string[],
    );
    expect(smtp.accepted).toHaveLength(1);
    expect(smtp.accepted[0]).toContain(`/orders/${id}`);
    expect(smtp.accepted[0]).toContain('To: leads@example.com');
    const { found } = await verify(api.pool);
    expect([found['work_items'], found['audit']]).toEqual([undefined, undefined]);
  });

  it('stays escalated in the queue of overdue orders and after a rebuild, and is escalated anew in its next queue', async () => {
    await setRule('to_confirm', { after_minutes: 10 });
    await setRule('exceptions', { after_minutes: 5 });
    const id = await bought();
    await workAfter(61);
    expect(await listed('overdue')).toMatchObject([{ id }]);
    await api.pool.query('delete from work_items');
    await fillWorkItems(api.pool, clock);
    await workAfter(62);
    expect(await listed('overdue')).toMatchObject([{ id }]);
    const escalations = async () => (await titlesOf(id)).filter((title) => title.startsWith('Escalated')).length;
    expect(await escalations()).toBe(1);
    vi.restoreAllMocks();
    await api.staff.changeStatus(id, 4006);
    await workAfter(4);
    expect(await listed('exceptions')).toEqual([]);
    await workAfter(5);
    expect(await listed('exceptions')).toMatchObject([{ id }]);
    expect(await escalations()).toBe(2);
    await setRule('exceptions', { after_minutes: null });
  });

  it('is escalated by how long it is overdue, too, but not while it is snoozed', async () => {
    await setRule('to_confirm', { after_minutes: null });
    await setRule('overdue', { after_minutes: 15, notify: 'leads@example.com' });
    const ids = [await bought(), await bought()];
    const [snoozed = '', late = ''] = ids;
    await workAfter(74);
    expect(await listed('overdue')).toEqual([]);
    const until = new Date(clock.now() + 30 * MINUTE_MS).toISOString();
    expect((await api.staff.send('PUT', `orders/${snoozed}/snooze`, { until })).status).toBe(200);
    await workAfter(75);
    expect((await listed('overdue')).map(({ id }) => id)).toEqual([late]);
    await workAfter(105);
    expect((await listed('overdue')).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(smtp.accepted).toHaveLength(2);
    await setRule('overdue', { after_minutes: null });
  });

  it('is announced with others in one e-mail, which goes out again if the mail server did not take it', async () => {
    await setRule('to_confirm', { after_minutes: 10, notify: 'leads@example.com' });
    const ids = [await bought(), await bought(), await bought()];
    smtp.refusals.push([451, 'later']);
    vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 10 * MINUTE_MS);
    await api.app.get(Escalations).step();
    const notices = api.app.get(EscalationNotices);
    await expect(notices.step()).rejects.toThrow('the mail could not be sent');
    // Another worker leaves it alone for now.
    expect(await notices.step()).toBe(false);
    vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 2 * MINUTE_MS);
    expect([await notices.step(), await notices.step()]).toEqual([true, false]);
    expect(smtp.accepted).toHaveLength(1);
    for (const id of ids) expect(smtp.accepted[0]).toContain(id);
    await setRule('to_confirm', { after_minutes: null });
  });
});

describe('the escalation of a queue', () => {
  it('is not shown to brokers, who see the mark on their own orders', async () => {
    await setRule('to_confirm', { after_minutes: 10, notify: 'leads@example.com' });
    const id = await bought();
    await workAfter(10);
    const [front, back] = [await signIn(api, ['broker'], ['Front Row']), await signIn(api, ['broker'], ['Back Row'])];
    expect(await queue('to_confirm', front)).toMatchObject({ escalated: 1, escalation: null });
    expect(await listed('to_confirm', front)).toMatchObject([{ id }]);
    expect(await queue('to_confirm', back)).toMatchObject({ escalated: 0 });
    expect(await listed('to_confirm', back)).toEqual([]);
  });

  it('is refused for other queues, unknown people and bad values', async () => {
    const put = (id: string, body: object) => api.staff.send('PUT', `queues/${id}/escalation`, body);
    expect(codesOf(await put('que_1', { after_minutes: 1 }))).toEqual([40400]);
    expect(messagesOf(await put('review', { after_minutes: 1, assignee: 'opr_1' }))).toEqual([
      expect.stringContaining('assignee must be an active operator'),
    ]);
    expect(messagesOf(await put('review', { after_minutes: 0 }))).toEqual([expect.stringContaining('after_minutes')]);
    expect(codesOf(await put('review', { after_minutes: 5, notify: 'nobody' }))).toEqual([40001]);
    expect((await queue('review'))?.escalation).toBeNull();
  });
});
