import { CommandBus } from '@nestjs/cqrs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { until } from '../../../../test/support/until.js';
import type { AuditPage } from '#accounts/audit.contract';
import type { OrderDetail } from '../order.contract.js';
import type { OrderActionList } from '../order-action.contract.js';
import type { Timeline } from '#desk/timeline.contract';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { JobWorker } from '#delivery-kit/queues/job-worker';
import { QueueBackend } from '#delivery-kit/queue-backend';
import { DENIAL_REASONS } from '#domain/order-events';
import { DeadlineQueue } from '../deadlines/deadline-queue.js';
import { Deadlines } from '../deadlines/deadlines.js';
import { type DueOrder, DueOrders } from '../deadlines/due-orders.js';

const HOUR_MS = 3_600_000;

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
  await api.staff.putListing('manual', { quantity: 1_000, confirmation: 'manual', confirm_within_minutes: 30 });
  await api.staff.putListing('front', { seller: 'Front Row', confirmation: 'manual', confirm_within_minutes: 30 });
});
afterAll(() => api.close());
afterEach(() => void vi.restoreAllMocks());

const bought = (listing_id = 'manual') => {
  purchases += 1;
  const body = cardBody();
  return api.payment.bought({ ...body, ref_id: `answer-${purchases}`, product: { ...body.product, listing_id } });
};
const send = (id: string, path: string, body?: unknown, headers = {}) =>
  api.staff.send('POST', `orders/${id}/${path}`, body, headers);
const order = async (id: string) => (await api.staff.get(`orders/${id}`)).body as OrderDetail;

describe('accept', () => {
  it('confirms an order that waits, with or without a body, and is the same when it is repeated', async () => {
    const id = await bought();
    const accepted = await send(id, 'accept', { note: 'The broker called.' });
    expect([accepted.status, accepted.body]).toMatchObject([200, { status: { status_code: 2000 }, confirm_by: null }]);
    expect((await order(id)).status_history.at(-1)).toMatchObject({
      note: 'The broker called.',
      actor: 'token:backoffice',
    });
    const { version } = await order(id);
    expect((await send(id, 'accept')).status).toBe(200);
    expect((await order(id)).version).toBe(version);
    const entries = (await api.staff.get(`audit?subject=order:${id}`)).body as AuditPage;
    expect(entries.entries.map(({ action }) => action)).toEqual(['order.changed']);
    expect((await send(await bought(), 'accept')).body).toMatchObject({ status: { status_code: 2000 } });
  });

  it('is refused for an order that does not wait, and for an earlier version', async () => {
    const shipped = await bought('lst-1');
    await send(shipped, 'status', { status_code: 2001 });
    expect(codesOf(await send(shipped, 'accept'))).toEqual([40901]);
    const waiting = await bought();
    expect(codesOf(await send(waiting, 'accept', {}, { 'if-match': '"1"' }))).toEqual([41201]);
    expect(codesOf(await send('ord_unknown', 'accept'))).toEqual([40400]);
    expect(codesOf(await send(waiting, 'accept', { reason: 'x' }))).toEqual([40001]);
  });
});

describe('deny', () => {
  const codes = {
    not_available: 3003,
    denied: 3004,
    price_error: 3004,
    duplicate: 3004,
    other: 3004,
    fraud: 3002,
    event_cancelled: 3007,
  };

  it.each(DENIAL_REASONS)('for %s gives the status of the reason, and keeps it', async (reason) => {
    const id = await bought();
    const denied = await send(id, 'deny', { reason, note: 'Said so.' });
    expect([denied.status, denied.body]).toMatchObject([200, { status: { status_code: codes[reason] } }]);
    const { rows } = await api.pool.query<{ data: object }>(
      `select data from events where stream = $1 and type = 'OrderRejected'`,
      [`order-${id}`],
    );
    expect(rows).toMatchObject([{ data: { reason, sealed_note: expect.any(String) } }]);
  });

  it('appears in the timeline in words', async () => {
    const id = await bought();
    await send(id, 'deny', { reason: 'price_error' });
    const { entries } = (await api.staff.get(`orders/${id}/timeline`)).body as Timeline;
    const titles = entries.map(({ title }) => title);
    expect(titles).toContain('Rejected: Tickets not available - broker denies (the price was wrong)');
  });

  it.each([{}, { reason: 'because' }, { reason: 'other', by: 'me' }])('%j is a bad body', async (body) => {
    expect(codesOf(await send(await bought(), 'deny', body))).toEqual([40001]);
  });

  it('is for brokers of the seller, not for those of another one', async () => {
    const id = await bought('front');
    const back = await signIn(api, ['broker'], ['Back Row']);
    expect(codesOf(await back.send('POST', `orders/${id}/deny`, { reason: 'other' }))).toEqual([40400]);
    const front = await signIn(api, ['broker'], ['Front Row']);
    expect((await front.send('POST', `orders/${id}/deny`, { reason: 'other' })).status).toBe(200);
  });
});

describe('after the deadline', () => {
  const late = () => {
    const now = Date.now();
    vi.spyOn(api.app.get(DatabaseClock), 'now').mockReturnValue(now + HOUR_MS);
  };

  it('both are refused, also when the deadline has already ended the order', async () => {
    const id = await bought();
    expect(((await api.staff.get(`orders/${id}/actions`)).body as OrderActionList).actions[0]).toMatchObject({
      action: 'accept',
      until: (await order(id)).confirm_by,
    });
    late();
    expect(codesOf(await send(id, 'accept'))).toEqual([40903]);
    expect(codesOf(await send(id, 'deny', { reason: 'denied' }))).toEqual([40903]);
    const { actions } = (await api.staff.get(`orders/${id}/actions`)).body as OrderActionList;
    expect(actions.map(({ action }) => action)).not.toContain('accept');
    await send(id, 'status', { status_code: 3005 });
    expect(codesOf(await send(id, 'accept'))).toEqual([40903]);
  });

  it('a review has none', async () => {
    const id = await bought();
    await send(id, 'status', { status_code: 1002 });
    late();
    expect((await send(id, 'accept')).body).toMatchObject({ status: { status_code: 2000 } });
  });
});

describe('an order that nobody answers', () => {
  const history = async (id: string) => (await order(id)).status_history.map(({ status_code: code }) => code);
  const worker = () =>
    new Deadlines(
      api.app.get(DueOrders),
      api.app.get(DeadlineQueue),
      api.app.get(CommandBus),
      api.app.get(DatabaseClock),
      api.app.get(Settings),
    );
  const dueOrder = async (id: string): Promise<DueOrder> => {
    const { version, confirm_by: dueAt } = await order(id);
    return { id, version, due_for: 'confirmation', due_at: dueAt ?? '' };
  };
  const jumpTo = (at: string | null, ms: number) =>
    vi.spyOn(api.app.get(DatabaseClock), 'now').mockReturnValue(Date.parse(at ?? '') + ms);
  const queue = () => api.app.get(DeadlineQueue);

  it('ends once by its delayed job, with two workers and without another sweep', async () => {
    const id = await bought();
    await api.pool.query(`update orders set due_at = now() + interval '1 second' where id = $1`, [id]);
    const errors: unknown[] = [];
    const workers = [worker(), worker()].map(
      (deadlines) =>
        new JobWorker<DueOrder>(api.app.get(QueueBackend), {
          name: 'deadlines',
          process: (job) => deadlines.process(job),
          concurrency: 10,
          onError: (error) => errors.push(error),
        }),
    );
    for (const one of workers) one.start();
    await worker().schedule();
    await until(async () => (await order(id)).status?.status_code === 3005);
    await Promise.all(workers.map((one) => one.stop(10_000)));
    expect([await history(id), errors]).toEqual([[1001, 3005], []]);
  });

  it('ends once when two workers do the same job at the same time', async () => {
    const id = await bought();
    const job = await dueOrder(id);
    jumpTo(job.due_at, 0);
    await Promise.allSettled([worker().process(job), worker().process(job), worker().process(job)]);
    await worker().process(job);
    expect(await history(id)).toEqual([1001, 3005]);
  });

  it('is either confirmed or ended, but never both, when the broker answers at the moment of the deadline', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => bought()));
    const jobs = await Promise.all(ids.map(dueOrder));
    const late = api.app.get(DatabaseClock).now() + HOUR_MS;
    const clock = { now: () => late, iso: () => new Date(late).toISOString(), monotonic: () => 0 };
    // The clock of the api is a moment behind that of the worker.
    const deadlines = new Deadlines(
      api.app.get(DueOrders),
      queue(),
      api.app.get(CommandBus),
      clock,
      api.app.get(Settings),
    );
    const answers = await Promise.all(
      jobs.map(async (job) => (await Promise.all([send(job.id, 'accept'), deadlines.process(job)]))[0].status),
    );
    for (const [index, id] of ids.entries()) {
      expect(await history(id)).toEqual([1001, answers[index] === 200 ? 2000 : 3005]);
    }
    // A job that was read before the answer changes nothing after it.
    for (const job of jobs) await deadlines.process(job);
    expect(new Set(await Promise.all(ids.map(async (id) => (await history(id)).length)))).toEqual(new Set([2]));
  });

  it('is left alone by a job that comes before the deadline of the database’s clock', async () => {
    const id = await bought();
    const job = await dueOrder(id);
    jumpTo(job.due_at, -1);
    await worker().process(job);
    expect(await history(id)).toEqual([1001]);
    jumpTo(job.due_at, 0);
    await worker().process(job);
    expect(await history(id)).toEqual([1001, 3005]);
  });

  it('gets a job of the sweep when the clock jumps past its deadline, although its delayed job still waits', async () => {
    const id = await bought();
    const { due_at: dueAt } = await dueOrder(id);
    const before = await queue().depth();
    jumpTo(dueAt, -30_000);
    const sweep = worker();
    await sweep.schedule();
    const planned = await queue().depth();
    expect(planned.delayed - before.delayed).toBeGreaterThanOrEqual(1);
    await sweep.schedule();
    expect((await queue().depth()).delayed).toBe(planned.delayed);
    jumpTo(dueAt, 0);
    await sweep.schedule();
    expect((await queue().depth()).waiting).toBeGreaterThan(planned.waiting);
  });
});
