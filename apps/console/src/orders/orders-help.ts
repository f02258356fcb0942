import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/orders': {
    sentences: [
      'The list has every order, newest first. A row opens the order.',
      'Search by name, e-mail address, phone number, last four of the card, show, seat, or the end of an id.',
      'Filters and columns stand in the address, so you can send what you see to a colleague. A saved view keeps them.',
      'Orders that wait for an answer have their buttons in the row. Select several to change them together.',
    ],
    docs: 'console.md',
  },
};
