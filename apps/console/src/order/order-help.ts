import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/orders/$id': {
    sentences: [
      'The page has all that is known of one order. The line at the top says what is next, whose turn it is and until when.',
      'Each action opens a dialog that says what follows, and does nothing before you apply it.',
      'The timeline has what happened, newest first. `As of` shows the order as it was at an earlier version.',
      'The buyer is masked until you reveal it, and the audit log says who did.',
    ],
    docs: 'back-office.md',
  },
};
