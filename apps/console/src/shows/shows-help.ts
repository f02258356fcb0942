import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/events': {
    sentences: [
      'The list has the shows of the catalogue, with what is on sale and what was sold.',
      'A show opens its page, where whole shows are cancelled or postponed.',
    ],
    docs: 'catalogue.md',
  },
  '/events/$id': {
    sentences: [
      'The page has one show with its sales, its listings and links to its orders.',
      'Cancel show, Postpone and Refund orders begin a job for all its orders, after a preview.',
      'Prices and money are those of the orders as they are now.',
    ],
    docs: 'catalogue.md',
  },
};
