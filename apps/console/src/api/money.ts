import { queryOptions } from '@tanstack/react-query';
import type { LedgerAccounts, NewSellerPayment, SellerPayment } from '#money/ledger.contract';
import type { MoneyTask } from '#money/money-task.contract';
import { ask } from './http.js';

const EVERY_MS = 30_000;

export type Balances = LedgerAccounts['accounts'];

/** The balance of each account. @param at ISO 8601, a time that has passed: what was recorded until then never changes. Undefined: now */
export const balancesQuery = (at?: string) =>
  queryOptions({
    queryKey: ['balances', at ?? 'now'],
    queryFn: async ({ signal }) =>
      (await ask('GET ledger/accounts', { ...(at !== undefined && { query: { at } }), signal })).accounts,
    ...(at === undefined ? { refetchInterval: EVERY_MS } : { staleTime: Infinity }),
  });

export const endTask = (id: string, note: string): Promise<MoneyTask> =>
  ask('POST money/tasks/{id}/done', { path: { id }, body: { note } });

export const paySeller = (body: NewSellerPayment): Promise<SellerPayment> => ask('POST seller-payments', { body });
