import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/notices': {
    sentences: [
      'What happened that concerns you, newest first. Each leads to its order or page.',
      'You can choose to get notices by e-mail too.',
    ],
    docs: 'console.md',
  },
};
