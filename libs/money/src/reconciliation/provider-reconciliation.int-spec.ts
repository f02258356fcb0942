import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { StepWaits } from '#orders/payments/step-waits';
import { PaymentProviders } from '#payments/payment-providers';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { codesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import type { LineRecord } from '../../../../test/support/payments/stripe/records.js';
import { DISPUTED_CARD } from '../../../../test/support/payments/stripe/test-cards.js';
import { StripeDouble } from '../../../../test/support/payments/stripe-double.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { MoneyTaskList } from '../money-task.contract.js';
import { ProviderEventSweep } from '../provider-events/provider-event-sweep.js';
import { ProviderEventWork } from '../provider-events/provider-event-work.js';
import type {
  BegunReconciliation,
  Difference,
  Reconciliation,
  ReconciliationList,
} from '../reconciliation.contract.js';
import { ReconciliationRunner } from '../reconciliation-runner.js';
import { ReconciliationLeases } from './reconciliation-leases.js';

const SYSTEM = { transaction_id: 'test', actor: 'system:capture' };
const DAY_MS = 86_400_000;
const TOTAL = 254.6;

let api: TestApi;
let double: StripeDouble;
let purchases = 0;

beforeAll(async () => {
  double = await StripeDouble.start();
  api = await startTestApi({ ...double.settings, PAYMENT_PROVIDER: 'stripe' });
  await api.staff.putListing('lst-1', { quantity: 500, seller: 'seller-1' });
  await api.staff.putListing('manual', { quantity: 500, confirmation: 'manual', confirm_within_minutes: 30 });
});
afterAll(async () => {
  await api.close();
  await double.stop();
});

/** Does the next step. A refund that the provider has not made yet waits. */
async function settle(orderId: string): Promise<void> {
  await api.app
    .get(PaymentSteps)
    .run(orderId, SYSTEM)
    .catch((error: unknown) => {
      if (!(error instanceof StepWaits)) throw error;
    });
}

async function bought(card?: string, listing_id = 'lst-1'): Promise<string> {
  const { product, ...body } = cardBody();
  if (card !== undefined) body.payment.data.card_number = card;
  const given = { ...body, product: { ...product, listing_id }, ref_id: `list-${(purchases += 1)}` };
  const id = await api.payment.bought(given);
  await settle(id);
  return id;
}

async function refunded(orderId: string, amount: number): Promise<void> {
  expect((await api.staff.send('POST', `orders/${orderId}/refunds`, { amount, reason: 'other' })).status).toBe(201);
  await settle(orderId);
}

async function hearProvider(): Promise<void> {
  await api.app.get(ProviderEventSweep).run();
  while (await api.app.get(ProviderEventWork).run());
}

const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

async function begun(period = { from: day(-2), to: day(1) }): Promise<string> {
  const answer = await api.staff.send('POST', 'reconciliations', { provider: 'stripe', ...period });
  expect(answer.status, answer.text).toBe(202);
  const { id, state } = answer.body as BegunReconciliation;
  expect(state).toBe('running');
  return id;
}

const step = () => api.app.get(ReconciliationRunner).step(new AbortController().signal);
const found = async (id: string) => (await api.staff.get(`reconciliations/${id}`)).body as Reconciliation;

async function compared(period?: { from: string; to: string }): Promise<Reconciliation> {
  const id = await begun(period);
  await step();
  const done = await found(id);
  expect(done).toMatchObject({ state: 'done', error: null });
  return done;
}

async function tasks(query = 'state=open'): Promise<MoneyTaskList['tasks']> {
  return ((await api.staff.get(`money/tasks?kind=difference&limit=200&${query}`)).body as MoneyTaskList).tasks;
}

const referenceOf = (orderId: string) => {
  const charge = double.book.charges().find((one) => one.orderId === orderId);
  if (!charge) throw new Error(`${orderId} has no charge.`);
  return charge.reference;
};

const lineOf = (type: LineRecord['type'], reference: string): LineRecord => {
  const line = double.book.lines.find((one) => {
    if (one.type !== type) return false;
    return one.source?.object === 'charge'
      ? one.source.record.intent.id === reference
      : one.source?.record.id === reference;
  });
  if (!line) throw new Error(`There is no line of ${reference}.`);
  return line;
};

/** Puts these lines in place of the line, as if the provider had them. */
function replace(line: LineRecord, ...by: readonly Partial<LineRecord>[]): void {
  const { lines } = double.book;
  lines.splice(lines.indexOf(line), 1, ...by.map((change) => ({ ...line, ...change })));
}

/** A charge that no order of ours explains. */
function strayCharge(metadata: Record<string, string> = {}): string {
  const { book } = double;
  const intent = book.prepare({ amount: 4_200, currency: 'usd', customer: null, description: null, metadata });
  book.authorise(intent, {
    id: 'pm_stray',
    number: '4242424242424242',
    month: 12,
    year: 2_039,
    name: null,
    customer: null,
  });
  book.capture(intent, 4_200);
  return intent.id;
}

/** Whatever `work` does at the provider, no event tells of it. */
function unheard<T>(work: () => T): T {
  const { events } = double.book;
  const known = events.length;
  const made = work();
  events.splice(known);
  return made;
}

const intentOf = (orderId: string) => double.book.intent(referenceOf(orderId));

describe('a list that agrees', () => {
  it('gives an empty report, whatever happened to the money', async () => {
    const plain = await bought();
    await refunded(plain, 54.6);
    await bought(DISPUTED_CARD);
    const won = await bought(DISPUTED_CARD);
    const failing = await bought('4000000000005126');
    await refunded(failing, 10);
    await hearProvider();
    const dispute = double.book.disputes.find(({ intent }) => intent.id === referenceOf(won));
    if (dispute) double.book.closeDispute(dispute, 'won');
    double.settle();
    double.book.payOut(5_000, 'usd');
    const { differences, matched, differing, as_of } = await compared();
    expect(differences).toEqual([]);
    // Four charges, two refunds of which one failed, two disputes of which one was won, a payout.
    expect({ matched, differing }).toEqual({ matched: 11, differing: 0 });
    expect(Date.parse(as_of ?? '')).toBeLessThanOrEqual(Date.now());
    expect(await tasks()).toEqual([]);
  });
});

describe('ten planted differences', () => {
  const planted: Record<string, Difference> = {};
  let report: Reconciliation;

  beforeAll(async () => {
    const { book } = double;
    const plant = (name: string, kind: Difference['kind'], orderId: string | null, rest: Partial<Difference>) => {
      const reference = orderId === null ? null : referenceOf(orderId);
      planted[name] = { kind, order_id: orderId, reference, ours: null, theirs: null, ...rest };
    };
    plant('charge missing here', 'missing_here', null, { reference: unheard(strayCharge), theirs: 42 });

    const [refundHere, disputeHere, chargeThere, refundThere, amount, twice, fee, currency] = (await Promise.all(
      Array.from({ length: 8 }, () => bought()),
    )) as [string, string, string, string, string, string, string, string];
    const refund = unheard(() => book.refund(intentOf(refundHere), 1_000, {}));
    plant('refund missing here', 'missing_here', refundHere, { reference: refund.id, theirs: -10 });
    const dispute = unheard(() => book.openDispute(intentOf(disputeHere), false));
    plant('dispute missing here', 'missing_here', disputeHere, { reference: dispute.id, theirs: -TOTAL });

    replace(lineOf('charge', referenceOf(chargeThere)));
    plant('capture missing there', 'missing_there', chargeThere, { ours: TOTAL });
    await refunded(refundThere, 20);
    const made = book.refunds(referenceOf(refundThere))[0]?.reference ?? '';
    replace(lineOf('refund', made));
    plant('refund missing there', 'missing_there', refundThere, { reference: made, ours: -20 });

    replace(lineOf('charge', referenceOf(amount)), { amount: 25_000 });
    plant('amount', 'amount', amount, { ours: TOTAL, theirs: 250 });
    replace(lineOf('charge', referenceOf(twice)), {}, { id: book.id('txn') });
    plant('twice', 'twice', twice, { ours: TOTAL, theirs: 2 * TOTAL });
    replace(lineOf('charge', referenceOf(fee)), { fee: 900 });
    plant('fee', 'fee', fee, { ours: 7.68, theirs: 9 });
    replace(lineOf('charge', referenceOf(currency)), { currency: 'eur' });
    plant('currency', 'currency', currency, { ours: 'USD', theirs: 'EUR' });

    const state = await bought(undefined, 'manual');
    await hearProvider();
    unheard(() => book.capture(intentOf(state), 25_460));
    plant('state', 'state', state, { ours: 'authorised', theirs: 'captured' });
    report = await compared();
  });

  it('are all found, and nothing else', () => {
    expect(Object.keys(planted)).toHaveLength(10);
    expect(report.differing).toBe(10);
    expect(report.differences).toHaveLength(10);
    for (const [name, difference] of Object.entries(planted))
      expect(report.differences, name).toContainEqual(difference);
  });

  it('have a task each, with both sides, and no second one when the period is compared again', async () => {
    const before = await tasks();
    const sides = before.map(({ order_id, reference, ours, theirs }) => ({ order_id, reference, ours, theirs }));
    for (const { kind: _, ...side } of Object.values(planted)) expect(sides).toContainEqual(side);
    const again = await compared();
    expect(again.differences).toEqual(report.differences);
    expect(again.matched).toBe(report.matched);
    expect(await tasks()).toEqual(before);
  });

  it('stay done where a person has ended the task, and end by themselves once they are gone', async () => {
    const byReference = async (name: string) =>
      (await tasks('')).find(({ reference }) => reference === planted[name]?.reference);
    const ended = await byReference('amount');
    const note = { note: 'The bank has corrected it.' };
    expect((await api.staff.send('POST', `money/tasks/${ended?.id ?? ''}/done`, note)).status).toBe(200);
    const fee = planted.fee?.reference ?? '';
    replace(lineOf('charge', fee), { fee: 768 });
    const { differences } = await compared();
    expect(differences.map(({ kind }) => kind)).not.toContain('fee');
    expect(await byReference('fee')).toMatchObject({ done_at: expect.any(String) });
    expect((await byReference('amount'))?.done_at).toEqual(expect.any(String));
    expect(await tasks()).toHaveLength(8);

    replace(lineOf('charge', fee), { fee: 900 });
    await compared();
    expect(await byReference('fee')).toMatchObject({ done_at: null, theirs: 9 });
  });

  it('are none of another period', async () => {
    expect(await compared({ from: day(-20), to: day(-10) })).toMatchObject({ matched: 0, differences: [] });
    expect(await tasks()).toHaveLength(9);
  });
});

describe('what is in flight', () => {
  it('is no difference: a capture that is not recorded yet, and a pending refund', async () => {
    const before = await compared();
    const { product, ...body } = cardBody();
    const id = await api.payment.bought({ ...body, product, ref_id: 'in-flight' });
    unheard(() => double.book.capture(intentOf(id), 25_460));
    expect((await compared()).differences).toEqual(before.differences);
    await settle(id);
    expect(await compared()).toMatchObject({ differences: before.differences, matched: before.matched + 1 });

    await refunded(await bought('4000000000005126'), 10);
    expect(await compared()).toMatchObject({ differences: before.differences, matched: before.matched + 2 });
    double.settle();
  });

  it('is no difference: what was recorded after the list was read', async () => {
    const before = await compared();
    const id = await begun();
    const provider = api.app.get(PaymentProviders).named('stripe');
    const read = provider.balanceLines.bind(provider);
    const late = vi.spyOn(provider, 'balanceLines').mockImplementation(async function* (from, to) {
      const lines = [];
      for await (const line of read(from, to)) lines.push(line);
      if (from < day(0) && to > day(-0.1)) await bought();
      yield* lines;
    });
    await step();
    late.mockRestore();
    expect((await found(id)).differences).toEqual(before.differences);
  });
});

describe('a charge without an order', () => {
  it('has a task that proposes the orders of its amount and day', async () => {
    const id = await bought();
    const stray = strayCharge();
    replace(lineOf('charge', stray), { amount: 25_460 });
    const { differences } = await compared();
    expect(differences).toContainEqual({
      kind: 'missing_here',
      order_id: null,
      reference: stray,
      ours: null,
      theirs: TOTAL,
    });
    const task = (await tasks()).find(({ reference }) => reference === stray);
    expect(task?.ours).toContain('Orders of this amount and day: ord_');
    expect(id).toMatch(/^ord_/);
  });
});

describe('a comparison that is killed', () => {
  it('goes on where it was, and reports the same', async () => {
    const { differences, matched } = await compared();
    const id = await begun();
    const provider = api.app.get(PaymentProviders).named('stripe');
    const read = provider.balanceLines.bind(provider);
    const asked: string[] = [];
    const list = vi.spyOn(provider, 'balanceLines').mockImplementation((from, to) => {
      asked.push(from);
      return read(from, to);
    });
    const leases = api.app.get(ReconciliationLeases);
    const advance = leases.advance.bind(leases);
    const dying = vi.spyOn(leases, 'advance').mockImplementation(async (client, claimed, step) => {
      if (step.isRead === true) throw new Error('killed');
      await advance(client, claimed, step);
    });
    await expect(step()).rejects.toThrow('killed');
    expect(await found(id)).toMatchObject({ state: 'running', as_of: null, error: 'killed' });
    const lines = await api.pool.query('select from provider_lines where reconciliation_id = $1', [id]);
    expect(lines.rowCount).toBeGreaterThan(matched);
    dying.mockRestore();
    await api.pool.query('update reconciliations set leased_until = null where id = $1', [id]);
    const stop = new AbortController();
    const settles = vi.spyOn(api.app.get(ProviderEventSweep), 'read').mockImplementationOnce(async () => stop.abort());
    await api.app.get(ReconciliationRunner).step(stop.signal);
    expect((await found(id)).state).toBe('running');
    expect(settles).toHaveBeenCalledOnce();
    await step();
    list.mockRestore();
    // The last slice was read again, and no other.
    expect(asked.length - new Set(asked).size).toBe(1);
    expect(await found(id)).toMatchObject({ state: 'done', differences, matched, error: null });
  });
});

describe('the routes', () => {
  it('list the comparisons, newest first, in pages', async () => {
    const page = async (query: string) => (await api.staff.get(`reconciliations?${query}`)).body as ReconciliationList;
    const { reconciliations, next_cursor: cursor } = await page('limit=2');
    expect(reconciliations).toHaveLength(2);
    expect(reconciliations[0]).toMatchObject({ provider: 'stripe', client_id: null, state: 'done', differing: 11 });
    const next = await page(`limit=2&cursor=${cursor ?? ''}`);
    const ids = [...reconciliations, ...next.reconciliations].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    expect(codesOf(await api.staff.get('reconciliations?cursor=nonsense'))).toEqual([40001]);
    expect(codesOf(await api.staff.get('reconciliations/rec_none'))).toEqual([40400]);
  });

  it.each<readonly [string, object]>([
    ['an unknown provider', { provider: 'braintree', from: '2026-11-01', to: '2026-12-01' }],
    ['a period that ends before it begins', { provider: 'stripe', from: '2026-12-01', to: '2026-11-01' }],
    ['more than a year', { provider: 'stripe', from: '2025-11-01', to: '2026-12-01' }],
    ['no period', { provider: 'stripe' }],
  ])('refuse %s with 40001', async (_, body) => {
    const refused = await api.staff.send('POST', 'reconciliations', body);
    expect([refused.status, ...new Set(codesOf(refused))]).toEqual([400, 40001]);
  });

  it('are closed to support, and begin nothing for who only reads', async () => {
    const support = await signIn(api, ['support']);
    const viewer = await signIn(api, ['viewer']);
    expect((await support.get('reconciliations')).status).toBe(403);
    expect((await viewer.get('reconciliations')).status).toBe(200);
    const body = { provider: 'stripe', from: day(-1), to: day(0) };
    expect((await viewer.send('POST', 'reconciliations', body)).status).toBe(403);
    expect((await viewer.send('POST', 'reconciliations?client_id=wh-1', 'a')).status).toBe(403);
  });

  it('are audited', async () => {
    const id = await begun();
    const { entries } = (await api.staff.get('audit?action=reconciliation.started&limit=1')).body as AuditPage;
    expect(entries).toMatchObject([{ subject: `reconciliation:${id}`, detail: { provider: 'stripe' } }]);
    await step();
  });
});
