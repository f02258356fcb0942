import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/disputes': {
    sentences: [
      'A dispute is a buyer who asks the bank for the money back. The first one in the list is due first.',
      'After the deadline the dispute is lost, whatever the evidence.',
    ],
    docs: 'back-office.md#disputes',
  },
  '/disputes/$id': {
    sentences: [
      'The page says what the bank wants to know, and until when.',
      'The evidence pack is a PDF with what the order shows. Read it before you send it: the bank takes one answer.',
      'Giving in ends the dispute at once, and the money stays with the buyer.',
    ],
    docs: 'back-office.md#disputes',
  },
};
