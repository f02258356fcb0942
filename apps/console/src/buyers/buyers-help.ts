import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/buyers/$id': {
    sentences: [
      'The page has all orders with the same e-mail address or, without one, the same phone number.',
      'The sums say what the buyer spent, had refunded and disputed.',
      'The buyer is masked until you reveal it, and the audit log says who did.',
    ],
    docs: 'back-office.md',
  },
};
