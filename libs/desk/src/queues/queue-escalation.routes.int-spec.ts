import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import type { OrderDetail } from '#orders/order.contract';
import type { Queue, QueueList, QueuePage } from '../queue.contract.js';
import type { Timeline } from '../timeline.contract.js';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { EscalationNotices } from './escalation-notices.js';
import { Escalations } from './escalations.js';
import { QueueCounts } from './queue-counts.js';
import { fillWorkItems } from '../work-item-filling.js';
import { WorkItems } from './work-items.js';
import { WorkQueues } from './work-queues.js';
import { AuditLog } from '#accounts/audit-log';
import type { TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { decodedMail } from '../../../../test/support/decoded-mail.js';
import { type MailApi, startMailApi } from '../../../../test/support/mail-api.js';
import { type SignedIn, signIn } from '../../../../test/support/operators.js';
import { moveSomeToFeed } from '../../../../test/support/orders/tampering.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { SmtpDouble } from '../../../../test/support/smtp-double.js';
import { verify } from '#upkeep/verify';

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
  const id = await buy();
  await settled();
  return id;
}

async function buy(): Promise<string> {
  purchases += 1;
  const body = cardBody();
  const product = { ...body.product, listing_id: 'manual' };
  return await api.payment.bought({ ...body, ref_id: `late-${purchases}`, product });
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
  await Promise.all([1, 2].map(() => worker().step()));
  await Promise.all([1, 2].map(() => api.app.get(EscalationNotices).step()));
}

const worker = () =>
  new Escalations(api.pool, clock, api.app.get(Sealer), api.app.get(WorkQueues), api.app.get(AuditLog));

const setRule = async (queue: string, rule: object) => {
  const { status, text } = await api.staff.send('PUT', `queues/${queue}/escalation`, rule);
  expect(status, text).toBe(204);
};
async function queue(id: string, by: Pick<SignedIn, 'get'> = api.staff): Promise<Queue | undefined> {
  api.app.get(QueueCounts).forget();
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
    expect(await queue('to_confirm')).toMatchObject({
      count: 1,
      escalated: 1,
      escalation: { after_minutes: 10, assignee: lead.id, assignee_name: lead.name },
    });
    expect(await listed('to_confirm')).toMatchObject([{ id, escalated_at: expect.any(String) as string }]);
    expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({ version, assignee: lead.id });
    const { rows: told } = await api.pool.query('select order_id from inbox_notices where operator_id = $1', [lead.id]);
    expect(told).toEqual([{ order_id: id }]);
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

  it('is announced to nobody if it is a sample order', async () => {
    await setRule('to_confirm', { after_minutes: 10, notify: 'leads@example.com' });
    const id = await bought();
    await api.pool.query(
      `update orders set listing_id = 'sample-5512-confirm-60', transaction_id = 'sg-' || repeat('0a', 16),
       ref_id = 'sg-mh1z2-1' where id = $1`,
      [id],
    );
    await workAfter(10);
    expect([(await listed('to_confirm')).map((order) => order.id), smtp.accepted]).toEqual([[id], []]);
    await setRule('to_confirm', { after_minutes: null });
  });
});

describe('an order that is overdue for too long in a custom queue', () => {
  const isManual = { field: 'listing_id', op: '=', value: 'manual' } as const;
  const where = { and: [isManual, { field: 'queue', op: 'is_null', value: false }] } as const;
  const due = { field: 'placed_at', minutes: 30 } as const;
  const made: string[] = [];

  afterEach(async () => {
    for (const id of made.splice(0)) expect((await api.staff.send('DELETE', `queues/${id}`)).status).toBe(204);
  });

  async function customQueue(body: object = {}): Promise<string> {
    const answer = await api.staff.send('POST', 'queues', { name: 'Front Row, at once', where, due, ...body });
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.body as Queue;
    made.push(id);
    return id;
  }

  /** The counts of such a queue may be some moments old. */
  const counts = (id: string, by?: SignedIn) => expect.poll(() => queue(id, by), { timeout: 60_000 });

  it('is marked, assigned, recorded and announced once, with two workers', async () => {
    const lead = await signIn(api, ['operations']);
    const custom = await customQueue();
    await setRule(custom, { after_minutes: 15, assignee: lead.id, notify: 'leads@example.com' });
    const id = await bought();
    await workAfter(44);
    await counts(custom).toMatchObject({ count: 1, escalated: 0 });
    expect([await listed(custom), smtp.accepted]).toEqual([[], []]);
    for (const minutes of [45, 46, 59]) await workAfter(minutes);
    await counts(custom).toMatchObject({
      count: 1,
      escalated: 1,
      escalation: { after_minutes: 15, assignee: lead.id, assignee_name: lead.name, notify: 'leads@example.com' },
    });
    expect(await listed(custom)).toMatchObject([
      { id, queue: 'to_confirm', escalated_at: expect.any(String) as string },
    ]);
    // It is escalated there, and not where else it is.
    expect([(await queue('to_confirm'))?.escalated, await listed('to_confirm')]).toEqual([0, []]);
    expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({ assignee: lead.id });
    const { entries } = (await api.staff.get(`audit?subject=order:${id}`)).body as AuditPage;
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['order.assigned', 'system'],
      ['order.escalated', 'system'],
    ]);
    expect(await titlesOf(id)).toContain('Escalated: more than 15 minutes overdue in the queue Front Row, at once');
    expect(smtp.accepted).toHaveLength(1);
    const mail = decodedMail(smtp.accepted[0] ?? '');
    expect([mail.to, mail.subject]).toEqual(['leads@example.com', 'An order waits too long: Front Row, at once']);
    expect(mail.text).toContain(`/work/${custom}?escalated=1`);
    expect((await verify(api.pool)).found['audit']).toBeUndefined();
  });

  it('is escalated anew when its clock begins anew', async () => {
    const custom = await customQueue({ due: { field: 'updated_at', minutes: 0 } });
    await setRule(custom, { after_minutes: 5 });
    const id = await bought();
    await workAfter(5);
    expect(await listed(custom)).toMatchObject([{ id }]);
    vi.restoreAllMocks();
    await api.staff.changeStatus(id, 4006);
    await workAfter(4);
    await counts(custom).toMatchObject({ count: 1, escalated: 0 });
    expect(await listed(custom)).toEqual([]);
    await workAfter(6);
    await counts(custom).toMatchObject({ count: 1, escalated: 1 });
    expect(await listed(custom)).toMatchObject([{ id }]);
    expect((await titlesOf(id)).filter((title) => title.startsWith('Escalated'))).toHaveLength(2);
  });

  it('is not escalated while it is snoozed, nor once it is done, which also ends its mark', async () => {
    const custom = await customQueue({ where: isManual });
    await setRule(custom, { after_minutes: 1 });
    const [snoozed, done, late] = [await bought(), await bought(), await bought()];
    const until = new Date(clock.now() + 50 * MINUTE_MS).toISOString();
    expect((await api.staff.send('PUT', `orders/${snoozed}/snooze`, { until })).status).toBe(200);
    await api.staff.changeStatus(done, 3004);
    const marked = async () => (await listed(custom)).map(({ id }) => id).toSorted();
    await workAfter(31);
    expect(await marked()).toEqual([late]);
    expect((await titlesOf(snoozed)).filter((title) => title.startsWith('Escalated'))).toEqual([]);
    await workAfter(51);
    expect(await marked()).toEqual([snoozed, late].toSorted());
    expect((await titlesOf(done)).filter((title) => title.startsWith('Escalated'))).toEqual([]);
    vi.restoreAllMocks();
    await api.staff.changeStatus(late, 3004);
    await settled();
    expect(await marked()).toEqual([snoozed]);
    await counts(custom).toMatchObject({ escalated: 1 });
  });

  it.each(['a custom queue', 'to_confirm'])(
    'is escalated in %s with many others, more than a step takes',
    async (of) => {
      const custom = of === 'to_confirm' ? of : await customQueue();
      await setRule(custom, { after_minutes: 1 });
      await Promise.all(Array.from({ length: 101 }, () => buy()));
      await settled();
      vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 31 * MINUTE_MS);
      // Each look takes a second, after which a queue without more orders would rest.
      let seconds = 0;
      const monotonic = vi.spyOn(clock, 'monotonic').mockImplementation(() => 1_000 * (seconds += 1));
      const one = worker();
      const steps = [await one.step(), await one.step()];
      monotonic.mockRestore();
      expect(steps).toEqual([true, false]);
      await counts(custom).toMatchObject({ escalated: 101 });
    },
  );

  it('is escalated although the condition of another queue cannot be read', async () => {
    const broken = await api.app.get(WorkQueues).add({ name: 'Old', where: { field: 'gone', op: '=', value: 1 }, due });
    const custom = await customQueue();
    for (const id of [broken.id, custom]) {
      await api.pool.query('insert into queue_escalations (queue, after_minutes) values ($1, 1)', [id]);
    }
    const id = await bought();
    vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 31 * MINUTE_MS);
    const one = worker();
    const steps = [await one.step().catch(String), await one.step().catch(String)];
    await api.app.get(WorkQueues).remove(broken.id);
    expect(steps).toContainEqual(expect.stringContaining('must be one of status'));
    expect(await listed(custom)).toMatchObject([{ id }]);
  });

  it('shows its mark to its broker, and the queue about a buyer to nobody who may not search for buyers', async () => {
    const email = { field: 'email', op: '=', value: 'ada@example.com' };
    const custom = await customQueue({ name: 'Ada', where: { and: [isManual, email] } });
    await setRule(custom, { after_minutes: 1 });
    const id = await bought();
    await workAfter(31);
    const front = await signIn(api, ['broker'], ['Front Row']);
    await counts(custom, front).toMatchObject({ escalated: 1, escalation: null });
    expect(await listed(custom, front)).toMatchObject([{ id }]);
    expect(await titlesOf(id)).toContain(`Escalated: more than 1 minutes overdue in the queue ${custom}`);
    const { token } = (await api.staff.send('POST', 'tokens', { name: 'runs', scopes: ['runs:act'] })).body as {
      token: string;
    };
    const asRuns = { authorization: `Bearer ${token}` };
    const put = (of: string) => api.staff.send('PUT', `queues/${of}/escalation`, { after_minutes: 1 }, asRuns);
    expect(codesOf(await put(custom))).toEqual([40300]);
    expect((await put(await customQueue())).status).toBe(204);
  });
});

describe('the escalation of a queue', () => {
  it('ends with the queue, and that of a built-in queue with nothing', async () => {
    await setRule('review', { after_minutes: 1 });
    const { body } = await api.staff.send('POST', 'queues', {
      name: 'Short-lived',
      where: { field: 'listing_id', op: '=', value: 'manual' },
      due: { field: 'placed_at', minutes: 0 },
    });
    const { id } = body as Queue;
    await setRule(id, { after_minutes: 1, notify: 'leads@example.com' });
    await bought();
    await workAfter(2);
    const rows = async (of: string) => {
      const found = await api.pool.query(
        'select queue from queue_escalations where queue = $1 union all select queue from own_escalations where queue = $1',
        [of],
      );
      return found.rowCount;
    };
    expect([await rows(id), await rows('review')]).toEqual([2, 1]);
    await api.staff.send('DELETE', `queues/${id}`);
    expect(codesOf(await api.staff.send('DELETE', 'queues/review'))).toEqual([40400]);
    expect([await rows(id), await rows('review')]).toEqual([0, 1]);
    await setRule('review', { after_minutes: null });
  });

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
      expect.stringContaining('assignee: must be an active operator'),
    ]);
    expect(messagesOf(await put('review', { after_minutes: 0 }))).toEqual([expect.stringContaining('after_minutes')]);
    expect(codesOf(await put('review', { after_minutes: 5, notify: 'nobody' }))).toEqual([40001]);
    expect((await queue('review'))?.escalation).toBeNull();
  });
});
