import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/reports': {
    sentences: [
      'Figures of the orders that were placed in the period, in the state they are in now.',
      'Each number leads to its orders, and each table can be saved as CSV.',
      'By e-mail sends you the figures each day or each Monday.',
    ],
    docs: 'back-office.md#count',
  },
};
