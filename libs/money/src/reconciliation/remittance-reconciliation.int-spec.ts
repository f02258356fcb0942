import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OrderChanges } from '#orders/order-changes';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, codesOf, messagesOf } from '../../../../test/support/callers.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { MoneyTaskList } from '../money-task.contract.js';
import type { BegunReconciliation, Reconciliation } from '../reconciliation.contract.js';
import { ReconciliationRunner } from '../reconciliation-runner.js';

const DAY_MS = 86_400_000;
const TOTAL = 180.02;
const TODAY = new Date().toISOString().slice(0, 10);

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 500, seller: 'seller-1' });
  await api.staff.putListing('manual', { quantity: 500, confirmation: 'manual', confirm_within_minutes: 30 });
});
afterAll(() => api.close());

type Sold = Readonly<{ id: string; ref: string }>;

async function sold(listing_id = 'lst-1'): Promise<Sold> {
  const { product, ...body } = wholesaleBody();
  const ref = `paid-${(purchases += 1)}`;
  const id = await api.wholesale.bought({ ...body, product: { ...product, listing_id }, ref_id: ref });
  return { id, ref };
}

const send = (csv: string, query = 'client_id=wh-1', type = 'text/csv'): Promise<Answer> =>
  api.staff.send('POST', `reconciliations?${query}`, csv, { 'content-type': type });

async function compared(lines: readonly string[], query?: string): Promise<Reconciliation> {
  const answer = await send(['ref_id,amount,paid_on', ...lines].join('\n'), query);
  expect(answer.status, answer.text).toBe(202);
  await api.app.get(ReconciliationRunner).step(new AbortController().signal);
  const { id } = answer.body as BegunReconciliation;
  const done = (await api.staff.get(`reconciliations/${id}`)).body as Reconciliation;
  expect(done).toMatchObject({ state: 'done', error: null, client_id: 'wh-1', provider: null });
  return done;
}

/** What is recorded as paid for it, in cents. */
async function paidFor({ id }: Sold): Promise<number[]> {
  const { rows } = await api.pool.query<{ cents: number }>(
    `select (data ->> 'amount_cents')::int as cents from events where stream = $1 and type = 'RemittanceMatched' order by position`,
    [`order-${id}`],
  );
  return rows.map(({ cents }) => cents);
}

async function tasks(): Promise<MoneyTaskList['tasks']> {
  return ((await api.staff.get('money/tasks?kind=difference&state=open&limit=200')).body as MoneyTaskList).tasks;
}

const differenceOf = ({ id, ref }: Sold, kind: string, ours: unknown, theirs: unknown) => {
  return { kind, order_id: id, reference: ref, ours, theirs };
};

describe('a remittance that agrees', () => {
  it('is recorded with each order, and the same file again records nothing', async () => {
    const [one, two] = [await sold(), await sold()];
    const file = [`${one.ref},${TOTAL},2026-11-25`, `${two.ref},100,2026-11-25`, `${two.ref},80.02,2026-11-26`];
    expect(await compared(file)).toMatchObject({ matched: 2, differing: 0, differences: [] });
    expect([await paidFor(one), await paidFor(two)]).toEqual([[18_002], [10_000, 8_002]]);
    expect(await compared(file)).toMatchObject({ matched: 2, differing: 0, differences: [] });
    expect([await paidFor(one), await paidFor(two)]).toEqual([[18_002], [10_000, 8_002]]);
    const { entries } = (await api.staff.get(`ledger/entries?order_id=${one.id}&account=client:wh-1`)).body as {
      entries: object[];
    };
    expect(entries).toEqual([]);
    expect(await tasks()).toEqual([]);
  });

  it('may name orders by `order_id`, with other names and separators of the columns', async () => {
    const { id } = await sold();
    const file = `Order ID;Paid-On;Note;Amount\r\n${id};2026-11-25;"a;b";${TOTAL}\r\n`;
    const { body } = await send(file, 'from=2026-11-25&client_id=wh-1&to=2026-11-25', 'application/vnd.ms-excel');
    await api.app.get(ReconciliationRunner).step(new AbortController().signal);
    const done = (await api.staff.get(`reconciliations/${(body as BegunReconciliation).id}`)).body;
    expect(done).toMatchObject({ matched: 1, differences: [] });
  });

  it('may take back what was paid for a rejected order', async () => {
    const order = await sold();
    await api.staff.changeStatus(order.id, 3004);
    const paid = `${order.ref},${TOTAL},2026-11-25`;
    expect((await compared([paid])).differences).toEqual([differenceOf(order, 'state', 'rejected', 'paid')]);
    expect(await paidFor(order)).toEqual([]);
    const both = await compared([paid, `${order.ref},-${TOTAL},2026-11-26`]);
    expect(both).toMatchObject({ matched: 1, differences: [] });
    expect(await paidFor(order)).toEqual([18_002, -18_002]);
    expect(await tasks()).toEqual([]);
  });
});

describe('a difference', () => {
  it('is an order that nobody knows, or another client’s', async () => {
    await api.staff.send('POST', 'clients', { client_id: 'other', name: 'Other', variant: 'wholesale' });
    const { ref } = await sold();
    const unknown = await compared([`none,10,2026-11-25`, `none,5,2026-11-26`]);
    const difference = { kind: 'missing_here', order_id: null, reference: 'none', ours: null, theirs: 15 };
    expect(unknown.differences).toEqual([difference]);
    const answer = await send(`ref_id,amount,paid_on\n${ref},10,2026-11-25`, 'client_id=other');
    await api.app.get(ReconciliationRunner).step(new AbortController().signal);
    const { id } = answer.body as BegunReconciliation;
    const { differences } = (await api.staff.get(`reconciliations/${id}`)).body as Reconciliation;
    expect(differences).toEqual([{ ...difference, reference: ref, theirs: 10 }]);
  });

  it('is another amount, until the rest is paid', async () => {
    const order = await sold();
    const first = await compared([`${order.ref},100,2026-11-25`]);
    expect(first.differences).toEqual([differenceOf(order, 'amount', TOTAL, 100)]);
    expect(await tasks()).toContainEqual(expect.objectContaining({ order_id: order.id, ours: TOTAL, theirs: 100 }));
    expect(await compared([`${order.ref},80.02,2026-12-25`])).toMatchObject({ matched: 1, differences: [] });
    expect((await tasks()).filter(({ order_id }) => order_id === order.id)).toEqual([]);
  });

  it('is a line that is there twice, which counts once', async () => {
    const order = await sold();
    const line = `${order.ref},${TOTAL},2026-11-25`;
    const { differences, matched } = await compared([line, line]);
    expect(differences).toEqual([differenceOf(order, 'twice', TOTAL, 2 * TOTAL)]);
    expect(matched).toBe(0);
    expect(await paidFor(order)).toEqual([18_002]);
  });

  it('is an order that is not confirmed, until it is', async () => {
    const order = await sold('manual');
    const line = `${order.ref},${TOTAL},2026-11-25`;
    expect((await compared([line])).differences).toEqual([differenceOf(order, 'state', 'pending', 'paid')]);
    await api.staff.changeStatus(order.id, 2000);
    expect(await compared([line])).toMatchObject({ matched: 1, differences: [] });
    expect(await paidFor(order)).toEqual([18_002]);
  });

  it('is a line without a reference, whose task proposes orders of its amount and day', async () => {
    const order = await sold();
    const { differences } = await compared([`,${TOTAL},${TODAY}`]);
    expect(differences).toEqual([{ kind: 'missing_here', order_id: null, reference: null, ours: null, theirs: TOTAL }]);
    const task = (await tasks()).find(({ reference, order_id }) => reference === null && order_id === null);
    expect(task?.ours).toMatch(/^Orders of this amount and day: ord_/);
    expect(order.id).toMatch(/^ord_/);
  });

  it('is an order of the period that nobody paid, where a period is given', async () => {
    await api.pool.query(`update orders set placed_at = placed_at - interval '30 days'`);
    const [paid, unpaid, rejected] = [await sold(), await sold(), await sold()];
    await api.staff.changeStatus(rejected.id, 3004);
    await sold('manual');
    const file = [`${paid.ref},${TOTAL},2026-11-25`];
    expect((await compared(file)).differences).toEqual([]);
    const period = `client_id=wh-1&from=${TODAY}&to=${TODAY}`;
    const missing = differenceOf(unpaid, 'missing_there', TOTAL, null);
    expect((await compared(file, period)).differences).toEqual([missing]);
    expect((await compared(file, period)).differences).toEqual([missing]);
    expect((await tasks()).filter(({ order_id }) => order_id === unpaid.id)).toHaveLength(1);
    await compared([`${unpaid.ref},${TOTAL},2026-11-25`]);
    expect((await tasks()).filter(({ order_id }) => order_id === unpaid.id)).toEqual([]);
  });
});

describe('a file', () => {
  it.each<readonly [string, string, string]>([
    ['without an amount', 'ref_id,paid_on\na,2026-11-25', 'no column amount'],
    ['without a reference', 'amount,paid_on\n1,2026-11-25', 'no column ref_id or order_id'],
    ['with half a cent', 'ref_id,amount,paid_on\na,1,2026-11-25\nb,1.005,2026-11-25', 'line 3: amount'],
    ['with no day', 'ref_id,amount,paid_on\na,1,yesterday', 'line 2: paid_on'],
    ['that is no CSV', 'ref_id,amount,paid_on\n"a,1,2026-11-25', 'line 2 is not CSV'],
    ['that is empty', '', 'the file is empty'],
  ])('%s is refused, and nothing of it is kept', async (_, csv, reason) => {
    const count = async () => (await api.pool.query('select from reconciliations')).rowCount ?? 0;
    const before = await count();
    const refused = await send(csv);
    expect([refused.status, ...codesOf(refused)]).toEqual([400, 40001]);
    expect(messagesOf(refused)[0]).toContain(reason);
    expect(await count()).toBe(before);
    expect((await api.pool.query('select from remittance_lines where given = $1', ['a'])).rowCount).toBe(0);
  });

  it('of an unknown client, of another type, or for half a period is refused', async () => {
    const csv = 'ref_id,amount,paid_on\na,1,2026-11-25';
    expect(codesOf(await send(csv, 'client_id=nobody'))).toEqual([40001]);
    expect((await send(csv, 'client_id=wh-1', 'application/x-ndjson')).status).toBe(415);
    expect(codesOf(await send(csv, 'client_id=wh-1&from=2026-11-25'))).toEqual([40001]);
  });

  it('whose comparison is killed between two orders is recorded once', async () => {
    const orders = [await sold(), await sold(), await sold()];
    const file = ['ref_id,amount,paid_on', ...orders.map(({ ref }) => `${ref},${TOTAL},2026-11-25`)].join('\n');
    const { id } = (await send(file)).body as BegunReconciliation;
    const changes = api.app.get(OrderChanges);
    const apply = changes.apply.bind(changes);
    let left = 2;
    const dying = vi.spyOn(changes, 'apply').mockImplementation(async (...given) => {
      if ((left -= 1) === 0) throw new Error('killed');
      return await apply(...given);
    });
    const step = () => api.app.get(ReconciliationRunner).step(new AbortController().signal);
    await expect(step()).rejects.toThrow('killed');
    dying.mockRestore();
    await api.pool.query('update reconciliations set leased_until = null where id = $1', [id]);
    await step();
    expect((await api.staff.get(`reconciliations/${id}`)).body).toMatchObject({ state: 'done', matched: 3 });
    for (const order of orders) expect(await paidFor(order)).toEqual([18_002]);
    await step();
    expect((await api.pool.query('select from remittance_lines')).rowCount).toBe(0);
  });

  it('whose upload broke off with its api fails', async () => {
    const at = new Date(Date.now() - DAY_MS).toISOString();
    await api.pool.query(
      `insert into reconciliations (id, client_id, requested_by, created_at, leased_until) values ('rec_broken', 'wh-1', 'x', $1, $1)`,
      [at],
    );
    await api.app.get(ReconciliationRunner).step(new AbortController().signal);
    const broken = (await api.staff.get('reconciliations/rec_broken')).body;
    expect(broken).toMatchObject({ state: 'failed', error: 'The upload broke off.', as_of: null });
  });
});
