import type { Pool } from 'pg';
import type { BookedCharge, ProviderBook } from '../provider-double.js';
import type { Attempt } from './shop.js';

type Refund = { cents: number; state: 'open' | 'succeeded' | 'failed' };

/** What the log of events says of an order's money. It reads events alone: no rule, fold or table of the program takes part. */
type Account = {
  totalCents: number;
  status: string | null;
  captures: { reference: string; cents: number }[];
  refunds: Map<string, Refund>;
  /** For whoever has to find out why. */
  events: string[];
};

/**
 * What disagrees once nothing is due any more, by the provider's own book: a charge without an order, an order without a charge, money that moved
 * twice or is held for nobody, and a ledger that does not say the same.
 */
export async function moneyViolations(
  pool: Pool,
  { name, book }: Readonly<{ name: string; book: ProviderBook }>,
  attempts: readonly Attempt[],
): Promise<string[]> {
  const accounts = await accountsOf(pool);
  const charges = grouped(book.charges(), ({ orderId }) => orderId ?? '');
  const strangers = [...charges].filter(([id, some]) => !accounts.has(id) && some.some(isMoney)).map(([id]) => id);
  return [
    ...strangers.map((id) => `a charge without an order: ${id}`),
    ...[...accounts].flatMap(([id, account]) =>
      orderViolations(account, charges.get(id) ?? []).map((what) => [`${id}: ${what}`, ...account.events].join('\n  ')),
    ),
    ...refundsMadeTwice(book),
    ...answerViolations(attempts, accounts, await refIds(pool)),
    ...(await ledgerViolations(pool, name, book)),
  ];
}

function grouped<T>(all: readonly T[], by: (one: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
  return groups;
}

const isMoney = ({ state, capturedCents }: BookedCharge): boolean => state === 'authorised' || capturedCents > 0;
const sum = (cents: readonly number[]): number => cents.reduce((total, each) => total + each, 0);

function orderViolations(
  { totalCents, status, captures, refunds }: Account,
  charges: readonly BookedCharge[],
): string[] {
  const taken = charges.filter(({ capturedCents }) => capturedCents > 0);
  const capturedCents = sum(taken.map((charge) => charge.capturedCents));
  const givenBack = sum(taken.map((charge) => charge.refundedCents));
  const made = [...refunds.values()];
  const recordedBack = sum(made.filter(({ state }) => state === 'succeeded').map(({ cents }) => cents));
  const hasFailed = made.some(({ state }) => state === 'failed');
  const isDue = status !== null && status !== 'rejected';
  const same = (one: readonly string[], other: readonly string[]) => one.join() === other.join();
  const recorded = captures.map(({ reference, cents }) => `${reference} ${cents}`);
  const booked = taken.map((charge) => `${charge.reference} ${charge.capturedCents}`);
  return [
    ...(charges.some(({ state }) => state === 'authorised') ? ['its money is still held'] : []),
    ...(taken.length > 1 ? [`charged ${taken.length} times`] : []),
    ...(same(recorded, booked) ? [] : [`captured [${booked.join()}], but recorded [${recorded.join()}]`]),
    ...(isDue && capturedCents !== totalCents ? [`${status} for ${totalCents}, but charged ${capturedCents}`] : []),
    ...(status === null && capturedCents > givenBack ? [`no order, but charged ${capturedCents}`] : []),
    ...(givenBack === recordedBack ? [] : [`gave back ${givenBack}, but recorded ${recordedBack}`]),
    ...(givenBack > capturedCents ? [`gave back ${givenBack} of ${capturedCents}`] : []),
    ...(status === 'rejected' && !hasFailed && givenBack !== capturedCents
      ? [`rejected, but kept ${capturedCents - givenBack}`]
      : []),
    ...(made.some(({ state }) => state === 'open') ? ['a refund is still open'] : []),
  ];
}

function refundsMadeTwice(book: ProviderBook): string[] {
  const made = book.refunds().filter(({ refundId, state }) => refundId !== null && state !== 'failed');
  const byId = grouped(made, ({ refundId }) => refundId ?? '');
  return [...byId]
    .filter(([, some]) => some.length > 1)
    .map(([id, some]) => `refund ${id} was made ${some.length} times`);
}

/** What the platform was told must be so. */
function answerViolations(
  attempts: readonly Attempt[],
  accounts: ReadonlyMap<string, Account>,
  idsOf: ReadonlyMap<string, string>,
): string[] {
  return attempts.flatMap(({ refId, outcome }) => {
    const account = accounts.get(typeof outcome === 'object' ? outcome.orderId : (idsOf.get(refId) ?? ''));
    if (typeof outcome === 'object' && !account?.status) return [`${refId} was accepted, and is no order`];
    return outcome === 'refused' && account?.status ? [`${refId} was refused, and is an order: ${account.status}`] : [];
  });
}

async function ledgerViolations(pool: Pool, provider: string, book: ProviderBook): Promise<string[]> {
  const { rows } = await pool.query<{ account: string; cents: number }>(
    `select account, sum(amount)::float8 as cents from ledger_entries, unnest(accounts, amounts) as entry (account, amount)
     where account in ('provider:' || $1, 'provider_fees') group by account`,
    [provider],
  );
  const balance = (account: string) => rows.find((row) => row.account === account)?.cents ?? 0;
  const { rows: unequal } = await pool.query<{ stream: string }>(
    `select stream from ledger_entries where (select sum(amount) from unnest(amounts) as amount) <> 0`,
  );
  const owed = sum(book.charges().map(({ capturedCents, refundedCents }) => capturedCents - refundedCents));
  const booked = balance(`provider:${provider}`) + balance('provider_fees');
  return [
    ...unequal.map(({ stream }) => `the ledger of ${stream} does not add up to 0`),
    ...(booked === owed ? [] : [`the ledger says ${booked}, the provider ${owed}`]),
  ];
}

async function refIds(pool: Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ ref_id: string; id: string }>('select ref_id, id from orders');
  return new Map(rows.map(({ ref_id: refId, id }) => [refId, id]));
}

type Logged = Readonly<{ id: string; type: string; data: Readonly<Record<string, unknown>> }>;

async function accountsOf(pool: Pool): Promise<ReadonlyMap<string, Account>> {
  const { rows } = await pool.query<Logged>(
    `select substr(stream, 7) as id, type, data from events where starts_with(stream, 'order-') order by stream, position`,
  );
  const accounts = new Map<string, Account>();
  for (const event of rows) {
    const account = accounts.get(event.id) ?? {
      totalCents: 0,
      status: null,
      captures: [],
      refunds: new Map(),
      events: [],
    };
    accounts.set(event.id, account);
    post(account, event);
  }
  return accounts;
}

function post(account: Account, { type, data }: Logged): void {
  account.events.push(`${type} ${JSON.stringify(data)}`);
  const refund = account.refunds.get(String(data['refund_id']));
  if (type === 'PurchaseReceived') account.totalCents = Number(data['total_cents']);
  if (typeof data['status'] === 'object') account.status = (data['status'] as { status: string }).status;
  if (type === 'PaymentCaptured') {
    account.captures.push({ reference: String(data['reference']), cents: Number(data['amount_cents']) });
  }
  if (type === 'RefundRequested') {
    account.refunds.set(String(data['refund_id']), { cents: Number(data['amount_cents']), state: 'open' });
  }
  if (refund && type === 'RefundSucceeded') refund.state = 'succeeded';
  if (refund && (type === 'RefundFailed' || type === 'RefundDeclined')) refund.state = 'failed';
}
