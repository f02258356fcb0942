import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/jobs': {
    sentences: [
      'A job changes many orders in the background. It goes on when you close the page.',
      'Each shows its progress and the orders it refused, with the reason. They can be saved as a file.',
      'Some jobs wait for a second person, who is not the one who began them.',
    ],
    docs: 'back-office.md',
  },
};
