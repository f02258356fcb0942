import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { LedgerFilling } from './ledger/ledger-filling.js';

export const LEDGER_FILLING_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'ledger of earlier orders',
    does: 'Adds the entries of orders from versions without a ledger, once. Until then `/backoffice/v1/ledger` answers 503.',
    seen: 'the log line `the ledger has the entries of earlier orders`',
    everyMs: 20,
    idleMs: 60_000,
    handler: LedgerFilling,
    run: (filling) => filling.run(),
  }),
];
