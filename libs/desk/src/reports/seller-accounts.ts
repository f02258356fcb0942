import type { ReportGroup } from '../report.contract.js';

const LINES = `ledger_entries l cross join lateral unnest(l.accounts, l.amounts) as line (account, amount)
  where account like 'seller:%'`;

/** An entry of a seller in a row with one of a provider is a refund; without one it is of a sale. */
const IS_REFUND = `exists (select from unnest(l.accounts) as other where other like 'provider:%')`;

/** Of an order `o`: the cents that its seller has earned by it, and those of them that were refunded. */
export const EARNED = `cross join lateral (
  select -sum(amount) filter (where not ${IS_REFUND}) as earned_cents, sum(amount) filter (where ${IS_REFUND}) as refunded_cents
  from ${LINES} and l.stream = 'order-' || o.id) as ledger`;

/** What each seller was paid in the period ($1, $2), and is owed now; of the sellers $3, or of all. */
export const ACCOUNTS = `with accounts as materialized (
  select substr(account, length('seller:') + 1) as account_of, -sum(amount) as owed_cents, sum(amount) filter (
    where l.stream like 'seller-payment-%' and l.recorded_at >= $1 and l.recorded_at < $2) as paid_cents
  from ${LINES} and ($3::text[] is null or substr(account, length('seller:') + 1) = any($3))
  group by account_of)`;

// After an upgrade a worker adds the entries of earlier orders. Until it has them all, there is no sum.
const onceFilled = (cents: string, name: string, only = 'true') => `
  case when ${only} and exists (select from ledger_filling where done_at is not null)
    then (coalesce(${cents}, 0) / 100)::float8 end as ${name}`;

export const EARNED_FIGURES = [
  onceFilled('sum(earned_cents)', 'earned'),
  onceFilled('sum(refunded_cents)', 'refunded'),
];

/** Figures of `ACCOUNTS`, in a row of one seller and in the totals. */
export function accountFigures(by: ReportGroup): readonly string[] {
  const isOne = by === 'seller' ? `account_of = coalesce(found.seller, 'house')` : 'false';
  const only = by === 'seller' ? 'true' : 'is_total';
  const sumOf = (cents: string) => `(select sum(${cents}) from accounts where is_total or ${isOne})`;
  return [onceFilled(sumOf('paid_cents'), 'paid', only), onceFilled(sumOf('owed_cents'), 'owed', only)];
}
