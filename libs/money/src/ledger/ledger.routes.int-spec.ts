import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderCommand } from '#domain/order';
import { OrderChanges } from '#orders/order-changes';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, codesOf, messagesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { moveSomeToFeed } from '../../../../test/support/orders/tampering.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import type { LedgerAccounts, LedgerEntries, SellerPayment } from '../ledger.contract.js';
import { ProviderPayouts } from './provider-payouts.js';

let api: TestApi;
let paid: string;
let wholesale: string;
const BY_SYSTEM = { transaction_id: 'req_1', actor: 'system:test' };

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { seller: 'Front Row' });
  paid = await api.payment.bought(cardBody());
  wholesale = await api.wholesale.bought(wholesaleBody());
  const fee = { reference: 'fee_1', amount_cents: 768, for: 'charge' } as const;
  await apply({ type: 'RecordCapture', outcome: { is: 'captured', amount_cents: 25_460, fee }, refundId: 'rf_1' });
  await moveSomeToFeed(api.pool);
});
afterAll(() => api.close());

async function apply(command: OrderCommand): Promise<void> {
  await api.app.get(OrderChanges, { strict: false }).apply(paid, command, BY_SYSTEM);
}

async function ledger(query = ''): Promise<LedgerAccounts> {
  const answer = await api.staff.get(`ledger/accounts${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as LedgerAccounts;
}

const balancesOf = ({ accounts }: LedgerAccounts) =>
  Object.fromEntries(accounts.map(({ account, balance }) => [account, balance]));

async function entries(query = ''): Promise<LedgerEntries> {
  const answer = await api.staff.get(`ledger/entries${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as LedgerEntries;
}

const pay = (change: object = {}): Promise<Answer> =>
  api.staff.send('POST', 'seller-payments', {
    seller: 'Front Row',
    amount: 100.5,
    paid_on: '2026-11-30',
    reference: 'SEPA 1',
    ...change,
  });

describe('the accounts', () => {
  it('have the balances of the sales, the captures and the fees, and add up to 0', async () => {
    const found = await ledger();
    const { 'seller:Front Row': seller, fees, delivery, tax, ...others } = balancesOf(found);
    expect(others).toEqual({
      buyer: 0,
      'client:wh-1': 180.02,
      'provider:sandbox': 246.92,
      provider_fees: 7.68,
    });
    expect(Math.round(100 * ((seller ?? 0) + (fees ?? 0) + (delivery ?? 0) + (tax ?? 0)))).toBe(-43_462);
    expect(new Set(found.accounts.map(({ currency }) => currency))).toEqual(new Set(['USD']));
  });

  it('are the same for ever at a position, and before it had less', async () => {
    const before = await ledger();
    const first = await entries(`?order_id=${paid}&account=buyer`);
    const sold = first.entries.at(-1)?.position ?? 0;
    expect(balancesOf(await ledger(`?position=${sold}`))).toMatchObject({ buyer: 254.6 });
    expect(await ledger('?position=0')).toEqual({ accounts: [], position: 0, at: null });

    await apply({ type: 'RecordFee', fee: { reference: 'fee_2', amount_cents: 100, for: 'dispute' } });
    // It is not in the feed yet.
    expect((await ledger()).accounts).toEqual(before.accounts);
    await moveSomeToFeed(api.pool);
    expect(balancesOf(await ledger())).toMatchObject({ provider_fees: 8.68 });
    expect((await ledger(`?position=${before.position}`)).accounts).toEqual(before.accounts);
    expect(await ledger(`?position=${before.position}`)).toEqual(await ledger(`?position=${before.position}`));
  });

  it('at an instant have what was recorded until then', async () => {
    const { entries: all } = await entries('?account=provider_fees');
    const [last, first] = all;
    const at = new Date(Date.parse(last?.at ?? '') - 1).toISOString();
    const then = await ledger(`?at=${at}`);
    expect(then).toMatchObject({ at, position: (last?.position ?? 0) - 1 });
    expect(balancesOf(then)).toMatchObject({ provider_fees: first?.amount });
    expect((await ledger('?at=2001-01-01')).accounts).toEqual([]);
    expect((await ledger('?at=2099-01-01')).accounts).toEqual((await ledger()).accounts);
  });

  it('want an instant or a position, not both', async () => {
    const both = await api.staff.get('ledger/accounts?at=2026-01-01&position=3');
    expect([both.status, codesOf(both)]).toEqual([400, [40001]]);
    expect(codesOf(await api.staff.get('ledger/accounts?at=yesterday'))).toEqual([40001]);
  });
});

describe('the entries', () => {
  it('of each position add up to 0, newest first, page by page as in one list', async () => {
    const { entries: all } = await entries('?limit=200');
    const sums = new Map<number, number>();
    for (const { position, amount } of all) sums.set(position, (sums.get(position) ?? 0) + Math.round(amount * 100));
    expect([...sums.values()].every((sum) => sum === 0)).toBe(true);
    expect([...sums.keys()]).toEqual([...sums.keys()].sort((a, b) => b - a));

    const paged: LedgerEntries['entries'] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: LedgerEntries = await entries(`?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(page.entries.length).toBeLessThanOrEqual(3);
      paged.push(...page.entries);
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(all);
  });

  it('are found by account, order and time', async () => {
    const { entries: ofOrder } = await entries(`?order_id=${wholesale}`);
    const at = ofOrder[0]?.at ?? '';
    expect(ofOrder.map(({ event, account, amount }) => [event, account, amount])).toEqual([
      ['OrderConfirmed', 'client:wh-1', 180.02],
      ['OrderConfirmed', 'seller:Front Row', -180.02],
    ]);
    expect((await entries('?account=client:wh-1')).entries).toEqual(ofOrder.slice(0, 1));
    const after = new Date(Date.parse(at) + 1).toISOString();
    expect((await entries(`?account=client:wh-1&from=${at}&to=${after}`)).entries).toHaveLength(1);
    expect((await entries(`?account=client:wh-1&from=${after}`)).entries).toEqual([]);
    expect((await entries(`?account=client:wh-1&to=${at}`)).entries).toEqual([]);
    expect((await entries('?order_id=ord_none')).entries).toEqual([]);
  });

  it('refuse a cursor and a period that make no sense', async () => {
    expect(codesOf(await api.staff.get('ledger/entries?cursor=x'))).toEqual([40001]);
    expect(codesOf(await api.staff.get('ledger/entries?from=2026-02-01&to=2026-01-01'))).toEqual([40001]);
  });

  it('are closed to brokers and support, and open to viewers', async () => {
    const broker = await signIn(api, ['broker'], ['Front Row']);
    const support = await signIn(api, ['support']);
    const viewer = await signIn(api, ['viewer']);
    const statuses = [broker, support, viewer].map(async (one) => (await one.get('ledger/entries')).status);
    expect(await Promise.all(statuses)).toEqual([403, 403, 200]);
  });
});

describe('payments to sellers', () => {
  it('reduce what the seller is owed, and are recorded once by their reference', async () => {
    const before = balancesOf(await ledger())['seller:Front Row'] ?? 0;
    const answer = await pay();
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body as SellerPayment).toMatchObject({ seller: 'Front Row', amount: 100.5, currency: 'USD' });
    const again = await Promise.all([pay(), pay({ amount: 3 }), pay({ reference: ' SEPA 1 ' })]);
    expect(again.map((one) => [one.status, codesOf(one)])).toEqual(Array(3).fill([409, [40902]]));
    await moveSomeToFeed(api.pool);
    const after = balancesOf(await ledger());
    expect(Math.round(100 * ((after['seller:Front Row'] ?? 0) - before))).toBe(10_050);
    expect(after['bank']).toBe(-100.5);
    const { entries: found } = await entries('?account=bank');
    expect(found).toMatchObject([{ order_id: null, event: 'SellerPaid', account: 'bank', amount: -100.5 }]);
  });

  it('of two at once with one reference only one counts', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((amount) => pay({ amount, reference: 'at once' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 1.005 }, 'amount'],
    [{ amount: '5' }, 'amount'],
    [{ paid_on: '2026-02-30' }, 'paid_on'],
    [{ reference: '  ' }, 'reference'],
    [{ seller: '' }, 'seller'],
    [{ other: 1 }, 'other'],
  ])('are refused with %j', async (change, field) => {
    const answer = await pay({ reference: 'new one', ...change });
    expect(answer.status).toBe(400);
    expect(messagesOf(answer).join()).toContain(field);
  });

  it('keep no card number', async () => {
    const { body } = await pay({ reference: 'from 4111 1111 1111 1111' });
    expect(body).toMatchObject({ reference: 'from **** **** **** 1111' });
    const { rows } = await api.pool.query(`select from events where stream || data::text ~ '4111 ?1111'`);
    expect(rows).toEqual([]);
  });

  it('need money:act', async () => {
    const viewer = await signIn(api, ['viewer']);
    const body = { seller: 'a', amount: 1, paid_on: '2026-11-30', reference: 'r' };
    expect((await viewer.send('POST', 'seller-payments', body)).status).toBe(403);
  });
});

describe('payouts', () => {
  const of = { currency: 'USD', arrivesAt: '2026-12-01T00:00:00.000Z' };
  const told = (reference: string, state: 'paid' | 'pending' | 'failed', amountCents = 5_000) =>
    api.app
      .get(ProviderPayouts, { strict: false })
      .record('sandbox', { ...of, reference, state, amountCents }, BY_SYSTEM);

  async function moved(): Promise<(account: string) => number> {
    await moveSomeToFeed(api.pool);
    const before = balancesOf(await ledger());
    return (account) => before[account] ?? 0;
  }

  it('move what the provider owes to the bank, each once', async () => {
    const before = await moved();
    expect([await told('po_1', 'pending'), await told('po_1', 'paid'), await told('po_2', 'paid', 0)]).toEqual([
      true,
      false,
      false,
    ]);
    const after = await moved();
    expect(after('bank') - before('bank')).toBeCloseTo(50);
    expect(after('provider:sandbox') - before('provider:sandbox')).toBeCloseTo(-50);
  });

  it('that fail come back, also when the provider tells of the failure first', async () => {
    const before = await moved();
    expect([await told('po_3', 'paid'), await told('po_3', 'failed'), await told('po_3', 'failed')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await told('po_4', 'failed'), await told('po_4', 'paid')]).toEqual([true, false]);
    const after = await moved();
    expect(after('bank')).toBeCloseTo(before('bank'));
    expect(after('provider:sandbox')).toBeCloseTo(before('provider:sandbox'));
  });
});

it('while earlier orders are still filled in, the ledger says so', async () => {
  await api.pool.query('update ledger_filling set done_at = null');
  const other = await startTestApi({}, { url: api.databaseUrl, drop: () => Promise.resolve() });
  try {
    const answers = [await other.staff.get('ledger/accounts'), await other.staff.get('ledger/entries')];
    expect(answers.map((answer) => [answer.status, codesOf(answer)])).toEqual(Array(2).fill([503, [50300]]));
  } finally {
    await other.app.close();
  }
});
