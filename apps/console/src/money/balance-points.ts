import type { Balances } from '../api/money.js';
import { dayAfter, dayOf, midnightOf, timeZone } from '../words/time-zone.js';

export const PERIODS = ['7', '30', '90'] as const;
export type Period = (typeof PERIODS)[number];

/** The days between two points. The server sums up all entries for each point, so there are at most eleven, and now. */
const STEPS = { '7': 1, '30': 3, '90': 9 } as const;

/** Beginnings of days, oldest first and today's last, as ISO 8601. Balances until then never change, so they are asked for once. */
export function balancePoints(period: Period, now: number, zone = timeZone): readonly string[] {
  const step = STEPS[period];
  const today = dayOf(new Date(now), zone);
  const count = Math.ceil(Number(period) / step);
  return Array.from({ length: count + 1 }, (_, index) =>
    midnightOf(dayAfter(today, (index - count) * step), zone).toISOString(),
  );
}

/** The kind of an account, and whose it is: `seller:Front Row` is `seller` of `Front Row`. */
export function partsOf(account: string): Readonly<{ kind: string; of: string | undefined }> {
  const colon = account.indexOf(':');
  return colon < 0 ? { kind: account, of: undefined } : { kind: account.slice(0, colon), of: account.slice(colon + 1) };
}

/** Accounts whose balance in the ledger, where debit is positive, is below 0 when all is well. */
const CREDIT: readonly string[] = ['seller', 'fees', 'delivery', 'tax'];

/** The amount as people say it: 100 owed to a seller, 100 earned, 100 in the bank. */
export const saidAmount = (account: string, amount: number): number =>
  amount === 0 || !CREDIT.includes(partsOf(account).kind) ? amount : -amount;

const SERIES = {
  providers: ['provider'],
  bank: ['bank'],
  sellers: ['seller'],
  clients: ['client'],
  disputes: ['disputes'],
  earned: ['fees', 'delivery'],
  tax: ['tax'],
  losses: ['losses'],
  provider_fees: ['provider_fees'],
} as const;

export type SeriesId = keyof typeof SERIES;

/** The sum of the accounts of a series, as people say it, of one currency. To the cent. */
export function seriesValue(id: SeriesId, balances: Balances, currency: string): number {
  const kinds: readonly string[] = SERIES[id];
  const cents = balances
    .filter((one) => one.currency === currency && kinds.includes(partsOf(one.account).kind))
    .reduce((sum, { account, balance }) => sum + Math.round(saidAmount(account, balance) * 100), 0);
  return cents / 100;
}

/** The currencies of the balances. There is one, unless the installation has changed it. */
export const currenciesOf = (balances: Balances): readonly string[] => [
  ...new Set(balances.map(({ currency }) => currency)),
];
