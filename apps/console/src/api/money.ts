import { queryOptions } from '@tanstack/react-query';
import type { LedgerAccounts, NewSellerPayment, SellerPayment } from '#money/ledger.contract';
import type { MoneyTask } from '#money/money-task.contract';
import type { BegunReconciliation } from '#money/reconciliation.contract';
import { ask, type Request } from './http.js';

const EVERY_MS = 30_000;
const RUNNING_EVERY_MS = 1_000;

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

/** One comparison with its differences, read again until it has ended. */
export const reconciliationQuery = (id: string) =>
  queryOptions({
    queryKey: ['reconciliation', id],
    queryFn: ({ signal }) => ask('GET reconciliations/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? RUNNING_EVERY_MS : false),
  });

/** Compares with the list of a payment provider. */
export const compareProvider = (request: Request<'POST reconciliations'>): Promise<BegunReconciliation> =>
  ask('POST reconciliations', request);

/** Compares with what a platform has paid: a CSV file. */
export const readRemittance = (request: Request<'POST reconciliations/import'>): Promise<BegunReconciliation> =>
  ask('POST reconciliations/import', request);

export const paySeller = (body: NewSellerPayment): Promise<SellerPayment> => ask('POST seller-payments', { body });
