import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditPage } from '#contracts/backoffice/audit';
import type { Job, JobPreview, JobResultList } from '#contracts/backoffice/job';
import type { OrderDetail } from '#contracts/backoffice/order';
import { DatabaseClock } from '#database/database-clock';
import { createPool } from '#database/pool';
import { orderStream } from '#domain/order/order-stream';
import { EventStore } from '#event-store/event-store';
import { OrderChanges } from '#orders/commands/order-changes';
import { JobRunner } from '#orders/jobs/job-runner';
import { OrderJobs } from '#orders/jobs/order-jobs';
import type { OrderEventStore } from '#orders/order-event-store';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { applicationUrl } from '../../../../test/support/database.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { signIn, type SignedIn } from '../../../../test/support/operators.js';
import { PURCHASE } from '../../../../test/support/orders/received-purchase.js';
import { dyingPool } from '../../../../test/support/postgres/dying-pool.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';

const APPROVAL_FROM = 60;

let api: TestApi;
let purchases = 0;
let events = 0;
let event: string;
let ada: SignedIn;
let grace: SignedIn;

beforeAll(async () => {
  api = await startTestApi({ APPROVAL_FROM_ORDERS: String(APPROVAL_FROM) });
  ada = await signIn(api, ['operations']);
  grace = await signIn(api, ['operations']);
});
afterAll(() => api.close());

/** Each test has an event of its own, with a listing that sells at once and one whose broker is asked. */
beforeEach(async () => {
  events += 1;
  event = String(7_000 + events);
  await api.staff.putListing(`${event}-now`, { event_id: event, quantity: 1_000 });
  await api.staff.putListing(`${event}-ask`, {
    event_id: event,
    quantity: 1_000,
    confirmation: 'manual',
    confirm_within_minutes: 30,
  });
});

const product = (listing: 'now' | 'ask') => ({ event_id: event, listing_id: `${event}-${listing}`, quantity: 2 });

async function bought(count: number, listing: 'now' | 'ask' = 'now'): Promise<string[]> {
  return await Promise.all(
    Array.from({ length: count }, () => {
      const body = wholesaleBody();
      purchases += 1;
      return api.wholesale.bought({
        ...body,
        ref_id: `job-${purchases}`,
        product: { ...product(listing), total: body.product.total },
      });
    }),
  );
}

async function paid(): Promise<string> {
  purchases += 1;
  return await api.payment.bought({ ...cardBody(), ref_id: `job-${purchases}`, product: product('now') });
}

const preview = async (body: object) =>
  (await api.staff.send('POST', 'jobs', { arguments: {}, ...body, dry_run: true })).body as JobPreview;
const begin = async (body: object, by: Pick<SignedIn, 'send'> = api.staff) => {
  const answer = await by.send('POST', 'jobs', { arguments: {}, ...body });
  if (answer.status !== 202) throw new Error(`The job was answered ${answer.status}: ${answer.text}`);
  return answer.body as Job;
};
const runner = () => api.app.get(JobRunner);
const job = async (id: string) => (await api.staff.get(`jobs/${id}`)).body as Job;
const results = async (id: string, query = 'limit=500') =>
  ((await api.staff.get(`jobs/${id}/results?${query}`)).body as JobResultList).results;
const order = async (id: string) => (await api.staff.get(`orders/${id}`)).body as OrderDetail;
const codeOf = async (id: string) => (await order(id)).status?.status_code;

/** Begins it, and works on it until it is done. */
async function run(body: object): Promise<Job> {
  const { id } = await begin(body);
  await runner().step();
  return await job(id);
}

/** Works on it until no order of it has to be tried again. */
async function finished(id: string): Promise<Job> {
  await until(async () => {
    await runner().step();
    return (await job(id)).state === 'done';
  });
  return await job(id);
}

/** Judges by the log of events, which the job's own tables have no part in: how many changes of the job each order has. */
async function changesByOrder(jobId: string): Promise<Map<string, number>> {
  const { rows } = await api.pool.query<{ order_id: string; changes: number }>(
    `select substr(stream, 7) as order_id, count(*)::int as changes from events
     where starts_with(metadata ->> 'transaction_id', $1) group by 1`,
    [`${jobId}-`],
  );
  return new Map(rows.map(({ order_id: id, changes }) => [id, changes]));
}

describe('a job', () => {
  it('says what it would do, and then does it', async () => {
    const waiting = await bought(2, 'ask');
    const [confirmed = ''] = await bought(1);
    const body = {
      kind: 'deny',
      ids: [...waiting, confirmed, 'ord_unknown', waiting[0]],
      arguments: { reason: 'not_available', note: 'Sold at the door.' },
    };
    expect(await preview(body)).toEqual({
      total: 4,
      allowed: 2,
      refused: 2,
      effects: { ping: 2, refund: 0, restock: 2 },
      amount_returned: 0,
      tickets_returned: 4,
      needs_approval: false,
      sample: [
        { order_id: confirmed, outcome: 'refused', reason: 'The order does not wait for an answer.' },
        { order_id: 'ord_unknown', outcome: 'refused', reason: 'There is no such order.' },
        ...waiting.map((id) => ({ order_id: id, outcome: 'done' })),
      ],
    });
    expect(await codeOf(waiting[0] ?? '')).toBe(1001);
    const begun = await begin(body);
    expect(begun).toMatchObject({ state: 'running', total: 4, done: 0, failed: 0, selection: { ids: 5 } });
    expect(begun.arguments).toEqual({ reason: 'not_available' });
    await runner().step();
    expect(await job(begun.id)).toMatchObject({ state: 'done', total: 4, done: 2, failed: 2 });
    expect((await results(begun.id)).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'refused', 'refused']);
    expect((await results(begun.id, 'outcome=refused&limit=1'))[0]).toMatchObject({ order_id: confirmed });
    for (const id of waiting) {
      const { status_history: history } = await order(id);
      expect(history.at(-1)).toMatchObject({ status_code: 3003, note: 'Sold at the door.', actor: 'token:backoffice' });
    }
    const { rows } = await api.pool.query<{ note: Buffer | null }>('select note from jobs where id = $1', [begun.id]);
    expect(rows[0]?.note).toBeNull();
    const { entries } = (await api.staff.get(`audit?subject=job:${begun.id}`)).body as AuditPage;
    expect(entries).toMatchObject([{ action: 'job.started', detail: { kind: 'deny', total: 4 } }]);
  });

  it('makes a ping due for each change, and gives payments back', async () => {
    const id = await paid();
    const body = { kind: 'change_status', ids: [id], arguments: { status_code: 3010 } };
    expect(await preview(body)).toMatchObject({ effects: { ping: 1, refund: 1, restock: 1 }, amount_returned: 254.6 });
    await run(body);
    const { rows } = await api.pool.query('select status_code from pings where order_id = $1 order by sequence', [id]);
    expect(rows).toEqual([{ status_code: 2000 }, { status_code: 3010 }]);
    const due = await api.pool.query('select due_for from orders where id = $1', [id]);
    expect(due.rows).toEqual([{ due_for: 'payment_release' }]);
  });

  it('chooses the orders of a condition or an event when it begins', async () => {
    const ids = await bought(3, 'ask');
    const where = {
      and: [
        { field: 'queue', op: '=', value: 'to_confirm' },
        { field: 'event_id', op: '=', value: event },
      ],
    };
    const { id } = await begin({ kind: 'accept', where });
    const later = await bought(1, 'ask');
    await runner().step();
    expect(await job(id)).toMatchObject({ state: 'done', total: 3, done: 3, selection: { where } });
    expect(await Promise.all([...ids, ...later].map(codeOf))).toEqual([2000, 2000, 2000, 1001]);
    expect(await run({ kind: 'accept', event_id: event })).toMatchObject({ total: 4, done: 4, failed: 0 });
    expect((await results(id)).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  });

  it('without any order is done at once', async () => {
    expect(await begin({ kind: 'accept', event_id: 'nothing' })).toMatchObject({ state: 'done', total: 0 });
  });

  it('tags and assigns, and counts what was so before as unchanged', async () => {
    const ids = await bought(3);
    await api.staff.send('PUT', `orders/${ids[0]}/tags`, ['vip', 'old']);
    await run({ kind: 'tag', ids, arguments: { add: ['vip'], remove: ['old'] } });
    const tagged = await run({ kind: 'tag', ids: [...ids, 'ord_unknown'], arguments: { add: ['vip'] } });
    expect(tagged).toMatchObject({ done: 3, failed: 1 });
    expect((await results(tagged.id)).map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'unchanged',
      'unchanged',
      'refused',
    ]);
    expect(await run({ kind: 'assign', ids, arguments: { operator_id: ada.id } })).toMatchObject({ done: 3 });
    for (const id of ids) expect(await order(id)).toMatchObject({ tags: ['vip'], assignee: ada.id });
    await run({ kind: 'assign', ids, arguments: { operator_id: null } });
    expect(await order(ids[0] ?? '')).toMatchObject({ assignee: null });
  });

  it.each([
    [{ kind: 'accept' }, 'give exactly one of where, ids, event_id'],
    [{ kind: 'accept', ids: ['a'], event_id: 'b' }, 'give exactly one'],
    [{ kind: 'explode', ids: ['a'] }, 'kind'],
    [{ kind: 'change_status', ids: ['a'] }, 'arguments.status_code'],
    [{ kind: 'deny', ids: ['a'], arguments: { reason: 'no' } }, 'arguments.reason'],
    [{ kind: 'tag', ids: ['a'] }, 'give tags to add or to remove'],
    [{ kind: 'assign', ids: ['a'], arguments: { operator_id: 'opr_1' } }, 'arguments.operator_id'],
    [{ kind: 'cancel_event', ids: ['a'] }, 'event_id'],
    [{ kind: 'accept', where: { field: 'queue', op: '<', value: 'x' } }, 'where.op'],
    [{ kind: 'accept', ids: [] }, 'ids'],
  ])('%j is a bad request', async (body, message) => {
    const answer = await api.staff.send('POST', 'jobs', { arguments: {}, ...body });
    expect(codesOf(answer)).toContain(40001);
    expect(messagesOf(answer).join()).toContain(message);
  });

  it('refuses a status that the catalogue does not have', async () => {
    const answer = await api.staff.send('POST', 'jobs', {
      kind: 'change_status',
      ids: ['a'],
      arguments: { status_code: 9 },
    });
    expect(codesOf(answer)).toEqual([42201]);
  });

  it('is paused, resumed and cancelled; one that has ended stays as it is', async () => {
    const ids = await bought(2);
    const { id } = await begin({ kind: 'change_status', ids, arguments: { status_code: 2001 } });
    const act = async (what: string) => (await api.staff.send('POST', `jobs/${id}/${what}`)).body as Job;
    expect(await act('pause')).toMatchObject({ state: 'paused' });
    await runner().step();
    expect(await job(id)).toMatchObject({ state: 'paused', done: 0 });
    expect(await act('resume')).toMatchObject({ state: 'running' });
    expect(await act('pause')).toMatchObject({ state: 'paused' });
    expect(await act('cancel')).toMatchObject({ state: 'cancelled', done: 0 });
    expect(await act('resume')).toMatchObject({ state: 'cancelled' });
    await runner().step();
    expect(await codeOf(ids[0] ?? '')).toBe(2000);
    expect(codesOf(await api.staff.get('jobs/job_unknown'))).toEqual([40400]);
  });
});

describe('approval', () => {
  it('is given by another operator from the number of orders of the setting on', async () => {
    const ids = Array.from({ length: APPROVAL_FROM }, (_, index) => `ord_none_${index}`);
    expect(await begin({ kind: 'accept', ids: ids.slice(1) }, ada)).toMatchObject({ state: 'running' });
    const { id, state } = await begin({ kind: 'accept', ids }, ada);
    expect(state).toBe('waiting_for_approval');
    await runner().step();
    expect(await job(id)).toMatchObject({ state, failed: 0 });
    const approve = (by: Pick<SignedIn, 'send'>) => by.send('POST', `jobs/${id}/approve`);
    expect(codesOf(await approve(ada))).toEqual([40300]);
    // A token of the same person would make the second pair of eyes worthless.
    expect(codesOf(await approve(api.staff))).toEqual([40300]);
    expect((await approve(grace)).body).toMatchObject({ state: 'running', approved_by_name: grace.name });
    await runner().step();
    await runner().step();
    expect(await job(id)).toMatchObject({ state: 'done', failed: APPROVAL_FROM });
    expect((await approve(grace)).body).toMatchObject({ state: 'done' });
  });
});

describe('a cancelled event', () => {
  it('ends orders whose tickets were not sent, and raises an exception for the others', async () => {
    const [waiting = '', ended = ''] = await bought(2, 'ask');
    const [confirmed = '', shipped = ''] = await bought(2);
    await api.staff.changeStatus(ended, 3004);
    await api.staff.send('POST', `orders/${shipped}/fulfillment`, {
      type: 'ship',
      data: { carrier: 'UPS', tracking_number: '1Z999AA10123456784' },
    });
    const done = await run({ kind: 'cancel_event', event_id: event, arguments: { note: 'Flooded.' } });
    expect(done).toMatchObject({ state: 'done', total: 4, done: 4, failed: 0 });
    expect(await Promise.all([waiting, ended, confirmed, shipped].map(codeOf))).toEqual([3007, 3004, 3007, 4007]);
    const outcomes = new Map((await results(done.id)).map(({ order_id: id, outcome }) => [id, outcome]));
    expect(outcomes.get(ended)).toBe('unchanged');
    expect(await run({ kind: 'cancel_event', event_id: event })).toMatchObject({ total: 4, done: 4 });
    expect((await changesByOrder(done.id)).size).toBe(3);
  });

  it('sells nothing from the beginning of the run on, while other events do', async () => {
    const body = wholesaleBody();
    const buy = async (listing: string, eventId: string) => {
      purchases += 1;
      return await api.wholesale.buy({
        ...body,
        ref_id: `job-${purchases}`,
        product: { event_id: eventId, listing_id: listing, quantity: 2, total: body.product.total },
      });
    };
    await api.staff.putListing(`${event}-other`, { event_id: `${event}0`, quantity: 1_000 });
    const buyers = Promise.all(Array.from({ length: 50 }, () => buy(`${event}-now`, event)));
    await until(async () => (await api.staff.available(`${event}-now`)) < 1_000);
    const begun = await begin({ kind: 'cancel_event', event_id: event });
    const bought = await buyers;
    await runner().step();
    const accepted = bought.filter(({ status }) => status === 201);
    const { rows } = await api.pool.query<{ id: string }>('select id from orders where event_id = $1', [event]);
    expect(rows).toHaveLength(accepted.length);
    expect(new Set(await Promise.all(rows.map(({ id }) => codeOf(id))))).toEqual(new Set([3007]));
    expect(await job(begun.id)).toMatchObject({ state: 'done', total: accepted.length });
    expect(codesOf(await buy(`${event}-now`, event))).toEqual([40014]);
    expect((await buy(`${event}-other`, `${event}0`)).status).toBe(201);
    // A new listing of the event, and an old one that is offered again.
    await api.staff.putListing(`${event}-late`, { event_id: event });
    await api.staff.putListing(`${event}-now`, { event_id: event });
    expect(codesOf(await buy(`${event}-late`, event))).toEqual([40014]);
    expect(codesOf(await buy(`${event}-now`, event))).toEqual([40014]);
  });

  it('can be offered again after its run was cancelled', async () => {
    await bought(1);
    const { id } = await begin({ kind: 'cancel_event', event_id: event });
    await api.staff.send('POST', `jobs/${id}/cancel`);
    await runner().step();
    await api.staff.putListing(`${event}-now`, { event_id: event, quantity: 4 });
    expect(await bought(1)).toHaveLength(1);
  });

  it('waits for the outcome of a payment that is under way', async () => {
    const id = 'ord_under_way';
    const store = api.app.get<OrderEventStore>(EventStore);
    const purchase = {
      ...PURCHASE,
      product: product('now'),
      listing_version: 1,
      confirmation: 'automatic' as const,
      personal: null,
    };
    const metadata = { transaction_id: 't', actor: 'platform:test' };
    await store.append(store.fresh(orderStream(id)), [{ type: 'PurchaseReceived', data: purchase }], { metadata });
    const { id: jobId } = await begin({ kind: 'cancel_event', event_id: event });
    await runner().step();
    expect(await job(jobId)).toMatchObject({ state: 'running', total: 1, done: 0 });
    const outcome = { is: 'authorised', provider: 'sandbox', reference: 'r', amount_cents: 1 } as const;
    await api.app.get(OrderChanges).apply(id, { type: 'RecordPaymentOutcome', outcome, platformWaits: true }, metadata);
    expect(await codeOf(id)).toBe(2000);
    await finished(jobId);
    expect(await codeOf(id)).toBe(3007);
  });
});

describe('a process that dies', () => {
  // A batch of 32 orders needs about forty statements. The last ones are those around its commit.
  const DEATHS = Array.from({ length: 60 }, (_, index) => index + 1).filter((at) => at <= 12 || at > 32);

  it.each(['request', 'response'] as const)('at any statement (%s lost) does no order twice', async (lost) => {
    const options = {
      databaseUrl: applicationUrl(api.databaseUrl),
      max: 2,
      applicationName: 'test',
      onError: () => undefined,
    };
    const pool = createPool(options);
    const ids = [...(await bought(20)), ...(await bought(20, 'ask'))];
    const { id } = await begin({ kind: 'cancel_event', event_id: event });
    let died = 0;
    for (const at of DEATHS) {
      const dying = dyingPool(pool, at, lost);
      await new JobRunner(dying.pool, api.app.get(OrderJobs), api.app.get(DatabaseClock)).step().then(
        () => undefined,
        () => (died += 1),
      );
    }
    expect(died).toBeGreaterThan(10);
    await runner().step();
    await pool.end();
    expect(await job(id)).toMatchObject({ state: 'done', done: 40, failed: 0 });
    const changes = await changesByOrder(id);
    expect([...changes.keys()].toSorted()).toEqual(ids.toSorted());
    expect(new Set(changes.values())).toEqual(new Set([1]));
  });

  it('leaves a job that two others finish together', async () => {
    const ids = await bought(50);
    const { id } = await begin({ kind: 'change_status', ids, arguments: { status_code: 2001 } });
    const colleagues = ids.slice(0, 5).map((one) => api.staff.changeStatus(one, 4006));
    await Promise.all([runner().step(), runner().step(), ...colleagues]);
    expect(await finished(id)).toMatchObject({ state: 'done', done: 50 });
    expect(new Set((await changesByOrder(id)).values())).toEqual(new Set([1]));
  });
});
