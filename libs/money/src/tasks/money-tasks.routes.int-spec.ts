import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseClock } from '#database/database-clock';
import type { QueueList, QueuePage } from '#desk/queue.contract';
import type { PaymentOutcome } from '#domain/payments';
import { OrderChanges } from '#orders/order-changes';
import type { OrderDetail } from '#orders/order.contract';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf, messagesOf } from '../../../../test/support/callers.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { Dispute, DisputeList } from '../dispute.contract.js';
import type { MoneyTask, MoneyTaskList } from '../money-task.contract.js';
import { ProviderEventSweep } from '../provider-events/provider-event-sweep.js';
import { ProviderEventWork } from '../provider-events/provider-event-work.js';
import { MoneyTaskWatch } from './money-task-watch.js';

const CARDS = {
  disputed: '4000000000000259',
  captureFails: '4000000000001117',
  holdExpires: '4000000000001125',
  refundFails: '4000000000005126',
  late: '4000000000000341',
};
const SYSTEM = { transaction_id: 'test', actor: 'system:capture' };
const SECOND_MS = 1_000;

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi({ PAYMENT_TIMEOUT_MS: '2000' });
  await api.staff.putListing('lst-1', { quantity: 500, seller: 'seller-1' });
  await api.staff.putListing('manual', { quantity: 500, confirmation: 'manual', confirm_within_minutes: 30 });
});
afterAll(() => api.close());

const settle = (id: string) => api.app.get(PaymentSteps).run(id, SYSTEM);
const watch = () => api.app.get(MoneyTaskWatch).run();

async function bought(card: string, listing_id = 'lst-1'): Promise<string> {
  const body = cardBody();
  body.payment.data.card_number = card;
  const id = await api.payment.bought({
    ...body,
    product: { ...body.product, listing_id },
    ref_id: `task-${(purchases += 1)}`,
  });
  await settle(id);
  return id;
}

async function hearProvider(): Promise<void> {
  await api.app.get(ProviderEventSweep).run();
  while (await api.app.get(ProviderEventWork).run());
}

/** The clock goes on by so much for everything within. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const clock = api.app.get(DatabaseClock);
  const at = clock.now() + ms;
  const now = vi.spyOn(clock, 'now').mockReturnValue(at);
  const iso = vi.spyOn(clock, 'iso').mockReturnValue(new Date(at).toISOString());
  try {
    return await work();
  } finally {
    now.mockRestore();
    iso.mockRestore();
  }
}

const tasks = async (query: string) => ((await api.staff.get(`money/tasks?${query}`)).body as MoneyTaskList).tasks;
const tasksOf = (orderId: string) => tasks(`order_id=${orderId}`);
const end = (task: MoneyTask | undefined, body: object = { note: 'seen to' }) =>
  api.staff.send('POST', `money/tasks/${task?.id ?? 'none'}/done`, body);
const refund = (id: string) => api.staff.send('POST', `orders/${id}/refunds`, { amount: 1, reason: 'other' });
async function inQueue(): Promise<string[]> {
  return ((await api.staff.get('queues/money/orders?limit=200')).body as QueuePage).orders.map(({ id }) => id);
}

describe('a task', () => {
  it('comes with a capture that fails, and its order is in the queue until it is done', async () => {
    const id = await bought(CARDS.captureFails);
    const [task, ...more] = await tasksOf(id);
    expect(more).toEqual([]);
    expect(task).toEqual({
      id: expect.stringMatching(/^tsk_/),
      kind: 'capture_failed',
      order_id: id,
      reference: `sandbox_${id}`,
      due_at: null,
      ours: 254.6,
      theirs: null,
      opened_at: expect.any(String),
      done_at: null,
    });
    expect(await inQueue()).toContain(id);
    expect((await end(task)).body).toMatchObject({ id: task?.id, done_at: expect.any(String) });
    expect(await inQueue()).not.toContain(id);
    expect(codesOf(await end(task))).toEqual([40902]);
    const { rows } = await api.pool.query<{ count: number }>(
      'select count(*)::int as count from order_notes where order_id = $1',
      [id],
    );
    expect(rows[0]?.count).toBe(1);
  });

  it('comes a day before a hold ends, once, and settles when the hold is over', async () => {
    const id = await bought(CARDS.holdExpires, 'manual');
    await watch();
    await watch();
    const found = await tasksOf(id);
    expect(found).toMatchObject([{ kind: 'hold_expires', reference: `sandbox_${id}`, ours: 254.6, done_at: null }]);
    const { payment } = (await api.staff.get(`orders/${id}`)).body as OrderDetail;
    expect(found[0]?.due_at).toBe(payment?.capture_before);
    await api.staff.changeStatus(id, 2000);
    await settle(id);
    expect(await tasksOf(id)).toMatchObject([{ kind: 'hold_expires', done_at: expect.any(String) }]);
    await watch();
    expect(await tasksOf(id)).toHaveLength(1);
  });

  it('does not come for a hold that lasts for days', async () => {
    const id = await bought('4111111111111111', 'manual');
    await watch();
    expect(await tasksOf(id)).toEqual([]);
  });

  it('comes with a refund that fails after it was made', async () => {
    const id = await bought(CARDS.refundFails);
    expect((await refund(id)).status).toBe(201);
    await settle(id);
    expect(await tasksOf(id)).toEqual([]);
    await api.pool.query(
      `update sandbox_refunds set created_at = created_at - interval '11 seconds' where order_id = $1`,
      [id],
    );
    await hearProvider();
    expect(await tasksOf(id)).toMatchObject([{ kind: 'refund_failed', ours: 1, done_at: null }]);
  });

  it('comes with a refund that is not made for an hour, and settles once it is', async () => {
    const id = await bought('4111111111111111');
    await refund(id);
    await watch();
    expect(await tasksOf(id)).toEqual([]);
    await later(3_601 * SECOND_MS, watch);
    expect(await tasksOf(id)).toMatchObject([{ kind: 'refund_failed', reference: null, done_at: null }]);
    await later(3_602 * SECOND_MS, () => settle(id));
    expect(await tasksOf(id)).toMatchObject([{ kind: 'refund_failed', done_at: expect.any(String) }]);
  });

  it('comes with a dispute of a card alone, and ends with it', async () => {
    const id = await bought(CARDS.disputed);
    await api.staff.send('POST', `orders/${id}/disputes`, { kind: 'denied_entry' });
    expect(await tasksOf(id)).toEqual([]);
    await hearProvider();
    const { disputes } = (await api.staff.get('disputes?limit=200')).body as DisputeList;
    const dispute = disputes.find(({ order_id, kind }) => order_id === id && kind === 'card') as Dispute;
    expect(await tasksOf(id)).toMatchObject([
      { kind: 'dispute', reference: dispute.reference, due_at: dispute.due_at, theirs: 254.6, done_at: null },
    ]);
    await api.staff.send('POST', `disputes/${dispute.id}/accept`);
    expect(await tasksOf(id)).toMatchObject([{ kind: 'dispute', done_at: expect.any(String) }]);
  });

  it('comes with a payment whose outcome its provider does not say, and settles with the outcome', async () => {
    const body = cardBody();
    body.payment.data.card_number = CARDS.late;
    expect((await api.payment.buy({ ...body, ref_id: 'unknown' })).status).toBe(500);
    const open = await api.staff.get('orders?stage=awaiting_payment&ref_id=unknown');
    const [{ id } = { id: '' }] = (open.body as { orders: { id: string }[] }).orders;
    const record = (outcome: PaymentOutcome) =>
      api.app.get(OrderChanges).apply(id, { type: 'RecordPaymentOutcome', outcome, platformWaits: false }, SYSTEM);
    expect(await tasksOf(id)).toEqual([]);
    await record({ is: 'unreachable', provider: 'sandbox', reason: 'no answer' });
    expect(await tasksOf(id)).toMatchObject([{ kind: 'unknown', ours: 254.6, done_at: null }]);
    const held = { provider: 'sandbox', reference: `sandbox_${id}`, amount_cents: 25_460, capture_before: null };
    await record({ is: 'authorised', ...held });
    expect(await tasksOf(id)).toMatchObject([{ kind: 'unknown', done_at: expect.any(String) }]);
  });

  it('is done when we hear of a dispute that is over', async () => {
    const id = await bought('4111111111111111');
    const told = {
      reason: 'fraudulent',
      amount_cents: 25_460,
      currency: 'USD',
      due_at: null,
      fees: [],
      inquiry: false,
    };
    const dispute = { ...told, reference: 'over', state: 'won' } as const;
    await api.app.get(OrderChanges).apply(id, { type: 'RecordDispute', disputeId: 'dp_over', dispute }, SYSTEM);
    expect(await tasksOf(id)).toMatchObject([{ kind: 'dispute', done_at: expect.any(String) }]);
  });
});

describe('the list of tasks', () => {
  it('has those of a kind or state, by due time and in pages', async () => {
    const all = await tasks('limit=200');
    const dues = all.map(({ due_at: due }) => due ?? '9999');
    expect(dues).toEqual([...dues].sort());
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: MoneyTaskList = (await api.staff.get(`money/tasks?limit=2${cursor && `&cursor=${cursor}`}`))
        .body as MoneyTaskList;
      paged.push(...page.tasks.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    expect(await tasks('state=open&limit=200')).toEqual(all.filter(({ done_at: done }) => done === null));
    expect(await tasks('state=done&kind=dispute')).toEqual(all.filter(({ kind }) => kind === 'dispute'));
    expect(codesOf(await api.staff.get('money/tasks?cursor=nonsense'))).toEqual([40001]);
  });
});

describe('the end of a task', () => {
  it.each<readonly [string, object]>([
    ['without a note', {}],
    ['with an empty note', { note: '' }],
  ])('%s is answered 40001', async (_, body) => {
    const [task] = await tasks('state=open');
    const refused = await end(task, body);
    expect(codesOf(refused)).toEqual([40001]);
    expect(messagesOf(refused)[0]).toContain('note');
    expect(await tasks('state=open')).toContainEqual(task);
  });

  it('of a task that does not exist is answered 40400', async () => {
    expect(codesOf(await end(undefined))).toEqual([40400]);
  });
});

it('the queue `money` is a built-in one, and counts its orders', async () => {
  const { queues } = (await api.staff.get('queues')).body as QueueList;
  const money = queues.find(({ id }) => id === 'money');
  expect(money).toMatchObject({ name: 'Money', built_in: true, where: null, due: null });
  expect(money?.count).toBe((await inQueue()).length);
  expect(money?.count).toBeGreaterThan(0);
});
