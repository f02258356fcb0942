import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/money': {
    sentences: [
      'Tasks are what only a person can settle about money. Each ends with a note.',
      'A comparison puts our books beside the list of a provider or a platform, and shows what differs.',
      'Balances are sums of the ledger. Nothing in the ledger is ever changed; a mistake gets a counter entry.',
      'Payments to sellers say what each is owed and has been paid.',
    ],
    docs: 'ledger.md',
  },
};
