import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/work': {
    sentences: [
      'A queue has the orders that wait for the same thing, the most urgent first.',
      'The clock shows until when the first one has to be done. What lapses moves to Overdue.',
      'New queue makes one of your own from any search, with a clock and an escalation.',
    ],
    docs: 'back-office.md#work-through-a-queue',
  },
  '/work/$id': {
    sentences: [
      'Work from top to bottom: decide the first order, and the next one takes its place.',
      'Snooze what cannot be done yet. It comes back by itself at the time you give.',
      'An order that waits too long is escalated: it is marked, can go to an operator, and an e-mail can tell somebody.',
      'Rows do not move while the mouse is over them.',
    ],
    docs: 'back-office.md#work-through-a-queue',
  },
};
